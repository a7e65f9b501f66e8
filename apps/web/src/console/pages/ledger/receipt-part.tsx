import { staffTransferReceipts } from '@tizara/contract/staff-ledger'
import { useQuery } from '@tanstack/react-query'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useState } from 'react'
import { ReceiptView } from '../../../lib/receipts/receipt-view.tsx'
import { read } from '../../../lib/http/query.ts'
import { Drawer } from '../../../ui/drawer.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { PaneSection } from '../../../ui/split.tsx'
import { Button } from '../../../ui/button.tsx'

/** Links to the transfer's receipt for members. */
export function ReceiptPart({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <PaneSection>
      <Button icon={<ReceiptText size={14} aria-hidden="true" />} onClick={() => setOpen(true)}>
        Receipt
      </Button>
      <Drawer title="Receipt" open={open} onClose={() => setOpen(false)}>
        <Receipts id={id} />
      </Drawer>
    </PaneSection>
  )
}

function Receipts({ id }: { id: string }) {
  const query = useQuery(read(staffTransferReceipts, { params: { id } }))
  const receipts = query.data ?? []
  return (
    <>
      <ListState query={query} rows={receipts.length} none="No receipt for members" />
      {receipts.map(({ member, receipt }, index) => (
        <section key={member.id} aria-label={`As ${plain(member.name)} reads it`} className={index > 0 ? 'border-t' : undefined}>
          <h3 className="font-semi mt-3">As {plain(member.name)} reads it</h3>
          <ReceiptView receipt={receipt} />
        </section>
      ))}
    </>
  )
}
