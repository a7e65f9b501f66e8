import { staffChanges } from '@tizara/contract/staff-changes'
import { proposeColdMove, staffHotWallet } from '@tizara/contract/staff-hot-wallet'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Amount, useUnit } from '../../kit/amount.tsx'
import { SendDialog } from '../../kit/send-dialog.tsx'
import type { HotWallet } from './hot-wallet.types.ts'

export interface MoveDialogProps {
  holding: HotWallet['holdings'][number]
  addresses: readonly string[]
  onClose: () => void
}

/** Proposes a move of the surplus to cold storage. The whole surplus is the default. */
export function MoveDialog({ holding: { asset, surplus, ceiling }, addresses, onClose }: MoveDialogProps) {
  const unit = useUnit()(asset)
  return (
    <SendDialog
      title={`Move ${unit} to cold storage`}
      effects={[
        <>
          At least the ceiling of <Amount asset={asset} value={ceiling ?? 0n} /> and the waiting payouts stay in the hot wallet.
        </>,
        'Members see nothing of it, and no balance changes.',
      ]}
      verb="Propose the move"
      draft={`cold-move:${asset}`}
      unit={unit}
      available={surplus}
      legend="Cold address"
      addresses={addresses}
      onPropose={async (move) => {
        await call(proposeColdMove, { body: { asset, ...move } })
        await refetch(staffHotWallet, staffChanges)
      }}
      onClose={onClose}
    />
  )
}
