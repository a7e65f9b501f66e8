import { type Selectable, sql } from 'kysely'
import { type AuditResult, auditRows, type AuditedRow } from '../../../ledger/index.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isFirstApproval, macOfFirstApproval } from '../../../platform/db/first-approval.ts'
import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../../platform/crypto/encrypted-column.ts'
import type { DepositTable } from '../../../platform/db/tables.generated.ts'
import { CREDIT, HELD } from './deposit-queue.queries.ts'

const purpose = 'first approvals of deposits'
/** MAC columns for first approvals, for pending and decided deposits. */
export const depositMacs: EncryptedColumn = { table: 'deposit', key: 'id', column: 'first_mac', purpose }
export const decisionMacs: EncryptedColumn = { table: 'deposit_decision', key: 'id', column: 'first_mac', purpose }

/** Column values without a first approval. */
export const NO_FIRST_APPROVAL = { first_approved_by: null, first_approved_at: null, first_mac: null }

type ApprovedDeposit = Pick<Selectable<DepositTable>, 'public_id' | 'member_id' | 'method' | 'asset' | 'amount'> & {
  /** The credited amount in units, or the list of credited chain transfers, as text. */
  credits: string
}
type FirstApproval = Pick<Selectable<DepositTable>, 'first_approved_by' | 'first_approved_at' | 'first_mac'>

const macFields = (row: ApprovedDeposit) => [row.public_id, row.member_id, row.method, row.asset, row.amount, row.credits]

export const firstApproval = (keys: DataKeys, row: ApprovedDeposit, by: bigint, at: Date) => ({
  first_approved_by: by,
  first_approved_at: at,
  first_mac: macOfFirstApproval(keys, depositMacs, { by, at }, macFields(row)),
})

/** Returns true if a deposit has no first approval, or a valid MAC of the named approver over this deposit. */
export function hasNoForgedFirstApproval(keys: DataKeys, row: ApprovedDeposit & FirstApproval): boolean {
  const { first_approved_by: by, first_approved_at: at, first_mac: mac } = row
  return by === null || (at !== null && isFirstApproval(keys, depositMacs, mac, { by, at }, macFields(row)))
}

const TRANSFERS = sql`select string_agg(concat_ws(':', t.transfer_key, t.asset, t.amount, t.usd_amount), ' ' order by t.transfer_key collate "C")`
/** SQL: the credit that an approval of deposit `d` would post now, as text: USD units (hosted), or one item per held chain transfer. */
const CREDITS = sql`case d.method when 'hosted' then (${CREDIT})::text else coalesce((${TRANSFERS} ${HELD}), '') end`
/** SQL: the credit of decision `f`, in the same format. */
const CREDITED = sql`case d.method when 'hosted' then f.credited::text else coalesce((${TRANSFERS} from invoice_transfer t
  where t.deposit_id = d.id and t.decided_at = f.decided_at and t.credited_at is not null), '') end`

/** Returns the credit that an approval of the deposit would post now, as text. */
export async function creditOnApproval(tx: Tx, depositId: bigint): Promise<string> {
  const { rows } = await sql<{ credits: string }>`select ${CREDITS} as credits from deposit d where d.id = ${depositId}`.execute(tx)
  return rows[0]?.credits ?? ''
}

/**
 * Runs work that may change the amount to credit. A change expires the first approval, because the second approver must see the same values
 * as the first. The MAC covers these values, so that an edit in the database cannot restore the approval.
 * @param deposit row locked by this transaction
 */
export async function expireFirstApprovalIfChanged<T>(
  tx: Tx,
  deposit: Pick<Selectable<DepositTable>, 'id' | 'first_approved_by'>,
  work: () => Promise<T>,
): Promise<T> {
  if (deposit.first_approved_by === null) return work()
  const before = await creditOnApproval(tx, deposit.id)
  const result = await work()
  if ((await creditOnApproval(tx, deposit.id)) !== before)
    await tx.updateTable('deposit').set(NO_FIRST_APPROVAL).where('id', '=', deposit.id).execute()
  return result
}

const BATCH = 1000

/** Checks first approvals of deposits for `ledger:audit`. SQL cannot, because the database does not hold the key. */
export async function auditFirstApprovals(db: Db, keys: DataKeys): Promise<AuditResult[]> {
  const approvalsOf = async (from: 'deposit' | 'deposit_decision', after: bigint): Promise<AuditedRow[]> => {
    const { rows } = await sql<ApprovedDeposit & FirstApproval & { id: bigint }>`
      select f.id, d.public_id, d.member_id, d.method, d.asset, d.amount, ${from === 'deposit' ? CREDITS : CREDITED} as credits, f.first_approved_by, f.first_approved_at, f.first_mac
      from ${sql.table(from)} f join deposit d on d.id = ${sql.ref(from === 'deposit' ? 'f.id' : 'f.deposit_id')}
      where f.id > ${after} and f.first_approved_by is not null order by f.id limit ${BATCH}`.execute(db)
    return rows.map((row) => ({ id: row.id, name: row.public_id, isValid: hasNoForgedFirstApproval(keys, row) }))
  }
  return [
    await auditRows(
      { invariant: 'I8', title: 'each deposit awaiting a second approval was first approved by the person that it names' },
      (after) => approvalsOf('deposit', after),
    ),
    await auditRows(
      { invariant: 'I8', title: 'each deposit that two people decided was first approved by the person that it names' },
      (after) => approvalsOf('deposit_decision', after),
    ),
  ]
}
