import { type RawBuilder, sql } from 'kysely'
import { eraseAuditValues, recordAudit } from '../../audit/index.ts'
import { hashPassword } from '../../auth/index.ts'
import { ERASED_NAME, erasedEmail, eraseMember, type Member } from '../../members/index.ts'
import { eraseProposals } from '../../staff/index.ts'
import { eraseAddresses } from '../../withdrawals/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { replaceWhole } from '../../../platform/runtime/replace-whole.ts'

/** Maximum number of closed cases that the audit entry of an erasure names, the newest first. */
const MAX_CASES = 20

/** Tables whose rows about a member are deleted, in an order that their references allow. */
const DELETED = [
  'notice',
  'notification_event',
  'notification_choice',
  'account_recovery',
  'email_change',
  'mail_code',
  'mail_link',
  'passkey_challenge',
  'passkey',
  'second_factor',
  'member_view',
  'api_key',
  'session',
  'known_device',
  'calendar_link',
  'import_history',
  'terms_of_use_mail',
  'payee_name',
  'unconfirmed_transfer',
  // Also the comparison that the change of the name queued.
  'screening_task',
  'screening_hit',
  'idempotency',
] as const

/** SQL: the objects of members that audit rows and proposals name. */
export const OBJECTS = ['ticket', 'deposit', 'payout_request', 'payout_address', 'payment_return', 'coin_purchase', 'stake', 'nft_purchase']
  .map((table) => `select public_id, member_id from ${table}`)
  .join(' union all ')

/**
 * Erases the personal data of a closed account (docs/decisions/0064-erasing-personal-data.md). The ledger, the team and the decisions of
 * staff keep their ids and amounts. The caller has locked the member and checked the obstacles.
 */
export async function eraseAccount(tx: Tx, deps: Deps, member: Member): Promise<void> {
  const { id, public_id: publicId } = member
  const at = deps.clock.now()
  const changes = await tx.selectFrom('email_change').select(['email', 'previous_email']).where('member_id', '=', id).execute()
  const emails = [...new Set([member.email, ...changes.flatMap((row) => [row.email, row.previous_email])])]
  const ids = await objectsOf(tx, id)
  const links = await tx
    .selectFrom('linked_account')
    .select('id')
    .where((row) => row.or([row('member_id', '=', id), row('upline_id', '=', id)]))
    .execute()
  // First, because the triggers of append-only tables allow the erasure of an erased member's rows only.
  await eraseMember(tx, { id, at, passwordHash: await hashPassword(deps.ids.secret()) })
  const addresses = await eraseAddresses(tx, deps.config, id)
  const texts = new Map([...addresses, ...emails.map((email) => [email, erasedEmail(id)] as const)])
  for (const text of [member.name, member.phone]) if (text !== '') texts.set(text, ERASED_NAME)
  const proposals = await eraseProposals(tx, deps.config, { ids: [publicId, ...ids], emails, erasedEmail: erasedEmail(id), texts })
  const numbered = [{ type: 'member', id }, ...links.map((link) => ({ type: 'linked_account', id: link.id }))]
  await eraseAuditValues(tx, { memberId: id, ids: [publicId, ...ids, ...proposals], numbered })
  const images = await tx
    .selectFrom('ticket_message as m')
    .innerJoin('ticket as t', 't.id', 'm.ticket_id')
    .select('m.image_id')
    .where('t.member_id', '=', id)
    .execute()
  // The pictures that staff sent are in the same tickets.
  const pictures = images.flatMap((row) => (row.image_id === null ? [] : [row.image_id]))
  for (const statement of statements({ id, emails, pictures, at })) await statement.execute(tx)
  await eraseIncidents(tx, member, emails)
  await recordAudit(tx, {
    at,
    actorId: null,
    actorRole: 'SYSTEM',
    action: 'auth.account-erased',
    subject: { type: 'member', id: publicId },
    outcome: 'ok',
    detail: await closedCases(tx, id),
  })
}

/** Names the closed cases about an account, because one person can close a case, and an open one prevents the erasure. */
async function closedCases(tx: Tx, memberId: bigint): Promise<Record<string, unknown>> {
  const rows = await tx
    .selectFrom('staff_case as c')
    .innerJoin('member as m', 'm.id', 'c.closed_by')
    .select(['c.public_id as case', 'c.outcome', 'm.public_id as closedBy'])
    .where('c.member_id', '=', memberId)
    .orderBy('c.id', 'desc')
    .limit(MAX_CASES)
    .execute()
  return rows.length === 0 ? {} : { cases: rows }
}

/**
 * Replaces a person's addresses and name in ended incidents that are about this person. An incident with the name alone may be about
 * another person, or the name may be a word of the text.
 */
async function eraseIncidents(tx: Tx, { public_id: publicId, name }: Member, emails: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; text: string }>`select public_id as id, text from staff_incident where ended_at is not null
    and exists (select from unnest(${[publicId, ...emails]}::text[]) t (part) where position(t.part in text) > 0)`.execute(tx)
  for (const { id, text } of rows) {
    const isNamed = text.includes(publicId)
    const without = emails.reduce((rest, email) => replaceWhole(rest, email, ERASED_NAME), text)
    if (!isNamed && without === text) continue
    const erased = name === '' ? without : replaceWhole(without, name, ERASED_NAME)
    await tx.updateTable('staff_incident').set({ text: erased }).where('public_id', '=', id).execute()
  }
}

/** Lists the public ids of a member's objects. */
async function objectsOf(tx: Tx, id: bigint): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select public_id as id from (${sql.raw(OBJECTS)}) o where member_id = ${id}`.execute(tx)
  return rows.map((row) => row.id)
}

function statements({
  id,
  emails,
  pictures,
  at,
}: {
  id: bigint
  emails: string[]
  pictures: string[]
  at: Date
}): readonly RawBuilder<unknown>[] {
  const tickets = sql`(select id from ticket where member_id = ${id})`
  const addressed = (table: string, column: string) =>
    sql`delete from ${sql.table(table)} where ${sql.ref(column)} = any(${emails}::text[])`
  return [
    sql`update ticket_message set message = '', image_id = null, receipts = '[]' where ticket_id in ${tickets}`,
    sql`update ticket set title = '', description = '', image_id = null, tags = '{}' where member_id = ${id}`,
    sql`delete from ticket_image where member_id = ${id} or id = any(${pictures}::text[])`,
    sql`update staff_case set title = 'Erased', reason = 'Erased', outcome_reason = case when closed_at is not null then 'Erased' end
      where member_id = ${id}`,
    sql`delete from staff_note where member_id = ${id} or ticket_id in ${tickets}`,
    sql`update linked_account set review_reason = '' where (member_id = ${id} or upline_id = ${id}) and review_reason is not null`,
    // Without the rows, the audit rows about an address would belong to nobody.
    sql`update payout_address set address = '', address_key = '', label = '', challenge = null, challenge_at = null,
      removed_at = coalesce(removed_at, ${at}) where member_id = ${id}`,
    sql`update payout_request set reason = 'Erased' where member_id = ${id} and reason is not null`,
    sql`update deposit_decision set reason = 'Erased' where deposit_id in (select id from deposit where member_id = ${id})`,
    sql`delete from refresh_token where session_id in (select id from session where member_id = ${id})`,
    ...DELETED.map((table) => sql`delete from ${sql.table(table)} where member_id = ${id}`),
    sql`delete from payee_name where receiver_id = ${id}`,
    sql`delete from background_job where owner_id = ${id}`,
    addressed('mail_outbox', 'recipient'),
    addressed('reset_request', 'email'),
    addressed('registration_attempt', 'email'),
  ]
}
