import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { type Member, memberById } from '../members/index.ts'
import { passwordMatches } from './password-hash.ts'
import { countTry, forgetFailures, oneAtATime } from './sign-in-limit.ts'

/**
 * Asks a signed-in member for the current password again (ASVS 7.5.1). Wrong ones count like failed sign-ins.
 * @returns the member
 * @throws AppError CURRENT_PASSWORD_WRONG, TOO_MANY_REQUESTS
 */
export async function assertOwnPassword(db: Db, deps: Deps, input: { memberId: bigint; password: string }): Promise<Member> {
  const member = await memberById(db, input.memberId)
  if (member === undefined) throw new AppError('UNAUTHENTICATED')
  return oneAtATime(member.email, async () => {
    await countTry(db, member.email, deps.clock.now())
    if (!(await passwordMatches(member.password_hash, input.password))) throw new AppError('CURRENT_PASSWORD_WRONG')
    await forgetFailures(db, member.email)
    return member
  })
}
