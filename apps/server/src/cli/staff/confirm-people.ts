import { email as emailSchema } from '@tizara/contract'
import * as v from 'valibot'
import { createDeps } from '../../main/deps.ts'
import { openConfigured } from '../../main/open-database.ts'
import { confirmPeopleAsOperator } from '../../modules/staff/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { readClock } from '../../platform/db/follow-clock.ts'
import { BadUsage, CommandError } from './errors.ts'

/**
 * Confirms that two linked staff accounts belong to two people. Requires the shell and the database.
 * @throws CommandError if the pair is not linked, or if two other admins can confirm it in the console
 */
export async function confirmPeople(addresses: readonly string[]): Promise<string[]> {
  const read = v.safeParse(v.tuple([emailSchema, emailSchema]), addresses)
  if (!read.success) throw new BadUsage('confirm-people EMAIL EMAIL takes two e-mail addresses.')
  const deps = createDeps()
  const database = await openConfigured(deps.config)
  try {
    await readClock(database.db)
    await inTransaction(database.db, (tx) => confirmPeopleAsOperator(tx, deps, read.output)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      throw new CommandError(
        error.code === 'FOUR_EYES' ? 'Two other admins can confirm this in the console.' : 'These two accounts are not linked.',
      )
    })
  } finally {
    await database.close()
  }
  return ['Confirmed. All staff get a mail about it.']
}
