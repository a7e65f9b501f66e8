import { type WalletKey, walletAssets } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'
import type { ReactNode } from 'react'
import { AmountInput, type AmountInputProps } from '../ui/amount-input.tsx'
import { Field } from '../ui/field.tsx'
import { Money } from '../ui/money.tsx'
import { type Bounds, maxTyped } from './typed-amount.ts'
import { useWalletUnit, walletNames } from './wallet-names.ts'

export interface AmountFieldProps {
  label: ReactNode
  /** Spread a money form's `{...form.amount}` to set this and the next five props. */
  field: Pick<AmountInputProps, 'name' | 'value' | 'onChange' | 'onBlur'>
  error: string | undefined
  pending: boolean
  /** Wallet that defines the asset. */
  wallet: WalletKey
  bounds: Bounds | undefined
  onFill: (text: string) => void
  /** Source balance, shown beside the label and filled in by "Max"; omit for no "Max". */
  balance?: Units | undefined
  /** Amount for "Max" in units; defaults to the whole balance. */
  max?: Units | undefined
  hint?: ReactNode
}

/** Keys that are invalid in an amount (VA-27). */
const BLOCKED_KEYS = ['e', '+', '-']

/** Amount field with the source balance and a "Max" button. */
export function AmountField({ label, field, error, pending, wallet, balance, bounds, onFill, max, hint }: AmountFieldProps) {
  const unit = useWalletUnit()(wallet)
  const filled = maxTyped(max ?? balance, walletAssets[wallet], bounds)
  return (
    <Field
      label={label}
      required
      error={error}
      hint={hint}
      aside={balance !== undefined && <Balance wallet={wallet} balance={balance} unit={unit} />}
    >
      <AmountInput
        {...field}
        unit={unit}
        blockedKeys={BLOCKED_KEYS}
        readOnly={pending}
        onMax={filled === undefined ? undefined : () => onFill(filled)}
      />
    </Field>
  )
}

function Balance({ wallet, balance, unit }: { wallet: WalletKey; balance: Units; unit: string }) {
  return (
    <span className="whitespace-nowrap">
      {walletNames[wallet]} <Money value={balance} unit={unit} decimals={2} className="font-medium text-muted" />
    </span>
  )
}
