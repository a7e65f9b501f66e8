import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { lockMember, memberByPublicId, setSpecialRcm, setStaffRank } from '../../../members/index.ts'
import { auditStaff } from '../../access/actor.ts'
import type { Change } from './change-subjects.ts'
import { assertNotOwn } from '../../duties/not-own.ts'
import type { ChangeMakers } from '../../access/decider.ts'

/**
 * Makes a member special, or gives a rank that the programme leaves alone (RO-17), for two; no bonus comes of the rank.
 * @throws AppError NOT_FOUND, FOUR_EYES for an own account
 */
export async function giveStanding(
  tx: Tx,
  deps: Deps,
  change: Extract<Change, { subject: 'special' | 'rank' }>,
  { maker, checkerId }: ChangeMakers,
): Promise<void> {
  const found = await memberByPublicId(tx, change.value.memberId)
  if (found === undefined) throw new AppError('NOT_FOUND')
  await assertNotOwn(tx, found.id, { maker, checkerId })
  const { id, is_special_rcm: wasSpecial, rank: held } = await lockMember(tx, found.id)
  const at = deps.clock.now()
  const isSpecial = change.subject === 'special'
  if (isSpecial) await setSpecialRcm(tx, { id, isSpecialRcm: true, at })
  else await setStaffRank(tx, { id, rank: change.value.rank, at })
  await auditStaff(tx, deps, maker, {
    action: isSpecial ? 'member.special-rcm' : 'member.rank',
    subject: { type: 'member', id: change.value.memberId },
    reason: change.reason,
    detail: {
      ...(isSpecial ? { before: wasSpecial, after: true } : { before: held, after: change.value.rank }),
      ...(checkerId === undefined ? {} : { approvedBy: String(checkerId) }),
    },
  })
}
