import { sql } from 'kysely'
import { enqueueMails, mailTime } from '../../../gateways/mailer/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { type Member, memberByEmail, staffMembers } from '../../members/index.ts'
import { confirmPair, isLinkedPair } from '../duties/staff-links.ts'

/** Audit action of a confirmation at the command line. */
const CONFIRMED_BY_OPERATOR = 'staff.separate-people.operator'

/**
 * Confirms a linked pair for the operator at the command line, while fewer than two other admins can. Leaves an audit entry
 * and mails all staff.
 * @throws AppError NOT_FOUND for a pair that is not linked, FOUR_EYES if two other admins can decide
 */
export async function confirmPeopleAsOperator(tx: Tx, deps: Deps, emails: readonly [string, string]): Promise<void> {
  const [one, other] = [await memberByEmail(tx, emails[0]), await memberByEmail(tx, emails[1])]
  if (one === undefined || other === undefined || !(await isLinkedPair(tx, one.id, other.id))) throw new AppError('NOT_FOUND')
  const { rows } = await sql`select from member where role = 'ADMIN' and is_active and is_verified
    and id not in (${one.id}, ${other.id}) limit 2`.execute(tx)
  if (rows.length > 1) throw new AppError('FOUR_EYES')
  const at = deps.clock.now()
  await confirmPair(tx, one.id, other.id, at)
  await mailAllStaff(tx, deps, [
    `On ${mailTime(at)} the operator confirmed at the command line that ${one.email} and ${other.email} are two people.`,
    'They shared a network before one of them had a role. If you did not expect this, ask the operator at once.',
  ])
  const subject = { type: 'member', id: one.public_id }
  const detail = { other: other.public_id }
  await recordAudit(tx, { at, actorId: null, actorRole: 'SYSTEM', action: CONFIRMED_BY_OPERATOR, subject, outcome: 'ok', detail })
}

async function mailAllStaff(tx: Tx, deps: Deps, lines: string[]): Promise<void> {
  const staff: readonly Member[] = (await staffMembers(tx)).filter((one) => one.is_active)
  const mails = staff.map(({ email: to, name }) => ({
    to,
    template: 'notice' as const,
    data: { name, title: 'two staff accounts confirmed', lines },
  }))
  if (mails.length > 0) await enqueueMails(tx, deps, mails)
}
