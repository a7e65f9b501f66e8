import { email, id } from '@tizara/contract'
import * as v from 'valibot'
import { revokeSessionsOf } from '../../../../auth/index.ts'
import { lockMember, requireMember } from '../../../../members/index.ts'
import { noCurrent, proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { textOf } from '../../shared/title-text.ts'

/** Ends a staff member's sessions. Two people decide, because one person could otherwise lock out all others. */
export const staffSessions = proposalKind({
  subject: 'sessions',
  value: v.object({ memberId: id, email }),
  members: memberWithId,
  direction: () => 'takes',
  current: noCurrent,
  baseline: 'all-fields',
  async apply(tx, { clock }, { memberId }) {
    const found = await requireMember(tx, memberId)
    await revokeSessionsOf(tx, (await lockMember(tx, found.id)).id, 'ended-by-staff', clock.now())
    return {}
  },
  title: (value) => `End the sessions of ${textOf(value['email'])}`,
})
