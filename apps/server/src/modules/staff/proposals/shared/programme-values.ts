import type { Db } from '../../../../platform/db/database.ts'
import { currentProgramme } from '../../../rewards/index.ts'

/** Reads the reward programme at a moment, with the catalogue's fields. */
export async function programmeValues(db: Db, at: Date) {
  const { version, startsAt: _, ...rules } = await currentProgramme(db, at)
  return {
    version,
    rules: {
      referralPercent: rules.referralPercent,
      levelPercents: [...rules.levelPercents],
      bountyPercents: [...rules.bountyPercents],
      stakeLogLevelPercents: [...rules.stakeLogLevelPercents],
      stakeLogBountyPercents: [...rules.stakeLogBountyPercents],
      nftLevelPercents: [...rules.nftLevelPercents],
      nftBountyPercents: [...rules.nftBountyPercents],
      fullLevelShareDays: rules.fullLevelShareDays,
      ranks: rules.ranks.map(({ rank, teamStake, bonus }) => ({ rank, teamStake, bonus })),
    },
  }
}
