import { email as emailSchema } from '@tizara/contract'
import * as v from 'valibot'
import { createDeps } from '../../main/deps.ts'
import { openConfigured } from '../../main/open-database.ts'
import { confirmRestoredStaff } from '../../modules/staff/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { readClock } from '../../platform/db/follow-clock.ts'
import { BadUsage, CommandError } from './errors.ts'

/**
 * Confirms staff whose rights a restore without the access journal suspended. Requires the shell and the database.
 * @throws CommandError for an address without such a suspension, or if two admins can lift it in the console
 */
export async function confirmStaff(addresses: readonly string[]): Promise<string[]> {
  const read = v.safeParse(v.pipe(v.array(emailSchema), v.minLength(1)), addresses)
  if (!read.success) throw new BadUsage('confirm-staff EMAIL … takes the e-mail addresses of the staff.')
  const deps = createDeps()
  const database = await openConfigured(deps.config)
  try {
    await readClock(database.db)
    await inTransaction(database.db, (tx) => confirmRestoredStaff(tx, deps, read.output)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      throw new CommandError(
        error.code === 'FOUR_EYES'
          ? 'Two admins have their rights: they lift the other suspensions in the console.'
          : 'No staff member was confirmed: one of these addresses has no suspension after a restore.',
      )
    })
  } finally {
    await database.close()
  }
  return ['Confirmed. All staff get a mail about it.']
}
