import { enqueueMails, mailTime } from '../../../gateways/mailer/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/**
 * Mails a notice to every active and verified admin.
 * @param others further addresses
 */
export async function mailAdmins(
  tx: Tx,
  deps: Deps,
  title: string,
  lines: readonly string[],
  others: readonly string[] = [],
): Promise<void> {
  const admins = await tx
    .selectFrom('member')
    .select(['email', 'name'])
    .where('role', '=', 'ADMIN')
    .where('is_active', '=', true)
    .where('is_verified', '=', true)
    .execute()
  const known = new Set(admins.map(({ email }) => email))
  const people = [...admins, ...others.filter((email) => !known.has(email)).map((email) => ({ email, name: '' }))]
  const mails = people.map(({ email, name }) => ({ to: email, template: 'notice' as const, data: { name, title, lines: [...lines] } }))
  if (mails.length > 0) await enqueueMails(tx, deps, mails)
}

/** Mails a person who lost staff rights, so that the loss is noticed. */
export async function mailRoleRemoval(tx: Tx, deps: Deps, { email, name }: { email: string; name: string }, change: string): Promise<void> {
  const lines = [
    `On ${mailTime(deps.clock.now())} you lost your staff rights: your account ${change}.`,
    'If you did not expect this, ask your colleagues at once, but not by this mail address.',
  ]
  await enqueueMails(tx, deps, [{ to: email, template: 'notice', data: { name, title: 'your staff role was removed', lines } }])
}
