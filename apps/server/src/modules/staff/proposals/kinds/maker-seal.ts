import type { Selectable } from 'kysely'
import { type AuditResult, auditRows } from '../../../../ledger/index.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { isFirstApproval, macOfFirstApproval } from '../../../../platform/db/first-approval.ts'
import type { DataKeys } from '../../../../platform/crypto/seal.ts'
import type { SealedColumn } from '../../../../platform/crypto/sealed-column.ts'
import type { StaffChangeTable } from '../../../../platform/db/tables.generated.ts'

/** Who proposed a change, and which. */
export const sealedProposals: SealedColumn = { table: 'staff_change', key: 'id', column: 'maker_seal', purpose: 'proposals' }

type Proposed = Pick<
  Selectable<StaffChangeTable>,
  'public_id' | 'subject' | 'reason' | 'proposed_by' | 'created_at' | 'starts_at' | 'simulation'
> & { value: unknown; base: unknown }

/** JSON with its keys in order: the database keeps them in one of its own. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )

const factsOf = (row: Proposed) => [
  row.public_id,
  row.subject,
  inOrder(row.value),
  inOrder(row.base),
  row.reason,
  row.starts_at?.toISOString() ?? null,
  row.simulation,
]
const makerOf = (row: Proposed) => ({ by: row.proposed_by, at: row.created_at })

/** Stands for what somebody proposed: nobody is the second person to a proposal that nobody made. */
export const makerSeal = (keys: DataKeys, row: Proposed): Buffer => macOfFirstApproval(keys, sealedProposals, makerOf(row), factsOf(row))

/** Whether the person whom a change names proposed it as it stands. */
export const isMakers = (keys: DataKeys, row: Proposed & { maker_seal: Buffer }): boolean =>
  isFirstApproval(keys, sealedProposals, row.maker_seal, makerOf(row), factsOf(row))

const BATCH = 500

/** What `ledger:audit` checks about proposals: no query can, as the database has no key. */
export const auditProposals = async (db: Db, keys: DataKeys): Promise<AuditResult[]> => [
  await auditRows({ invariant: 'I17', title: 'each change is what the person whom it names proposed' }, async (after) => {
    const rows = await db.selectFrom('staff_change').selectAll().where('id', '>', after).orderBy('id').limit(BATCH).execute()
    return rows.map((row) => ({ id: row.id, name: row.public_id, holds: isMakers(keys, row) }))
  }),
]
