import { memberByEmail } from '../../modules/members/index.ts'
import type { StaffActor } from '../../modules/staff/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Db } from '../../platform/database.ts'
import { BadUsage, needed } from './arguments.ts'

const COMMAND_LINE = 'command line'

/**
 * The member of staff who types.
 * @param email `--as`
 * @param always whether the command cannot do without
 * @throws BadUsage when it is missing or nobody of the staff has the address
 */
export async function readActor(db: Db, email: string | undefined, always: boolean): Promise<StaffActor | null> {
  if (email === undefined && !always) return null
  const member = await memberByEmail(db, needed(email, '--as STAFF_EMAIL').toLowerCase())
  if (member === undefined || !member.is_active || (member.role !== 'ADMIN' && member.role !== 'SUPPORT')) {
    throw new BadUsage(`--as ${email ?? ''}: nobody of the staff has this address.`)
  }
  return { memberId: member.id, role: member.role, requestId: COMMAND_LINE }
}

/**
 * The id on the wire of a member.
 * @throws AppError USER_NOT_FOUND
 */
export async function memberIdOf(db: Db, email: string | undefined): Promise<string> {
  const member = await memberByEmail(db, needed(email, 'EMAIL').toLowerCase())
  if (member === undefined) throw new AppError('USER_NOT_FOUND')
  return member.public_id
}
