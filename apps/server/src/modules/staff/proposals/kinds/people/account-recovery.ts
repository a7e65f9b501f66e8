import { email, id } from '@tizara/contract'
import * as v from 'valibot'
import { replacedName, startRecovery } from '../../../../auth/index.ts'
import { lockMember, memberByPublicId, requireMember } from '../../../../members/index.ts'
import { proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { textOf } from '../../shared/title-text.ts'

/** Starts the waiting period after which a lost second factor, mailbox or both are replaced [ASVS 6.4.4]. */
export const accountRecovery = proposalKind({
  subject: 'account-recovery',
  value: v.object({ memberId: id, email: v.string(), secondFactor: v.boolean(), newEmail: v.nullable(email) }),
  members: memberWithId,
  // A member who has changed the address since the proposal still has access.
  current: async (db, _, { memberId }) => ({ email: (await memberByPublicId(db, memberId))?.email ?? null }),
  baseline: 'all-fields',
  async apply(tx, deps, { memberId, secondFactor, newEmail }) {
    const found = await requireMember(tx, memberId)
    const { id: lockedId } = await lockMember(tx, found.id)
    const completesAt = await startRecovery(tx, deps, lockedId, { secondFactor, newEmail })
    const detail = { replaces: replacedName({ secondFactor, newEmail }), newEmail, completesAt: completesAt.toISOString() }
    return { audit: [{ action: 'member.start-recovery', subject: { type: 'member', id: memberId }, detail }] }
  },
  title: (value) =>
    value['newEmail'] === null
      ? `Reset two-factor authentication of ${textOf(value['email'])}`
      : `Recover ${textOf(value['email'])} with the new address ${textOf(value['newEmail'])}${value['secondFactor'] === true ? ', without the second factor' : ''}`,
})
