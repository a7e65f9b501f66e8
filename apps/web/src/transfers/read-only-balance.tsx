import type { WalletKey } from '@tizara/contract/wallets'
import { formatFixed, type Units } from '@tizara/money'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { useWalletUnit, walletNames } from '../wallets/index.ts'

/** Read-only balance field (VA-50, UI-M-NFT2DEP-02), with 2 decimals (CO-43) and no separators (CO-45). */
export function ReadOnlyBalance({ wallet, balance }: { wallet: WalletKey; balance: Units | undefined }) {
  const unit = useWalletUnit()(wallet)
  return (
    <Field label={walletNames[wallet]}>
      <Input readOnly value={balance === undefined ? '' : formatFixed(balance)} end={<span className="text-sm text-faint">{unit}</span>} />
    </Field>
  )
}
