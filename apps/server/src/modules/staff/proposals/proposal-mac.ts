import type { Selectable } from 'kysely'
import { type AuditResult, auditRows } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { isFirstApproval, macOfFirstApproval } from '../../../platform/db/first-approval.ts'
import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../../platform/crypto/encrypted-column.ts'
import { canonicalJson } from '../../../platform/crypto/row-mac.ts'
import type { StaffProposalTable } from '../../../platform/db/tables.generated.ts'

/** Column with the MAC over a proposal and its proposer. */
export const proposalMacs: EncryptedColumn = { table: 'staff_proposal', key: 'id', column: 'proposer_mac', purpose: 'proposals' }

type ProposalMacFields = Pick<
  Selectable<StaffProposalTable>,
  'public_id' | 'subject' | 'reason' | 'proposed_by' | 'created_at' | 'starts_at' | 'simulation'
> & { value: unknown; base: unknown }

const macFields = (row: ProposalMacFields) => [
  row.public_id,
  row.subject,
  canonicalJson(row.value),
  canonicalJson(row.base),
  row.reason,
  row.starts_at?.toISOString() ?? null,
  row.simulation,
]
const proposerOf = (row: ProposalMacFields) => ({ by: row.proposed_by, at: row.created_at })

/** Computes the MAC over a proposal and its proposer, so that a row inserted by SQL cannot be approved. */
export const proposalMac = (keys: DataKeys, row: ProposalMacFields): Buffer =>
  macOfFirstApproval(keys, proposalMacs, proposerOf(row), macFields(row))

/** Returns true if the person in the row made this proposal. */
export const verifyProposalMac = (keys: DataKeys, row: ProposalMacFields & { proposer_mac: Buffer }): boolean =>
  isFirstApproval(keys, proposalMacs, row.proposer_mac, proposerOf(row), macFields(row))

const BATCH = 500

/** Checks all proposals for `ledger:audit`. A query cannot do this, because the database has no key. */
export const auditProposals = async (db: Db, keys: DataKeys): Promise<AuditResult[]> => [
  await auditRows({ invariant: 'I17', title: 'each proposal is as its author proposed it' }, async (after) => {
    const rows = await db.selectFrom('staff_proposal').selectAll().where('id', '>', after).orderBy('id').limit(BATCH).execute()
    return rows.map((row) => ({ id: row.id, name: row.public_id, isValid: verifyProposalMac(keys, row) }))
  }),
]
