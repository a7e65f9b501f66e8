import { id } from '@tizara/contract'
import { screeningVerdicts as verdicts } from '@tizara/contract/staff-screening'
import * as v from 'valibot'
import { revokeSessionsOf } from '../../../../auth/index.ts'
import { lockMember, requireMember, setActive } from '../../../../members/index.ts'
import { decideScreeningHits, screeningVerdicts } from '../../../../screening/index.ts'
import type { StaffAction } from '../../../access/actor.ts'
import { proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { textOf } from '../../shared/title-text.ts'

/**
 * Decides whether a member is a listed person. `same` blocks the account, and its payouts stay held. `different` ends the hold; a later
 * list does not repeat these matches.
 */
export const screeningVerdict = proposalKind({
  subject: 'screening',
  value: v.object({ memberId: id, email: v.string(), hits: v.pipe(v.array(id), v.maxLength(100)), verdict: v.picklist(verdicts) }),
  members: memberWithId,
  current: (db, _, { hits }) => screeningVerdicts(db, hits),
  baseline: 'all-fields',
  async apply(tx, deps, { memberId, hits, verdict }) {
    const known = await requireMember(tx, memberId)
    const { id: lockedId, is_active: before } = await lockMember(tx, known.id)
    const at = deps.clock.now()
    await decideScreeningHits(tx, { memberId: lockedId, hits, verdict, at })
    const subject = { type: 'member', id: memberId }
    const decided: StaffAction = { action: 'screening.decide', subject, detail: { hits, verdict } }
    if (verdict === 'different' || !before) return { audit: [decided] }
    await setActive(tx, { id: lockedId, isActive: false, at })
    await revokeSessionsOf(tx, lockedId, 'blocked', at)
    return { audit: [decided, { action: 'member.block', subject, detail: { before, after: false } }] }
  },
  title: ({ email: address, verdict }) => `${textOf(address)} is ${verdict === 'same' ? '' : 'not '}the listed person`,
})
