import { id } from '@tizara/contract'
import * as v from 'valibot'
import { lockMember, memberByPublicId, requireMember, setSpecialRcm } from '../../../../members/index.ts'
import { proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { textOf } from '../../shared/title-text.ts'

/** Marks a member as special, so that staff can credit coin to the member's RCM wallet [RO-17]. */
export const specialMember = proposalKind({
  subject: 'special',
  value: v.object({ memberId: id, email: v.string() }),
  members: memberWithId,
  direction: () => 'gives',
  current: async (db, _, { memberId }) => ({ isSpecialRcm: (await memberByPublicId(db, memberId))?.is_special_rcm ?? null }),
  baseline: 'all-fields',
  async apply(tx, { clock }, { memberId }) {
    const found = await requireMember(tx, memberId)
    const { id: lockedId, is_special_rcm: before } = await lockMember(tx, found.id)
    await setSpecialRcm(tx, { id: lockedId, isSpecialRcm: true, at: clock.now() })
    return { audit: [{ action: 'member.special-rcm', subject: { type: 'member', id: memberId }, detail: { before, after: true } }] }
  },
  title: (value) => `Make ${textOf(value['email'])} a special member`,
})
