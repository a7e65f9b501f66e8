import type { ListQuery } from '@tizara/contract'
import { formatUnits } from '@tizara/money'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { against, onlyOf, readPage, readSlice } from '../../platform/paging.ts'
import type { PayoutRequestTable } from '../../platform/tables.generated.ts'
import { listTally, type ListTally } from '../members/index.ts'

type Kind = 'withdrawal' | 'bridge'

async function listPayouts(db: Db, memberId: bigint, kind: Kind, query: ListQuery) {
  const slice = readSlice(query)
  const { since, before } = slice
  const mine = db
    .selectFrom('payout_request')
    .where('member_id', '=', onlyOf(memberId))
    .where('kind', '=', kind)
    .$if(since !== undefined, (q) => q.where('created_at', '>=', since ?? new Date(0)))
    .$if(before !== undefined, (q) => q.where('created_at', '<', before ?? new Date(0)))
  const tally = await listTally(db, memberId, kind)
  const total =
    since === undefined && before === undefined
      ? tally.total
      : (await mine.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()).total
  const rows = await readPage(slice, total, (order, offset, limit) =>
    mine.selectAll().orderBy('member_id', against(order)).orderBy('id', order).limit(limit).offset(offset).execute(),
  )
  return { rows, slice, tally, total }
}

const metaOf = (slice: { page: number; limit: number }, total: number, tally: ListTally, statusOf: (status: string) => string) => ({
  total,
  page: slice.page,
  limit: slice.limit,
  sum: tally.sum,
  sumByStatus: Object.fromEntries(Object.entries(tally.buckets).map(([status, { sum }]) => [statusOf(status), sum])),
})

const WITHDRAWAL_STATUS: Readonly<Record<string, string>> = { PENDING: 'PENDING', APPROVED: 'APPROVE', REJECTED: 'REJECT' }
const BRIDGE_STATUS: Readonly<Record<string, boolean | null>> = { PENDING: null, APPROVED: true, REJECTED: false }

const extras = (row: Selectable<PayoutRequestTable>) => ({
  ...(row.tx_hash === null ? {} : { txHash: row.tx_hash }),
  ...(row.reason === null || row.status !== 'REJECTED' ? {} : { reason: row.reason }),
})

/** A member's USD withdrawals, newest first (API-77, EN-45, LS-37). */
export async function listWithdrawals(db: Db, member: { memberId: bigint; email: string }, query: ListQuery) {
  const { rows, slice, tally, total } = await listPayouts(db, member.memberId, 'withdrawal', query)
  const data = rows.map((row) => ({
    id: row.public_id,
    createdAt: row.created_at,
    user: { email: member.email },
    amount: row.amount,
    fee: row.platform_fee,
    networkFee: row.network_fee,
    recived: row.received,
    status: WITHDRAWAL_STATUS[row.status] ?? row.status,
    address: row.address,
    ...extras(row),
    receipt: { kind: 'withdrawal' as const, id: row.public_id },
  }))
  return { data, meta: metaOf(slice, total, tally, (status) => WITHDRAWAL_STATUS[status] ?? status) }
}

/** A member's bridges, newest first (API-73, EN-42): status null, true or false; `desc` is the fee in coin. */
export async function listBridges(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, slice, tally, total } = await listPayouts(db, memberId, 'bridge', query)
  const data = rows.map((row) => ({
    id: row.public_id,
    createdAt: row.created_at,
    to: row.address,
    amount: row.amount,
    desc: formatUnits(row.platform_fee),
    status: BRIDGE_STATUS[row.status] ?? null,
    network: row.network,
    ...extras(row),
    receipt: { kind: 'bridge' as const, id: row.public_id },
  }))
  return { data, meta: metaOf(slice, total, tally, (status) => status) }
}
