import type { ReplyOf } from '@tizara/contract'
import type { payoutGuard } from '@tizara/contract/withdrawals-guard'
import { t } from '@tizara/languages'
import { Field } from '../ui/field.tsx'
import { Input, type InputProps } from '../ui/input.tsx'
import { QuickPicks } from '../ui/quick-picks.tsx'

export interface AddressFieldProps {
  label: string
  field: Pick<InputProps, 'name' | 'value' | 'onChange' | 'onBlur'>
  error: string | undefined
  pending: boolean
  hint?: string | undefined
  /** Addresses of the address book on the chosen network. */
  saved: readonly SavedAddress[]
  onPick: (address: string) => void
}

export interface SavedAddress {
  address: string
  label: string
}

/** Returns the confirmed addresses of the book on a network. */
export const savedOn = (guard: ReplyOf<typeof payoutGuard> | undefined, network: number): readonly SavedAddress[] =>
  guard?.addresses.filter((entry) => entry.network === network && entry.usableFrom !== null) ?? []

/** Payout address field, with autocorrect off, and the saved addresses that fill it. */
export function AddressField({ label, field, error, pending, hint, saved, onPick }: AddressFieldProps) {
  return (
    <>
      <Field label={label} required error={error} hint={hint}>
        <Input
          {...field}
          mono
          readOnly={pending}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={128}
        />
      </Field>
      <QuickPicks
        label={t('Saved')}
        picks={saved.map((entry) => ({ value: entry.address, label: `${entry.label} …${entry.address.slice(-6)}` }))}
        value={String(field.value ?? '')}
        disabled={pending}
        onPick={onPick}
      />
    </>
  )
}
