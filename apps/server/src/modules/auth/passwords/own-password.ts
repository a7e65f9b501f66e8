import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type Member, memberById } from '../../members/index.ts'
import { recordRejectedProof } from '../audit-auth.ts'
import { passwordMatches } from './password-hash.ts'
import { clearAttempts, oneAtATime, registerAttempt, sessionBudget } from '../sign-in-limit.ts'
import type { Holder } from '../sessions/in-session.ts'
import type { Origin } from '../sessions/sessions.ts'

/**
 * Requires the current password of a signed-in member (ASVS 7.5.1). Failures count only for this session, so that one session cannot block
 * another. A refusal is recorded [I17].
 * @returns the member
 * @throws AppError CURRENT_PASSWORD_WRONG, TOO_MANY_REQUESTS, BUSY
 */
export async function assertOwnPassword(db: Db, deps: Deps, input: Holder & { password: string }, origin: Origin): Promise<Member> {
  const member = await memberById(db, input.memberId)
  if (member === undefined) throw new AppError('UNAUTHENTICATED')
  const budget = sessionBudget(member.email, input.sessionId, 'password')
  const check = async () => {
    const register = () => registerAttempt(db, budget, deps.clock.now())
    const caller = `session ${input.sessionId}`
    if (!(await passwordMatches(member.password_hash, input.password, { caller, register }))) throw new AppError('CURRENT_PASSWORD_WRONG')
    await clearAttempts(db, budget)
    return member
  }
  return recordRejectedProof(db, deps, { member, origin }, () => oneAtATime(budget, check))
}
