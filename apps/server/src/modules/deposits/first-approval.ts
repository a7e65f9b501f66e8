import { type Selectable, sql } from 'kysely'
import { type AuditResult, auditRows, type Looked } from '../../ledger/index.ts'
import type { Db } from '../../platform/database.ts'
import { isFirst, sealFirst } from '../../platform/first-of-two.ts'
import type { DataKeys } from '../../platform/seal.ts'
import type { SealedColumn } from '../../platform/sealed-column.ts'
import type { DepositTable } from '../../platform/tables.generated.ts'

const purpose = 'first approvals of deposits'
/** Who approved first of what waits, and of what was decided. */
export const sealedFirsts: SealedColumn = { table: 'deposit', key: 'id', column: 'first_seal', purpose }
export const sealedDecisions: SealedColumn = { table: 'deposit_decision', key: 'id', column: 'first_seal', purpose }

/** No first approval. */
export const NO_FIRST = { first_approved_by: null, first_approved_at: null, first_seal: null }

type Approved = Pick<Selectable<DepositTable>, 'public_id' | 'member_id' | 'way' | 'asset' | 'amount'>
type FirstApproval = Pick<Selectable<DepositTable>, 'first_approved_by' | 'first_approved_at' | 'first_seal'>

const factsOf = (row: Approved) => [row.public_id, row.member_id, row.way, row.asset, row.amount]

export const firstApproval = (keys: DataKeys, row: Approved, by: bigint, at: Date) => ({
  first_approved_by: by,
  first_approved_at: at,
  first_seal: sealFirst(keys, sealedFirsts, { by, at }, factsOf(row)),
})

/** Whether a deposit has no first approval, or one that the person whom it names gave of this deposit. */
export function isFirstOf(keys: DataKeys, row: Approved & FirstApproval): boolean {
  const { first_approved_by: by, first_approved_at: at, first_seal: sealed } = row
  return by === null || (at !== null && isFirst(keys, sealedFirsts, sealed, { by, at }, factsOf(row)))
}

const BATCH = 1000

/** What `ledger:audit` checks about first approvals of deposits: no query can, as the database has no key. */
export async function auditFirstApprovals(db: Db, keys: DataKeys): Promise<AuditResult[]> {
  const look = async (from: 'deposit' | 'deposit_decision', after: bigint): Promise<Looked[]> => {
    const { rows } = await sql<Approved & FirstApproval & { id: bigint }>`
      select f.id, d.public_id, d.member_id, d.way, d.asset, d.amount, f.first_approved_by, f.first_approved_at, f.first_seal
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
