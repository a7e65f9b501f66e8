import { email as emailSchema } from '@tizara/contract'
import * as v from 'valibot'
import { grantRole } from '../../modules/staff/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { typed } from '../../platform/runtime/release.ts'
import { createDeps } from '../../main/deps.ts'
import { openConfigured } from '../../main/open-database.ts'
import { BadUsage, Refused } from './refused.ts'

/**
 * Makes the first admin of a house that never had anybody on its staff. It needs the shell and the database, which is all
 * the power that there is before there are people.
 * @throws Refused once there ever was somebody
 */
export async function appointFirst(address: string | undefined): Promise<string[]> {
  const read = v.safeParse(emailSchema, address)
  if (!read.success) throw new BadUsage('first-admin EMAIL takes an e-mail address.')
  const grant = { email: read.output, name: read.output, phone: '', role: 'ADMIN' as const }
  const deps = createDeps()
  const database = await openConfigured(deps.config)
  try {
    await inTransaction(database.db, (tx) => grantRole(tx, deps, null, grant, 'first admin')).catch((error: unknown) => {
      const staffed = error instanceof AppError && error.code === 'STAFF_ONLY'
      // To members staff routes do not exist; whoever has this shell may know why.
      throw staffed ? new Refused(`This house has or had a staff: an admin gives roles, ${typed('staff grant-role')}`) : error
    })
  } finally {
    await database.close()
  }
  return [`${read.output} is ADMIN now. A new account sets its password through the mailed link.`]
}
