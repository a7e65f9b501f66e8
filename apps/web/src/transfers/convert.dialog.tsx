import { CONVERT_MIN, CONVERT_STEP, DEFAULT_CONVERT_RATE } from '@tizara/contract'
import { convertToMyWallet } from '@tizara/contract/transfers'
import { coinForUsd } from '@tizara/money'
import { call } from '../lib/api.ts'
import { useAppConfig } from '../settings/index.ts'
import {
  AmountField,
  amountFault,
  arrives,
  type Bounds,
  leaves,
  MoneyDialog,
  rate,
  readTyped,
  remains,
  useGeneralSettings,
  useMoneyForm,
  useWallets,
  walletMessages,
} from '../wallets/index.ts'
import { transferMessages } from './transfers.messages.ts'

export interface ConvertDialogProps {
  open: boolean
  onClose: () => void
}

/** USD of the NFT wallet into coin of my wallet (UI-M-CONVERT rows, MF-06). */
export function ConvertDialog({ open, onClose }: ConvertDialogProps) {
  return open ? <Content onClose={onClose} /> : null
}

function Content({ onClose }: { onClose: () => void }) {
  const { tokenSymbol } = useAppConfig()
  const balance = useWallets().data?.nftWallet
  const price = useGeneralSettings().data?.convertRate ?? DEFAULT_CONVERT_RATE
  const bounds: Bounds = { min: CONVERT_MIN, step: CONVERT_STEP, ...(balance !== undefined && { max: balance }) }
  const form = useMoneyForm({
    name: convertToMyWallet.name,
    initial: { usd: '' },
    validate: ({ usd }) => {
      // 0 has its own answer, and it comes first (UI-M-CONVERT-05).
      if (readTyped(usd, 'usd') === 0n) return {}
      const fault = amountFault(usd, 'usd', bounds)
      return fault === undefined ? {} : { usd: fault }
    },
    refuse: ({ usd }) =>
      readTyped(usd, 'usd') === 0n ? { title: walletMessages.zeroTitle, text: walletMessages.zero, closes: true } : undefined,
    body: ({ usd }) => ({ usd: readTyped(usd, 'usd') ?? 0n }),
    send: (body, idempotencyKey) => call(convertToMyWallet, { body, idempotencyKey, quoted: coinForUsd(body.usd, price) }),
    failed: { title: walletMessages.failed, closes: false },
    done: { fallback: walletMessages.done },
    onClose,
  })
  const typed = readTyped(form.values.usd, 'usd')
  return (
    <MoneyDialog
      title={transferMessages.convert}
      onClose={onClose}
      form={form}
      submit="Convert"
      preview={[
        leaves('nftWallet', typed, 'USD'),
        rate(tokenSymbol, price),
        arrives('Arrives in My Wallet', typed === null ? null : coinForUsd(typed, price), tokenSymbol),
        remains('nftWallet', balance, typed, 'USD'),
      ]}
    >
      <AmountField
        label="USD"
        field={form.field('usd')}
        error={form.errors.usd}
        pending={form.pending}
        wallet="nftWallet"
        balance={balance}
        bounds={bounds}
        onFill={(text) => form.set('usd', text)}
        hint="From 1 USD, in steps of 0.5"
      />
    </MoneyDialog>
  )
}
