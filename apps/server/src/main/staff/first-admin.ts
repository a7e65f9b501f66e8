import { email as emailSchema } from '@tizara/contract'
import * as v from 'valibot'
import { grantRole } from '../../modules/staff/index.ts'
import { inTransaction } from '../../platform/database.ts'
import { createDeps } from '../deps.ts'
import { openConfigured } from '../open-database.ts'
import { BadUsage } from './refused.ts'

/**
 * Makes the first admin of a house that never had anybody on its staff. It needs the shell and the database, which is all
 * the power that there is before there are people.
 * @throws AppError STAFF_ONLY once there ever was somebody
 */
export async function appointFirst(address: string | undefined): Promise<string[]> {
  const read = v.safeParse(emailSchema, address)
  if (!read.success) throw new BadUsage('first-admin EMAIL takes an e-mail address.')
  const grant = { email: read.output, name: read.output, phone: '', role: 'ADMIN' as const }
  const deps = createDeps()
  const database = await openConfigured(deps.config)
  try {
    await inTransaction(database.db, (tx) => grantRole(tx, deps, null, grant, 'first admin'))
  } finally {
    await database.close()
  }
  return [`${read.output} is ADMIN now. A new account sets its password through the mailed link.`]
}
