import { coinInput, id } from '@tizara/contract'
import * as v from 'valibot'
import { AppError } from '../../../../../platform/runtime/app-error.ts'
import { requireMember } from '../../../../members/index.ts'
import { creditRcm } from '../../../../rewards/index.ts'
import { coverageRows } from '../../shared/coverage-rows.ts'
import { noCurrent, proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { moneyAction } from '../../shared/money-action.ts'
import { amountOf, textOf } from '../../shared/title-text.ts'

/** Credits coin to the RCM wallet of a special member [MF-25]. */
export const rcmCredit = proposalKind({
  subject: 'credit',
  value: v.object({ memberId: id, email: v.string(), amount: coinInput }),
  members: memberWithId,
  direction: () => 'gives',
  current: noCurrent,
  baseline: 'all-fields',
  async apply(tx, deps, { memberId, amount }, approval) {
    const member = await requireMember(tx, memberId)
    if (!member.is_special_rcm) throw new AppError('SPECIAL_MEMBERS_ONLY')
    await creditRcm(tx, deps, { ...moneyAction(approval), memberId: member.id, amount })
    return {}
  },
  coverage: (db, { amount }) => coverageRows(db, 'COIN', { pool: -amount }),
  title: (value) => `${amountOf(value)} for ${textOf(value['email'])}`,
})
