import { formatUnits, parseUnits, type Units } from '@tizara/money'
import { type ReactNode, useId, useState } from 'react'
import { ApiError } from '../../lib/http/api.ts'
import { Address } from '../../ui/address.tsx'
import { toast } from '../../ui/toast-store.ts'
import { ActDialog } from './act-dialog.tsx'

export interface SendDialogProps {
  title: string
  /** What happens after the first effect, that another person has to approve it. */
  effects: readonly ReactNode[]
  verb: string
  draft: string
  /** Unit of the amount, such as `USD`. */
  unit: string
  /** Amount that the form begins with. */
  available: Units
  legend: string
  addresses: readonly string[]
  /** Proposes the payment, and reads the page again. */
  onPropose: (payment: { amount: Units; address: string; reason: string }) => Promise<void>
  onClose: () => void
}

/** Proposes to send an amount of the hot wallet to one of the addresses of the settings. */
export function SendDialog({ effects, unit, available, legend, addresses, onPropose, ...dialog }: SendDialogProps) {
  const id = useId()
  const [typed, setTyped] = useState(formatUnits(available))
  const [chosen, setChosen] = useState(addresses[0] ?? '')
  return (
    <ActDialog
      {...dialog}
      effects={['Another person has to approve it. Both compare the whole address.', ...effects]}
      onDo={async (reason) => {
        const amount = parseUnits(typed.trim().replaceAll(',', ''), 8)
        if (amount === null || amount <= 0n) throw new ApiError({ statusCode: 400, message: 'Please enter an amount' })
        await onPropose({ amount, address: chosen, reason })
        toast('Proposed; another person has to approve it')
      }}
    >
      <label className="mt-3 mb-1 block font-medium" htmlFor={`${id}-amount`}>
        Amount in {unit}
      </label>
      <input
        id={`${id}-amount`}
        className="control text-right"
        inputMode="decimal"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <fieldset className="mt-3">
        <legend className="mb-1 font-medium">{legend}</legend>
        {addresses.map((address) => (
          <label key={address} className="flex min-w-0 items-start gap-2 py-1">
            <input type="radio" name={`${id}-to`} className="mt-1" checked={address === chosen} onChange={() => setChosen(address)} />
            <Address value={address} className="min-w-0" />
          </label>
        ))}
      </fieldset>
    </ActDialog>
  )
}
