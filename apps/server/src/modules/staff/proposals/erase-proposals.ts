import { sql } from 'kysely'
import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { replaceWhole } from '../../../platform/runtime/replace-whole.ts'
import { proposalMac, verifyProposalMac } from './proposal-mac.ts'

/** Text in place of a reason about an erased person. */
const ERASED = 'Erased'

/** Shortest text that is also replaced inside longer strings. Shorter ones, such as a first name, may be part of other words. */
const MIN_PART_LENGTH = 5

/**
 * Erases the personal texts of decided proposals about a person: reasons, and contact details in the values. Amounts and ids stay, because
 * the audit compares them with the ledger. Computes the MACs again where the earlier one was valid.
 * @param input public ids of the person and the person's objects, email addresses, their replacement, and all texts with replacements
 * @returns the public ids of these proposals
 */
export async function eraseProposals(
  tx: Tx,
  keys: DataKeys,
  { ids, emails, erasedEmail, texts }: { ids: string[]; emails: string[]; erasedEmail: string; texts: ReadonlyMap<string, string> },
): Promise<string[]> {
  const found = await tx
    .selectFrom('staff_proposal')
    .selectAll()
    .where('status', '<>', 'PENDING')
    .where(
      sql<boolean>`(exists (select from jsonb_path_query(value, '$.** ? (@.type() == "string")') t where t #>> '{}' = any(${ids}::text[]))
        or exists (select from unnest(${emails}::text[]) e (email) where position(e.email in value::text || base::text) > 0))`,
    )
    .execute()
  const named = new Set(ids)
  // The database finds an address inside a longer one too, which belongs to another person.
  const rows = found.filter(({ value, base }) =>
    stringsIn([value, base]).some((text) => named.has(text) || emails.some((email) => replaceWhole(text, email, '') !== text)),
  )
  for (const row of rows) {
    const all = new Map(texts)
    // A recovery names an address that the account need not have had.
    const newEmail = (row.value as { newEmail?: unknown }).newEmail
    if (typeof newEmail === 'string') all.set(newEmail, erasedEmail)
    const [value, base] = [replaceTexts(row.value, all), replaceTexts(row.base, all)]
    const after = { ...row, value, base, reason: ERASED }
    await tx
      .updateTable('staff_proposal')
      .set({
        value: JSON.stringify(value),
        base: JSON.stringify(base),
        reason: ERASED,
        decision_reason: row.decision_reason === null ? null : ERASED,
        end_reason: row.end_reason === null ? null : ERASED,
        proposer_mac: verifyProposalMac(keys, row) ? proposalMac(keys, after) : row.proposer_mac,
      })
      .where('id', '=', row.id)
      .execute()
  }
  return rows.map((row) => row.public_id)
}

/** Returns all strings of a JSON value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Replaces texts in the strings of a JSON value. */
function replaceTexts(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return [...texts].reduce((text, [old, other]) => {
      if (text === old) return other
      return old.length < MIN_PART_LENGTH ? text : replaceWhole(text, old, other)
    }, value)
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, texts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceTexts(item, texts)]))
}
