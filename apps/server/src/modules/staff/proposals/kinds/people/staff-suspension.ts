import { email, id } from '@tizara/contract'
import * as v from 'valibot'
import { AppError } from '../../../../../platform/runtime/app-error.ts'
import { lockMember, memberByEmail, memberByPublicId, setSuspension } from '../../../../members/index.ts'
import { suspendRights } from '../../../access/suspend-rights.ts'
import { proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { textOf } from '../../shared/title-text.ts'

/** Suspends a colleague's rights again, or lifts a suspension. For the first suspension one person is enough and no proposal is needed. */
export const staffSuspension = proposalKind({
  subject: 'suspension',
  value: v.object({ memberId: id, email, suspended: v.boolean() }),
  members: memberWithId,
  direction: ({ suspended }) => (suspended ? 'takes' : 'gives'),
  current: async (db, _, { email: address }) => ({
    suspendedUntil: (await memberByEmail(db, address))?.suspended_until?.toISOString() ?? null,
  }),
  baseline: 'all-fields',
  async apply(tx, deps, { memberId, suspended }, { reason }) {
    const known = await memberByPublicId(tx, memberId)
    if (known === undefined || known.role === 'MEMBER') throw new AppError('NOT_FOUND')
    const found = await lockMember(tx, known.id)
    if (suspended) {
      await suspendRights(tx, deps, found, reason)
      return {}
    }
    const at = deps.clock.now()
    await setSuspension(tx, { id: found.id, until: at, at })
    return {}
  },
  title: (value) => `${value['suspended'] === true ? 'Suspend the rights of' : 'Lift the suspension of'} ${textOf(value['email'])}`,
})
