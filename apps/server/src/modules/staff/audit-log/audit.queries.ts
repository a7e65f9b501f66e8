import type { QueryOf } from '@tizara/contract'
import type { staffAudit } from '@tizara/contract/staff'
import { sql } from 'kysely'
import type { Units } from '@tizara/money'
import type { Db } from '../../../platform/db/database.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { estimateAudit, listAudit } from '../../audit/index.ts'
import { roundedAmount } from '../access/rounded-amount.ts'
import { omitUndefined } from '../access/omit-undefined.ts'
import { describeMemberAction } from './describe-member-action.ts'
import { describeStaffAction } from '../access/describe-staff-action.ts'

type AuditQuery = QueryOf<typeof staffAudit>

const searchOf = (query: AuditQuery) => ({ text: query.q ?? '', pageRange: readPageRange(query), who: query.who, kind: query.kind })

/** Estimates the number of audit entries of a query. */
export const estimateAuditOf = (db: Db, query: AuditQuery): Promise<number> => estimateAudit(db, searchOf(query))

/** Lists audit entries with actor, time and reason, newest first [I17]. */
export async function readAudit(db: Db, query: AuditQuery) {
  const search = searchOf(query)
  const { pageRange } = search
  const before = query.before === undefined ? undefined : BigInt(query.before)
  const { rows, total, searchedTo } = await listAudit(db, { ...search, before })
  const names = await namesOf(db, rows)
  const data = rows.map((row) => ({
    id: String(row.id),
    createdAt: row.at,
    actor: row.email ?? row.actor_role,
    name: row.name,
    role: row.actor_role,
    outcome: row.outcome,
    ip: row.ip,
    requestId: row.request_id,
    hash: row.hash,
    previousHash: row.previous_hash,
    action: row.action,
    text: describeAction(row.action),
    subject: [row.subject_type, row.subject_id].filter((part) => part !== null).join(' '),
    ...omitUndefined({ about: row.subject_type === 'page' ? pageName(row.subject_id ?? '') : names.get(keyOf(row)) }),
    reason: row.reason,
    details: { outcome: row.outcome, role: row.actor_role, detail: row.detail },
  }))
  return {
    data,
    meta: { total, page: pageRange.page, limit: pageRange.limit },
    ...omitUndefined({ searchedTo: searchedTo && { id: String(searchedTo.id), at: searchedTo.at } }),
  }
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Describes an action without its outcome: `Closed the case`. */
const describeAction = (action: string): string =>
  capitalized((action.startsWith('staff.') ? describeStaffAction : describeMemberAction)({ action, outcome: 'ok' }))

/** Names a viewed page after its call: `Linked accounts` for `staffLinkedAccounts`. Calls name a proposal a change. */
const pageName = (call: string): string =>
  capitalized(
    call
      .replace(/^staff/, '')
      .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .trim()
      .replace('change', 'proposal'),
  )

/** Payout subject types in the audit log: for staff actions, and for the member's. */
const PAYOUTS = ['withdrawals', 'bridges', 'payout_request']

interface About {
  subject_type: string | null
  subject_id: string | null
}
const keyOf = (row: About) => `${row.subject_type} ${row.subject_id}`

/** Names subjects: members by name, payouts by amount and member. */
async function namesOf(db: Db, rows: readonly About[]): Promise<Map<string, string>> {
  const ids = (...types: string[]) =>
    rows.flatMap(({ subject_type: type, subject_id: id }) => (type !== null && id !== null && types.includes(type) ? [id] : []))
  const [people, payouts] = [ids('member'), ids(...PAYOUTS)]
  const names = new Map<string, string>()
  if (people.length > 0) {
    const numbers = people.filter((id) => /^\d{1,18}$/.test(id))
    const found = await sql<{ id: string; number: string; name: string }>`
      select public_id as id, id::text as number, name from member
      where public_id = any (${people}::text[]) or id = any (${numbers}::bigint[])`.execute(db)
    for (const { id, number, name } of found.rows) {
      names.set(`member ${id}`, name)
      names.set(`member ${number}`, name)
    }
  }
  if (payouts.length > 0) {
    const found = await sql<{ id: string; kind: string; amount: Units; name: string }>`
      select p.public_id as id, p.kind, p.amount, m.name from payout_request p join member m on m.id = p.member_id
      where p.public_id = any (${payouts}::text[])`.execute(db)
    for (const { id, kind, amount, name } of found.rows) {
      const description = `${kind === 'bridge' ? `bridge ${roundedAmount(amount)} coin` : `${kind === 'transfer' ? 'transfer' : 'payout'} ${roundedAmount(amount)} USD`}, ${name}`
      for (const type of PAYOUTS) names.set(`${type} ${id}`, description)
    }
  }
  return names
}
