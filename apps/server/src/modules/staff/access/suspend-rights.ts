import { enqueueMails, mailTime } from '../../../gateways/mailer/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { revokeSessionsOf } from '../../auth/index.ts'
import { type Member, setSuspension } from '../../members/index.ts'
import { mailAdmins } from './mail-admins.ts'
import { SUSPENSION_MS } from './suspension.rules.ts'

/**
 * Suspends a staff member's rights for an hour and ends all sessions of this person. Mails the person and all admins. Moves no money. The
 * person keeps the role, and so still counts in rules that require a second person.
 * @param holder the locked row of the person
 */
export async function suspendRights(tx: Tx, deps: Deps, holder: Member, reason: string): Promise<void> {
  const at = deps.clock.now()
  const until = new Date(at.getTime() + SUSPENSION_MS)
  await setSuspension(tx, { id: holder.id, until, at })
  await revokeSessionsOf(tx, holder.id, 'suspended', at)
  const sentence = `On ${mailTime(at)} the staff rights of ${holder.email} were suspended until ${mailTime(until)}: "${reason}".`
  const lines = ['If you did not expect this, ask your colleagues at once, but not by this mail address.']
  const data = { name: holder.name, title: 'your staff rights are suspended', lines: [sentence, ...lines] }
  if (holder.role !== 'ADMIN') await enqueueMails(tx, deps, [{ to: holder.email, template: 'notice', data }])
  await mailAdmins(tx, deps, 'staff rights suspended', [sentence, ...lines])
}
