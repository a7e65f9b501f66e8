import type { ReplyOf } from '@tizara/contract'
import { reverseTransfer, type staffLedgerTransfer } from '@tizara/contract/staff-ledger'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../../../lib/http/api.ts'
import { toast } from '../../../ui/toast-store.ts'
import { Amount } from '../../kit/amount.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { PaneSection } from '../../../ui/split.tsx'
import { Button } from '../../../ui/button.tsx'

type Transfer = ReplyOf<typeof staffLedgerTransfer>

/** Shows whether the transfer was or can be reversed, with the effects and the link. */
export function ReversalPart({ transfer }: { transfer: Transfer }) {
  const { reverses, reversedBy, reversal } = transfer
  const [open, setOpen] = useState(false)
  const may = useMay('reverseTransfer')
  const whoCan = useWhoCan('reverseTransfer')
  return (
    <PaneSection className="text-xs">
      <h3>Reversal</h3>
      {reversedBy !== undefined && <Other word="Reversed by transfer" id={reversedBy} />}
      {reverses !== undefined && <Other word="Reverses transfer" id={reverses} />}
      {reversal.can ? (
        <p className="flex min-w-0 items-center gap-2 justify-between">
          <span className="text-muted">By an opposite transfer, only once, with a second approval.</span>
          <Button disabled={!may} title={may ? undefined : whoCan} onClick={() => setOpen(true)}>
            Propose reversal
          </Button>
        </p>
      ) : (
        reversedBy === undefined && <p className="text-muted">It cannot be reversed: {reversal.text}.</p>
      )}
      <p className="text-muted mt-2">A reversal is a new transfer the other way and needs another person. Nothing is ever deleted.</p>
      {open && <ReverseDialog transfer={transfer} onClose={() => setOpen(false)} />}
    </PaneSection>
  )
}

const Other = ({ word, id }: { word: string; id: string }) => (
  <p>
    {word}{' '}
    <Link className="link font-mono text-xs" href={`/staff/ledger/-/${id}`}>
      {id}
    </Link>
  </p>
)

function ReverseDialog({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const [, go] = useLocation()
  const { id, asset, amount, legs, reversal } = transfer
  const [from, to] = [legs[1], legs[0]]
  return (
    <ActDialog
      title={`Reverse transfer ${id}`}
      effects={[
        <span key="move">
          <Amount asset={asset} value={amount} /> goes from {from?.name} back to {to?.name}, if it is still there.
        </span>,
        reversal.text,
        'Another person has to approve it under Proposals. The affected members are notified by mail.',
      ]}
      verb="Propose"
      draft={`reverse-${id}`}
      note="all staff can read it"
      onDo={async (reason) => {
        const { proposalId } = (await call(reverseTransfer, { params: { id }, body: { reason } })).data
        toast('Proposed; another person has to approve it')
        go(`/staff/changes/${proposalId}`)
      }}
      onClose={onClose}
    />
  )
}
