import { enqueueMails } from '../../gateways/mailer/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'

/** Writes a notice to every admin who can act on it. */
export async function mailAdmins(tx: Tx, deps: Deps, title: string, lines: readonly string[]): Promise<void> {
  const admins = await tx
    .selectFrom('member')
    .select(['email', 'name'])
    .where('role', '=', 'ADMIN')
    .where('is_active', '=', true)
    .where('is_verified', '=', true)
    .execute()
  const mails = admins.map(({ email, name }) => ({ to: email, template: 'notice' as const, data: { name, title, lines: [...lines] } }))
  if (mails.length > 0) await enqueueMails(tx, deps, mails)
}
