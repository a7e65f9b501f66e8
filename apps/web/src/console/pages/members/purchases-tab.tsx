import { staffPurchases, reversePurchase } from '@tizara/contract/staff-purchases'
import { staffMemberDetail } from '@tizara/contract/staff-members'
import type { ReplyOf } from '@tizara/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { useIdempotencyKey } from '../../../lib/http/use-idempotency-key.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Amount } from '../../kit/amount.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { briefly } from '../../kit/when.ts'
import { MemberTable, When } from './member-table.tsx'

type Purchase = ReplyOf<typeof staffPurchases>['data'][number]

export function PurchasesTab({ id }: { id: string }) {
  const may = useMay('reversePurchase')
  const whoCan = useWhoCan('reversePurchase')
  const [reversing, setReversing] = useState<Purchase>()
  const [pages, setPages] = useState(1)
  const query = useQuery(watch(staffPurchases, { params: { id }, query: { page: 1, limit: 50 * pages } }))
  const rows = query.data?.data ?? []
  const list = { ...query, rows, hasMore: (query.data?.meta.total ?? 0) > rows.length, more: () => setPages(pages + 1) }
  return (
    <>
      <MemberTable heads={['Purchase', ['Amount', 'num'], 'Bought, UTC', 'State', 'Reverse']} none="No purchases yet" list={list}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>{plain(row.label)}</td>
            <td data-label="Amount" className="text-right whitespace-nowrap">
              <Amount value={row.amount} asset={row.asset} />
            </td>
            <td data-label="Bought">
              <When at={row.createdAt} />
            </td>
            <td data-label="State">{row.status.toLowerCase()}</td>
            <td data-label="Reverse">
              {row.reversibleUntil === undefined ? (
                <span className="text-faint">–</span>
              ) : (
                <Button
                  size="sm"
                  aria-disabled={!may}
                  title={may ? `Until ${briefly(row.reversibleUntil)} UTC` : whoCan}
                  onClick={() => setReversing(row)}
                >
                  Reverse
                </Button>
              )}
            </td>
          </tr>
        ))}
      </MemberTable>
      {reversing !== undefined && <Reversal purchase={reversing} onClose={() => setReversing(undefined)} />}
    </>
  )
}

function Reversal({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { current } = useIdempotencyKey()
  return (
    <ActDialog
      title={`Reverse ${plain(purchase.label)}`}
      effects={[
        <>
          <Amount value={purchase.amount} asset={purchase.asset} /> goes back, with the rewards that are on hold for it.
        </>,
        'Another person has to approve it before anything moves.',
      ]}
      verb="Propose reversal"
      danger
      draft={`purchase-reversal:${purchase.id}`}
      onDo={async (reason) => {
        await call(reversePurchase, { params: { kind: purchase.kind, id: purchase.id }, body: { reason }, idempotencyKey: current() })
        toast('Another staff member has to approve this')
        await refetch(staffPurchases, staffMemberDetail)
      }}
      onClose={onClose}
    />
  )
}
