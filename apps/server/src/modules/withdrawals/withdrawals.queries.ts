import type { ListQuery } from '@tizara/contract'
import { formatUnits } from '@tizara/money'
import type { Selectable } from 'kysely'
import { explorerLink } from '../../gateways/chain/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { PayoutRequestTable } from '../../platform/db/tables.generated.ts'
import { type ListCounters, readHistory } from '../histories/index.ts'
import { bridges, withdrawals } from './history.ts'
import { sendingLabels } from './sending/sending.queries.ts'

const sums = (counters: ListCounters, statusOf: (status: string) => string) => ({
  sum: counters.sum,
  sumByStatus: Object.fromEntries(Object.entries(counters.buckets).map(([status, { sum }]) => [statusOf(status), sum])),
})

const WITHDRAWAL_STATUS: Readonly<Record<string, string>> = { PENDING: 'PENDING', APPROVED: 'APPROVE', REJECTED: 'REJECT' }
const BRIDGE_STATUS: Readonly<Record<string, boolean | null>> = { PENDING: null, APPROVED: true, REJECTED: false }

/** Returns the fields that the API has in addition to the requirements. */
async function extrasOf(db: Db, deps: Deps, rows: readonly Selectable<PayoutRequestTable>[]) {
  const approved = rows.filter(({ status }) => status === 'APPROVED').map(({ id }) => id)
  const sending = await sendingLabels(db, approved)
  return (row: Selectable<PayoutRequestTable>) => {
    const state = sending.get(row.id)
    return { ...(state === undefined ? {} : { sending: state }), ...extras(deps, row) }
  }
}

const extras = (deps: Deps, row: Selectable<PayoutRequestTable>) => ({
  ...(row.tx_hash === null ? {} : { txHash: row.tx_hash, ...explorerLink(deps.config, row.tx_hash) }),
  ...(row.status === 'PENDING' && row.confirmed_at === null ? { waitsUntil: row.confirm_by } : {}),
  ...(row.reason === null || row.status !== 'REJECTED' ? {} : { reason: row.reason }),
})

/** Lists a member's USD withdrawals, newest first (API-77, EN-45, LS-37). */
export async function listWithdrawals(db: Db, deps: Deps, member: { memberId: bigint; email: string }, query: ListQuery) {
  const { rows, counters, meta } = await readHistory(db, withdrawals, member.memberId, query)
  const extrasFor = await extrasOf(db, deps, rows)
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
    ...extrasFor(row),
    receipt: { kind: withdrawals.kind, id: row.public_id },
  }))
  return { data, meta: { ...meta, ...sums(counters, (status) => WITHDRAWAL_STATUS[status] ?? status) } }
}

/** Lists a member's bridges, newest first (API-73, EN-42). The status is null, true or false; `desc` is the fee in coin. */
export async function listBridges(db: Db, deps: Deps, memberId: bigint, query: ListQuery) {
  const { rows, counters, meta } = await readHistory(db, bridges, memberId, query)
  const extrasFor = await extrasOf(db, deps, rows)
  const data = rows.map((row) => ({
    id: row.public_id,
    createdAt: row.created_at,
    to: row.address,
    amount: row.amount,
    desc: formatUnits(row.platform_fee),
    status: BRIDGE_STATUS[row.status] ?? null,
    network: row.network,
    ...extrasFor(row),
    receipt: { kind: bridges.kind, id: row.public_id },
  }))
  return { data, meta: { ...meta, ...sums(counters, (status) => status) } }
}
