import { type Selectable, sql } from 'kysely'
import { type AuditResult, auditRows, type AuditedRow } from '../../ledger/index.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { isFirstApproval, macOfFirstApproval } from '../../platform/db/first-approval.ts'
import type { DataKeys } from '../../platform/crypto/seal.ts'
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts'
import type { DepositTable } from '../../platform/db/tables.generated.ts'
import { CREDIT, HELD } from './deposit-queue.queries.ts'

const purpose = 'first approvals of deposits'
/** Who approved first of what waits, and of what was decided. */
export const sealedFirsts: SealedColumn = { table: 'deposit', key: 'id', column: 'first_seal', purpose }
export const sealedDecisions: SealedColumn = { table: 'deposit_decision', key: 'id', column: 'first_seal', purpose }

/** No first approval. */
export const NO_FIRST = { first_approved_by: null, first_approved_at: null, first_seal: null }

type Approved = Pick<Selectable<DepositTable>, 'public_id' | 'member_id' | 'way' | 'asset' | 'amount'> & {
  /** What an approval credits. */
  credits: string
}
type FirstApproval = Pick<Selectable<DepositTable>, 'first_approved_by' | 'first_approved_at' | 'first_seal'>

const factsOf = (row: Approved) => [row.public_id, row.member_id, row.way, row.asset, row.amount, row.credits]

export const firstApproval = (keys: DataKeys, row: Approved, by: bigint, at: Date) => ({
  first_approved_by: by,
  first_approved_at: at,
  first_seal: macOfFirstApproval(keys, sealedFirsts, { by, at }, factsOf(row)),
})

/** Whether a deposit has no first approval, or one that the person whom it names gave of this deposit. */
export function isFirstOf(keys: DataKeys, row: Approved & FirstApproval): boolean {
  const { first_approved_by: by, first_approved_at: at, first_seal: sealed } = row
  return by === null || (at !== null && isFirstApproval(keys, sealedFirsts, sealed, { by, at }, factsOf(row)))
}

const TRANSFERS = sql`select string_agg(concat_ws(':', t.transfer_key, t.asset, t.amount, t.usd_amount), ' ' order by t.transfer_key collate "C")`
/** SQL: what approving a deposit `d` credits now: USD units, or each transfer over the chain. */
const CREDITS = sql`case d.way when 'hosted' then (${CREDIT})::text else coalesce((${TRANSFERS} ${HELD}), '') end`
/** SQL: what a decision `f` about it credited, in the same form. */
const CREDITED = sql`case d.way when 'hosted' then f.credited::text else coalesce((${TRANSFERS} from invoice_transfer t
  where t.deposit_id = d.id and t.decided_at = f.decided_at and t.credited_at is not null), '') end`

/** What approving a deposit credits now. */
export async function creditOnApproval(tx: Tx, depositId: bigint): Promise<string> {
  const { rows } = await sql<{ credits: string }>`select ${CREDITS} as credits from deposit d where d.id = ${depositId}`.execute(tx)
  return rows[0]?.credits ?? ''
}

/**
 * Does something that may change what approving a deposit credits. If it does, a first approval falls: whoever approves second
 * has to see what the first saw. Its seal is about what it saw, so nobody puts it back.
 * @param deposit as it stands under a lock of this transaction
 */
export async function withFirstAbout<T>(
  tx: Tx,
  deposit: Pick<Selectable<DepositTable>, 'id' | 'first_approved_by'>,
  work: () => Promise<T>,
): Promise<T> {
  if (deposit.first_approved_by === null) return work()
  const before = await creditOnApproval(tx, deposit.id)
  const done = await work()
  if ((await creditOnApproval(tx, deposit.id)) !== before)
    await tx.updateTable('deposit').set(NO_FIRST).where('id', '=', deposit.id).execute()
  return done
}

const BATCH = 1000

/** What `ledger:audit` checks about first approvals of deposits: no query can, as the database has no key. */
export async function auditFirstApprovals(db: Db, keys: DataKeys): Promise<AuditResult[]> {
  const look = async (from: 'deposit' | 'deposit_decision', after: bigint): Promise<AuditedRow[]> => {
    const { rows } = await sql<Approved & FirstApproval & { id: bigint }>`
      select f.id, d.public_id, d.member_id, d.way, d.asset, d.amount, ${from === 'deposit' ? CREDITS : CREDITED} as credits, f.first_approved_by, f.first_approved_at, f.first_seal
      from ${sql.table(from)} f join deposit d on d.id = ${sql.ref(from === 'deposit' ? 'f.id' : 'f.deposit_id')}
      where f.id > ${after} and f.first_approved_by is not null order by f.id limit ${BATCH}`.execute(db)
    return rows.map((row) => ({ id: row.id, name: row.public_id, holds: isFirstOf(keys, row) }))
  }
  return [
    await auditRows(
      { invariant: 'I8', title: 'each deposit that waits for a second person was first approved by whom it names' },
      (after) => look('deposit', after),
    ),
    await auditRows({ invariant: 'I8', title: 'each deposit that two people decided was first approved by whom it names' }, (after) =>
      look('deposit_decision', after),
    ),
  ]
}
