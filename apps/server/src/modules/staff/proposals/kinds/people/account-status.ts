import { id } from '@tizara/contract'
import * as v from 'valibot'
import { revokeSessionsOf } from '../../../../auth/index.ts'
import { lockMember, memberByEmail, requireMember, setActive } from '../../../../members/index.ts'
import type { StaffAction } from '../../../access/actor.ts'
import { mailRoleRemoval } from '../../../access/mail-admins.ts'
import { proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { textOf } from '../../shared/title-text.ts'

/** Blocks a staff member, or unblocks any account. One person may block a member who is not staff; that needs no proposal. */
export const accountStatus = proposalKind({
  subject: 'status',
  value: v.object({ memberId: id, email: v.string(), status: v.boolean() }),
  members: memberWithId,
  direction: ({ status }) => (status ? 'gives' : undefined),
  current: async (db, _, { email: address }) => ({ status: (await memberByEmail(db, address))?.is_active ?? null }),
  baseline: 'all-fields',
  async apply(tx, deps, { memberId, status }) {
    const known = await requireMember(tx, memberId)
    const found = await lockMember(tx, known.id)
    const at = deps.clock.now()
    await setActive(tx, { id: found.id, isActive: status, at })
    const isStaff = found.role !== 'MEMBER'
    if (!status) {
      await revokeSessionsOf(tx, found.id, 'blocked', at)
      if (isStaff) await mailRoleRemoval(tx, deps, found, 'is blocked')
    }
    const entry: StaffAction = {
      action: status ? 'member.unblock' : 'member.block',
      subject: { type: 'member', id: memberId },
      detail: { before: found.is_active, after: status },
    }
    // The proposal's own entry covers staff.
    return { audit: isStaff ? [] : [entry], ...(status ? {} : { lostRights: { memberId: found.id, role: 'MEMBER' as const } }) }
  },
  title: (value) => `${value['status'] === true ? 'Unblock' : 'Block'} ${textOf(value['email'])}`,
})
