import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { publishAnnouncement } from '../../../announcements/index.ts'
import { memberByPublicId } from '../../../members/index.ts'
import { putNft } from '../../../nfts/index.ts'
import { addProgramme, creditRcm, fundRewardPool, setRewardPolicy } from '../../../rewards/index.ts'
import { applySettings } from '../../../settings/index.ts'
import { putPlan } from '../../../staking/index.ts'
import { applyAnswer } from './answer-chain.ts'
import { cancelRewards } from './cancel-rewards.ts'
import type { Change } from './change-subjects.ts'
import { giveStanding } from './give-standing.ts'
import { given } from '../../access/given.ts'
import { assertNotOwn } from '../../duties/not-own.ts'
import { reverseTransfer } from './reverse-transfer.ts'
import { setStaffRole } from './set-staff-role.ts'
import { endStaffSessions, setStaffStatus } from './set-staff-status.ts'
import { takeOffSecondFactor } from './take-off-second-factor.ts'
import { undoPurchase } from './undo-purchase.ts'
import { liftLedgerStop } from '../../../../ledger/index.ts'
import type { ChangeMakers } from '../../access/decider.ts'

/**
 * Puts a change in force through the use cases of the modules that own it.
 * @throws AppError of those use cases: CONVERT_RATE_TOO_LOW, INVALID_INPUT, NOT_FOUND, NOT_COVERED, SPECIAL_MEMBERS_ONLY,
 *   INSUFFICIENT_BALANCE, COIN_SOLD_OUT, UNDO_REFUSED, REVERSAL_REFUSED, STOPPED,
 *   FOUR_EYES
 */
export async function applyChange(tx: Tx, deps: Deps, change: Change, makers: ChangeMakers): Promise<void> {
  const at = deps.clock.now()
  const responsible = makers.checkerId ?? makers.maker.memberId
  switch (change.subject) {
    case 'price':
    case 'settings':
    case 'limits':
      await applySettings(tx, deps, { changes: given(change.value), actorId: responsible, reason: change.reason })
      return
    case 'plan': {
      const { planId, ...values } = change.value
      await putPlan(tx, deps, planId, values)
      return
    }
    case 'nft': {
      const { nftId, ...values } = change.value
      await putNft(tx, deps, nftId, values)
      return
    }
    case 'popup':
      return publishAnnouncement(tx, { ...change.value, authorId: responsible, at })
    case 'programme':
      await addProgramme(tx, { rules: given(change.value), startsAt: at, at, reason: change.reason, by: responsible })
      return
    case 'cover': {
      const { committedCoin: COIN, committedUsd: USD, ...rest } = change.value
      await setRewardPolicy(tx, { ...given({ ...rest, committed: given({ COIN, USD }) }), at, by: responsible, reason: change.reason })
      return
    }
    case 'staff':
      return setStaffRole(tx, deps, change.value)
    case 'status':
      return setStaffStatus(tx, deps, change, makers)
    case 'credit':
    case 'fund':
      return moveMoney(tx, deps, change, makers)
    case 'undo':
      return undoPurchase(tx, deps, change, makers)
    case 'cancel-rewards':
      return cancelRewards(tx, deps, change, makers)
    case 'sessions':
      return endStaffSessions(tx, deps, change.value.memberId, makers)
    case 'reversal':
      return reverseTransfer(tx, deps, change, makers)
    case 'special':
    case 'rank':
      return giveStanding(tx, deps, change, makers)
    case 'lift-stop':
      if (!(await liftLedgerStop(tx, at))) throw new AppError('ALREADY_DECIDED')
      return
    case 'chain-answer':
      return applyAnswer(tx, deps, change, makers)
    case 'second-factor':
      return takeOffSecondFactor(tx, deps, change.value.email, makers)
  }
}

async function moveMoney(
  tx: Tx,
  deps: Deps,
  change: Extract<Change, { subject: 'credit' | 'fund' }>,
  { maker, checkerId, changeId }: ChangeMakers,
): Promise<void> {
  const act = {
    by: { memberId: maker.memberId, role: maker.role },
    reason: change.reason,
    ...(checkerId === undefined ? {} : { approvedBy: checkerId }),
    ...(changeId === undefined ? {} : { changeId }),
    ...(maker.ip === undefined ? {} : { ip: maker.ip }),
    ...(maker.requestId === undefined ? {} : { requestId: maker.requestId }),
  }
  if (change.subject === 'fund') {
    const { asset, amount, source } = change.value
    await fundRewardPool(tx, deps, { ...act, asset: asset === 'usd' ? 'USD' : 'COIN', amount, source })
    return
  }
  const member = await memberByPublicId(tx, change.value.memberId)
  if (member === undefined) throw new AppError('NOT_FOUND')
  await assertNotOwn(tx, member.id, { maker, checkerId })
  if (!member.is_special_rcm) throw new AppError('SPECIAL_MEMBERS_ONLY')
  await creditRcm(tx, deps, { ...act, memberId: member.id, amount: change.value.amount })
}
