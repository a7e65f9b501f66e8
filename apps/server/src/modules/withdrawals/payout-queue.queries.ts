import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { openFirst, type Slice } from '../../platform/paging.ts'

/** A payout as staff see it; amounts in units of its asset. */
export interface QueuedPayout {
  id: string
  memberId: bigint
  amount: Units
  platformFee: Units
  networkFee: Units
  received: Units
  address: string
  network: number
  txHash: string | null
  status: 'PENDING' | 'APPROVED' | 'REJECTED'
  firstApprovedBy: bigint | null
  decidedBy: bigint | null
  reason: string | null
  createdAt: Date
  decidedAt: Date | null
  /** Whether this member was never paid to the address before. */
  newAddress: boolean
}

/** Payouts for staff: those that wait first, oldest first; then the decided ones, newest first. */
export async function payoutQueue(
  db: Db,
  kind: 'withdrawal' | 'bridge',
  { slice, status }: { slice: Slice; status?: QueuedPayout['status'] | undefined },
) {
  const decided = sql`p.kind = ${kind} and p.status <> 'PENDING' and (${status ?? null}::text is null or p.status = ${status ?? null})`
  const counts = await sql<{ open: number; done: number }>`
    select (select count(*)::int from payout_request p where p.kind = ${kind} and p.status = 'PENDING') as open,
      (select count(*)::int from payout_request p where ${decided}) as done`.execute(db)
  const open = status === undefined || status === 'PENDING' ? (counts.rows[0]?.open ?? 0) : 0
  const done = status === 'PENDING' ? 0 : (counts.rows[0]?.done ?? 0)
  const parts = openFirst(slice, open)
  const columns = sql`p.public_id as id, p.member_id as "memberId", p.amount, p.platform_fee as "platformFee", p.network_fee as "networkFee",
    p.received, p.address, p.network, p.tx_hash as "txHash", p.status, p.first_approved_by as "firstApprovedBy", p.decided_by as "decidedBy",
    p.reason, p.created_at as "createdAt", p.decided_at as "decidedAt",
    not exists (select from payout_request e where e.member_id = p.member_id and e.kind = p.kind and e.address = p.address
      and e.status = 'APPROVED' and e.id <> p.id) as "newAddress"`
  const first =
    open === 0
      ? []
      : (
          await sql<QueuedPayout>`select ${columns} from payout_request p where p.kind = ${kind} and p.status = 'PENDING'
            order by p.id limit ${parts.open.limit} offset ${parts.open.offset}`.execute(db)
        ).rows
  const then =
    done === 0 || parts.done.limit === 0
      ? []
      : (
          await sql<QueuedPayout>`select ${columns} from payout_request p where ${decided}
            order by p.id desc limit ${parts.done.limit} offset ${parts.done.offset}`.execute(db)
        ).rows
  return { data: [...first, ...then], meta: { total: open + done, page: slice.page, limit: slice.limit } }
}
