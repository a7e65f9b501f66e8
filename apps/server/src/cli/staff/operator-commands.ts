import { email as emailSchema, type ErrorCode } from '@tizara/contract'
import * as v from 'valibot'
import { createDeps } from '../../main/deps.ts'
import { openConfigured } from '../../main/open-database.ts'
import { confirmPeopleAsOperator, confirmRestoredStaff, grantRole, recordRejectedCommand } from '../../modules/staff/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { readClock } from '../../platform/db/follow-clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { shellCommand } from '../../platform/runtime/release.ts'
import { BadUsage, CommandError } from './errors.ts'

/** Commands of the operator, who has the shell and the database. */

const CONFIRMED = ['Confirmed. All staff get a mail about it.']

/**
 * Appoints the first admin of a platform that never had staff.
 * @throws CommandError if there has ever been a staff member
 */
export async function appointFirstAdmin(address: string | undefined): Promise<string[]> {
  const email = read(emailSchema, address, 'first-admin EMAIL requires an email address.')
  const grant = { email, name: email, phone: '', role: 'ADMIN' as const }
  // Shows the reason, which the API hides from members, because a user of this shell may know it.
  const explain = (code: ErrorCode) =>
    code === 'STAFF_ONLY' ? `This platform has or had staff. An admin grants roles: ${shellCommand('staff grant-role')}` : undefined
  await onDatabase('staff.first-admin.operator', (tx, deps) => grantRole(tx, deps, null, grant, 'first admin'), explain)
  return [`${email} is now ADMIN. A new account gets a mail with a link to set its password.`]
}

/**
 * Confirms that two linked staff accounts belong to two people.
 * @throws CommandError if the pair is not linked, or if two other admins can confirm it in the console
 */
export async function confirmPeople(addresses: readonly string[]): Promise<string[]> {
  const pair = read(v.tuple([emailSchema, emailSchema]), addresses, 'confirm-people EMAIL EMAIL takes two e-mail addresses.')
  await onDatabase(
    'staff.separate-people.operator',
    (tx, deps) => confirmPeopleAsOperator(tx, deps, pair),
    (code) => (code === 'FOUR_EYES' ? 'Two other admins can confirm this in the console.' : 'These two accounts are not linked.'),
  )
  return CONFIRMED
}

/**
 * Confirms staff whose rights a restore without the access journal suspended.
 * @throws CommandError for an address without such a suspension, or if two admins can lift it in the console
 */
export async function confirmStaff(addresses: readonly string[]): Promise<string[]> {
  const staff = v.pipe(v.array(emailSchema), v.minLength(1))
  const emails = read(staff, addresses, 'confirm-staff EMAIL … takes the e-mail addresses of the staff.')
  await onDatabase(
    'staff.confirm-restored.operator',
    (tx, deps) => confirmRestoredStaff(tx, deps, emails),
    (code) =>
      code === 'FOUR_EYES'
        ? 'Two admins have their rights: they lift the other suspensions in the console.'
        : 'No staff member was confirmed: one of these addresses has no suspension after a restore.',
  )
  return CONFIRMED
}

function read<T>(schema: v.GenericSchema<unknown, T>, input: unknown, usage: string): T {
  const parsed = v.safeParse(schema, input)
  if (!parsed.success) throw new BadUsage(usage)
  return parsed.output
}

/**
 * Runs a use case on the configured database, and records its refusal under the action.
 * @throws CommandError with the text of `explain` for an AppError that it explains
 */
async function onDatabase(
  action: Parameters<typeof recordRejectedCommand>[2],
  run: (tx: Tx, deps: Deps) => Promise<unknown>,
  explain: (code: ErrorCode) => string | undefined,
): Promise<void> {
  const deps = createDeps()
  const database = await openConfigured(deps.config)
  try {
    await readClock(database.db)
    await inTransaction(database.db, (tx) => run(tx, deps))
  } catch (error) {
    await recordRejectedCommand(database.db, deps, action, error)
    const text = error instanceof AppError ? explain(error.code) : undefined
    throw text === undefined ? error : new CommandError(text)
  } finally {
    await database.close()
  }
}
