import { id } from '@tizara/contract'
import * as v from 'valibot'
import { lockMember, memberByPublicId, requireMember, setStaffRank } from '../../../../members/index.ts'
import { proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { textOf } from '../../shared/title-text.ts'

/** Sets a rank that the programme does not change [RO-17]. The rank pays no rank bonus. */
export const rank = proposalKind({
  subject: 'rank',
  value: v.object({ memberId: id, email: v.string(), rank: v.string() }),
  members: memberWithId,
  current: async (db, _, { memberId }) => ({ rank: (await memberByPublicId(db, memberId))?.rank ?? null }),
  baseline: 'all-fields',
  async apply(tx, { clock }, { memberId, rank: after }) {
    const found = await requireMember(tx, memberId)
    const { id: lockedId, rank: before } = await lockMember(tx, found.id)
    await setStaffRank(tx, { id: lockedId, rank: after, at: clock.now() })
    return { audit: [{ action: 'member.rank', subject: { type: 'member', id: memberId }, detail: { before, after } }] }
  },
  title: (value, before) => `${textOf(value['email'])}: rank ${textOf(before?.['rank']) || 'none'} → ${textOf(value['rank'])}`,
})
