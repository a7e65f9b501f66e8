import { exchangeHistory, exchangeToMyWallet } from '@tizara/contract/transfers'
import { t } from '@tizara/languages'
import { exchangeShare, formatFixed, formatUnits, ONE, type Units } from '@tizara/money'
import { formatTime } from '../lib/format.ts'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useAppConfig } from '../settings/index.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { arrives, fee, leaves, MoneyDialog, remains, showRejection, useMoneyForm, useWallets } from '../wallets/index.ts'
import { transferMessages } from './transfers.messages.ts'
import { useExchangeLimit, useExchangeWait } from './transfers.queries.ts'

/**
 * Moves the allowed share of the ICO Wallet (`newIcoWallet` in the API) to My Wallet (`icoWallet`) (UI-M-EXCHANGE rows, MF-05).
 */
export default function ExchangeDialog({ onClose }: DialogProps) {
  const { tokenSymbol } = useAppConfig()
  const wallets = useWallets()
  const balance = wallets.data?.newIcoWallet
  const { limit, isLoading } = useExchangeLimit()
  const { hours, next } = useExchangeWait()
  const share = balance === undefined || limit === undefined ? null : exchangeShare(balance, limit)
  const form = useMoneyForm({
    route: exchangeToMyWallet,
    initial: {},
    body: () => ({ amount: share ?? 0n }),
    onError: (error) => void showRejection(transferMessages.exchangeFailed, error.message),
    history: () => '/history/transfer-history',
    refetches: [exchangeHistory],
    onClose,
  })
  return (
    <MoneyDialog
      title={transferMessages.exchange}
      description={limit !== undefined && sharePerTransfer(limit, hours)}
      onClose={onClose}
      form={form}
      submit={t('Transfer')}
      loading={wallets.isLoading || isLoading}
      preview={[
        leaves('newIcoWallet', share, tokenSymbol),
        fee(t('Fee'), 0n, tokenSymbol),
        arrives(t('Arrives in My Wallet'), share, tokenSymbol),
        remains('newIcoWallet', balance, share, tokenSymbol),
      ]}
      note={next !== undefined && t('Your next transfer is possible from {next}.', { next: formatTime(next) })}
    >
      <Field label={t('Amount')}>
        <Input
          name="amount"
          readOnly
          value={share === null ? '' : formatFixed(share)}
          end={<span className="text-sm text-faint">{tokenSymbol}</span>}
        />
      </Field>
    </MoneyDialog>
  )
}

/** Describes the amount per transfer and when the next one is possible. */
function sharePerTransfer(limit: Units, hours: number): string {
  if (limit === 100n * ONE) return t('Moves everything in your ICO Wallet to My Wallet.')
  const wait =
    hours === 0
      ? t('You can transfer again right away.')
      : t('The next one is possible {hours, plural, one {{hours} hour} other {{hours} hours}} later.', { hours })
  return t('One transfer moves {limit}% of your ICO Wallet. {wait}', { limit: formatUnits(limit), wait })
}
