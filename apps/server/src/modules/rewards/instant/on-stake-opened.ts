import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { noteTeamVolume, uplineOf } from '../../team/index.ts'
import { holdRewards } from './hold-reward.ts'
import { programmeOf } from '../programme/programme.ts'
import { notePromises } from '../pool/promises.ts'
import { LEVELS, shareOf } from '../programme/rewards.rules.ts'
import { promisesOfStake } from '../pool/sale-promises.ts'

/** A stake that has just been opened. */
export interface StakeOpened {
  /** Row id. */
  stakeId: bigint
  memberId: bigint
  /** Coin units. */
  amount: Units
  isOmega: boolean
  at: Date
}

/**
 * What a new stake means for rewards: level rewards of the upline (RW-02, MF-18), held; volume of the teams above, out of
 * which ranks come (RW-05); and what it promises, for the forecast.
 */
export async function onStakeOpened(tx: Tx, _deps: Pick<Deps, 'clock'>, opened: StakeOpened): Promise<void> {
  const stake = await tx
    .selectFrom('stake')
    .select(['daily_reward', 'duration_days', 'programme_version'])
    .where('id', '=', opened.stakeId)
    .executeTakeFirstOrThrow()
  const rules = await programmeOf(tx, stake.programme_version)
  const levelPercents = opened.isOmega ? rules.stakeLogLevelPercents : rules.levelPercents
  const upline = await uplineOf(tx, opened.memberId, LEVELS)
  await noteTeamVolume(tx, { memberId: opened.memberId, at: opened.at, stake: opened.amount })
  await holdRewards(
    tx,
    opened.at,
    upline
      .filter((one) => one.earns)
      .map((one) => ({
        kind: 'level',
        beneficiaryId: one.memberId,
        sourceMemberId: opened.memberId,
        cause: { type: 'stake', id: opened.stakeId },
        level: one.level,
        base: opened.amount,
        percent: levelPercents[one.level - 1] ?? 0n,
        amount: shareOf(opened.amount, levelPercents[one.level - 1] ?? 0n),
        version: rules.version,
      })),
  )
  const days = { isOmega: opened.isOmega, dailyReward: stake.daily_reward, startsAt: opened.at, times: stake.duration_days }
  await notePromises(tx, promisesOfStake(days, rules))
}
