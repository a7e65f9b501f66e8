import { staffChanges } from '@tizara/contract/staff-changes'
import { proposeColdMove, staffHotWallet } from '@tizara/contract/staff-hot-wallet'
import { formatUnits, parseUnits } from '@tizara/money'
import { useId, useState } from 'react'
import { ApiError, call } from '../../../lib/api.ts'
import { refetch } from '../../../lib/query.ts'
import { Address } from '../../../ui/address.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Amount, useUnit } from '../../kit/amount.tsx'
import type { HotWallet } from './hot-wallet.types.ts'

export interface MoveDialogProps {
  holding: HotWallet['holdings'][number]
  addresses: readonly string[]
  onClose: () => void
}

/** Proposes a move of the surplus to cold storage. The whole surplus is the default. */
export function MoveDialog({ holding: { asset, surplus, ceiling }, addresses, onClose }: MoveDialogProps) {
  const unit = useUnit()(asset)
  const id = useId()
  const [typed, setTyped] = useState(formatUnits(surplus))
  const [chosen, setChosen] = useState(addresses[0] ?? '')
  return (
    <ActDialog
      title={`Move ${unit} to cold storage`}
      effects={[
        'Another person has to approve it. Both compare the whole address.',
        <>
          At least the ceiling of <Amount asset={asset} value={ceiling ?? 0n} /> and the waiting payouts stay in the hot wallet.
        </>,
        'Members see nothing of it, and no balance changes.',
      ]}
      verb="Propose the move"
      draft={`cold-move:${asset}`}
      onDo={async (reason) => {
        const amount = parseUnits(typed.trim().replaceAll(',', ''), 8)
        if (amount === null || amount <= 0n) throw new ApiError({ statusCode: 400, message: 'Please enter an amount' })
        await call(proposeColdMove, { body: { asset, amount, address: chosen, reason } })
        toast('Proposed; another person has to approve it')
        await refetch(staffHotWallet, staffChanges)
      }}
      onClose={onClose}
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
        <legend className="mb-1 font-medium">Cold address</legend>
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
