import type { ListQuery } from '@tizara/contract'
import type { HistoryKind } from '@tizara/contract/all-routes'
import type { Db } from '../../../platform/database.ts'
import { type Bounty, listBounties } from './list-bounties.ts'
import { instantExtras, listInstant, purchaseFigures } from './list-instant.ts'
import { listOwn, type OwnReward } from './list-own.ts'
import { known, type NftSource, nftSources, type StakeSource, stakeSources } from './sources.queries.ts'

/** The lists as the wire shows them: one function a route. */

const status = (paid: boolean) => (paid ? ('paid' as const) : ('owed' as const))

const ownExtras = <Kind extends HistoryKind>(kind: Kind, row: OwnReward) => {
  const id = `${row.sourceId}-${row.ordinal}`
  return { id, receipt: { kind, id }, status: status(row.paid) }
}

const bountyExtras = <Kind extends HistoryKind>(kind: Kind, row: Bounty) => {
  const id = `${row.sourceId}-${row.ordinal}-${row.level}`
  return { id, receipt: { kind, id }, status: status(row.paid) }
}

const stakeOf = ({ planName, stakeAmount, apy, duration }: StakeSource) => ({ planName, stakeAmount, apy, duration })

/** A purchase as EN-38 has it. */
const nftOf = (source: NftSource) => ({
  id: source.publicId,
  name: source.name,
  title: source.title,
  walletName: source.kind,
  quantity: 1,
  price: source.price,
  duration: source.duration,
  dailyRoi: source.percent,
  monthlyRoi: source.monthly,
  totalRoi: source.totalPaid,
  paidBy: source.paidBy,
  lastDistributionDate: source.lastDistribution,
  status: source.status,
  createdAt: source.purchasedAt,
})

/** Referral rewards (API-62, EN-22). */
export async function listReferrals(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await listInstant(db, memberId, 'referral', query)
  return {
    data: rows.map((row) => ({ amount: row.amount, bonusFrom: row.email, createdAt: row.createdAt, ...instantExtras('referral', row) })),
    meta,
  }
}

/** Level rewards (API-61, EN-24). */
export async function listLevelRewards(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await listInstant(db, memberId, 'level', query)
  return {
    data: rows.map((row) => ({
      bonusAmount: row.amount,
      email: row.email,
      level: row.level,
      createdAt: row.createdAt,
      ...instantExtras('level', row),
    })),
    meta,
  }
}

/** NFT level bonuses (API-71, EN-40). */
export async function listNftLevelBonuses(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await listInstant(db, memberId, 'nft-level', query)
  const purchases = await purchaseFigures(
    db,
    rows.map((row) => row.causeId),
  )
  const data = rows.map((row) => {
    const { duration, percent } = known(purchases, row.causeId)
    return {
      createdAt: row.createdAt,
      email: row.email,
      bonusAmount: row.amount,
      level: row.level,
      duration,
      dailyRoi: percent,
      ...instantExtras('nft-level', row),
    }
  })
  return { data, meta }
}

/** Rank bonuses (API-81, EN-46). */
export async function listRankBonuses(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await listInstant(db, memberId, 'rank', query)
  return {
    data: rows.map((row) => ({
      createdAt: row.createdAt,
      user: { email: row.email },
      rank: row.rank ?? '',
      bonus: row.amount,
      desc: `Team stake reached ${row.base / 100_000_000n} coin`,
      ...instantExtras('rank', row),
    })),
    meta,
  }
}

/** Daily rewards of stakes or of stake logs (API-64, API-79, EN-33). */
export async function listDailyRewards(db: Db, memberId: bigint, stream: 0 | 1, query: ListQuery) {
  const { rows, meta } = await listOwn(db, memberId, stream, query)
  const stakes = await stakeSources(
    db,
    rows.map((row) => row.sourceId),
  )
  const data = rows.map((row) => ({
    createdAt: row.dueAt,
    dailyRoy: row.amount,
    userStake: stakeOf(known(stakes, row.sourceId)),
    day: row.ordinal,
    ...ownExtras(stream === 0 ? 'daily-reward' : 'stake-log-reward', row),
  }))
  return { data, meta }
}

/** Monthly rewards of NFTs (API-70, EN-37). */
export async function listNftRewards(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await listOwn(db, memberId, 2, query)
  const purchases = await nftSources(
    db,
    rows.map((row) => row.sourceId),
  )
  const data = rows.map((row) => ({
    createdAt: row.dueAt,
    myNft: nftOf(known(purchases, row.sourceId)),
    amount: row.amount,
    month: row.ordinal,
    ...ownExtras('nft-reward', row),
  }))
  return { data, meta }
}

/** Profit bounties of stakes or of stake logs (API-63, API-78, EN-34, EN-35). */
export async function listProfitBounties(db: Db, memberId: bigint, stream: 0 | 1, query: ListQuery) {
  const { rows, meta } = await listBounties(db, memberId, stream, query)
  const stakes = await stakeSources(
    db,
    rows.map((row) => row.sourceId),
  )
  const data = rows.map((row) => {
    const { email, name, planName, duration } = known(stakes, row.sourceId)
    return {
      profit: row.profit,
      level: row.level,
      createdAt: row.createdAt,
      dailyBonus: { dailyRoy: row.reward, userStake: { user: { email, name }, planName, duration }, planName, duration },
      ...bountyExtras(stream === 0 ? 'profit-bounty' : 'stake-log-bounty', row),
    }
  })
  return { data, meta }
}

/** Profit bounties of NFTs (API-72, EN-41, LS-28). */
export async function listNftBounties(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await listBounties(db, memberId, 2, query)
  const purchases = await nftSources(
    db,
    rows.map((row) => row.sourceId),
  )
  const data = rows.map((row) => {
    const source = known(purchases, row.sourceId)
    return {
      createdAt: row.createdAt,
      profit: row.profit,
      level: row.level,
      duration: source.duration,
      dailyRoi: source.percent,
      nftDailyRoiHistory: { user: { email: source.email }, myNft: { name: source.name }, dailyRoi: row.reward },
      ...bountyExtras('nft-profit-bounty', row),
    }
  })
  return { data, meta }
}
