import { email as emailSchema } from '@tizara/contract'
import * as v from 'valibot'
import { grantRole } from '../../modules/staff/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { readClock } from '../../platform/db/follow-clock.ts'
import { typed } from '../../platform/runtime/release.ts'
import { createDeps } from '../../main/deps.ts'
import { openConfigured } from '../../main/open-database.ts'
import { BadUsage, CommandError } from './errors.ts'

/**
 * Appoints the first admin of a platform that never had staff. Requires the shell and the database.
 * @throws CommandError if there has ever been a staff member
 */
export async function appointFirst(address: string | undefined): Promise<string[]> {
  const read = v.safeParse(emailSchema, address)
  if (!read.success) throw new BadUsage('first-admin EMAIL requires an email address.')
  const grant = { email: read.output, name: read.output, phone: '', role: 'ADMIN' as const }
  const deps = createDeps()
  const database = await openConfigured(deps.config)
  try {
    await readClock(database.db)
    await inTransaction(database.db, (tx) => grantRole(tx, deps, null, grant, 'first admin')).catch((error: unknown) => {
      const hasStaff = error instanceof AppError && error.code === 'STAFF_ONLY'
      // Shows the reason, which the API hides from members, because a user of this shell may know it.
      throw hasStaff ? new CommandError(`This platform has or had staff. An admin grants roles: ${typed('staff grant-role')}`) : error
    })
  } finally {
    await database.close()
  }
  return [`${read.output} is now ADMIN. A new account gets a mail with a link to set its password.`]
}
