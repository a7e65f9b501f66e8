import { staffTransferReceipts } from '@tizara/contract/staff-ledger'
import { useQuery } from '@tanstack/react-query'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useState } from 'react'
import { ReceiptView } from '../../../lib/receipt-view.tsx'
import { read } from '../../../lib/query.ts'
import { Drawer } from '../../../ui/drawer.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { plain } from '../../kit/strip-control-characters.ts'

/** The way to a transfer's receipt, as its members read it. */
export function ReceiptPart({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="sect">
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        <ReceiptText size={14} aria-hidden="true" /> Receipt
      </button>
      <Drawer title="Receipt" open={open} onClose={() => setOpen(false)}>
        <Receipts id={id} />
      </Drawer>
    </div>
  )
}

function Receipts({ id }: { id: string }) {
  const query = useQuery({ ...read(staffTransferReceipts, { params: { id } }), retry: false })
  const receipts = query.data ?? []
  return (
    <>
      <ListState query={query} rows={receipts.length} none="No member has a receipt of it" />
      {receipts.map(({ member, receipt }) => (
        <section key={member.id} aria-label={`As ${plain(member.name)} reads it`} className="as-read">
          <h3 className="b mt12">As {plain(member.name)} reads it</h3>
          <ReceiptView receipt={receipt} />
        </section>
      ))}
    </>
  )
}
