import type { ListQuery } from '@tizara/contract'
import type { HistoryKind } from '@tizara/contract/history-kinds'
import type { Nft } from '@tizara/contract/nfts'
import { fillText } from '@tizara/contract/response-texts'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { type Bounty, listBounties } from './list-bounties.ts'
import { instantExtras, listInstant } from './list-instant.ts'
import { listOwn, type OwnReward } from './list-own.ts'
import { reducedReferralReason } from '../programme/referral.rules.ts'

/** Rows of the lists in the format of the API, one function per route. */

const status = (paid: boolean) => (paid ? ('paid' as const) : ('owed' as const))

const ownExtras = <Kind extends HistoryKind>(kind: Kind, row: OwnReward) => {
  const id = `${row.sourceId}-${row.ordinal}`
  return { id, receipt: { kind, id }, status: status(row.paid) }
}

const bountyExtras = <Kind extends HistoryKind>(kind: Kind, row: Bounty) => {
  const id = `${row.sourceId}-${row.ordinal}-${row.level}`
  return { id, receipt: { kind, id }, status: status(row.paid) }
}

/** Reads NFT purchases by public id, as rows in their own list (EN-38). The NFT module provides it. */
export type ReadNfts = (db: Db, publicIds: readonly string[]) => Promise<(publicId: string) => Nft>

/** Referral rewards (API-62, EN-22). */
export async function listReferrals(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await listInstant(db, memberId, 'referral', query)
  return {
    data: rows.map((row) => ({
      amount: row.amount,
      bonusFrom: row.email,
      createdAt: row.createdAt,
      ...instantExtras('referral', { ...row, reason: row.reason ?? reducedReferralReason(row.causeAmount, row.base, row.unearned) }),
    })),
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
  const sourceOf = await sourcesOf(
    db,
    rows.map(({ causeId: sourceId }) => ({ sourceId })),
  )
  const data = rows.map((row) => {
    const { steps: duration, percent } = sourceOf(row.causeId)
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
      desc: fillText('Filled by maturing stakes; counted team stake {amount} coin', {
        amount: (row.base / 100_000_000n).toLocaleString('en-US'),
      }),
      ...instantExtras('rank', row),
    })),
    meta,
  }
}

/** Daily rewards from stakes or stake logs (API-64, API-79, EN-33). */
export async function listDailyRewards(db: Db, memberId: bigint, stream: 0 | 1, query: ListQuery) {
  const { rows, meta } = await listOwn(db, memberId, stream, query)
  const sourceOf = await sourcesOf(db, rows)
  const data = rows.map((row) => {
    const { label, principal, percent, steps } = sourceOf(row.sourceId)
    return {
      createdAt: row.dueAt,
      dailyRoy: row.amount,
      userStake: { planName: label, stakeAmount: principal, apy: percent, duration: steps },
      day: row.ordinal,
      ...ownExtras(stream === 0 ? 'daily-reward' : 'stake-log-reward', row),
    }
  })
  return { data, meta }
}

/** Monthly rewards from NFTs (API-70, EN-37). */
export async function listNftRewards(db: Db, memberId: bigint, query: ListQuery, readNfts: ReadNfts) {
  const { rows, meta } = await listOwn(db, memberId, 2, query)
  const sourceOf = await sourcesOf(db, rows)
  const nftOf = await readNfts(
    db,
    rows.map((row) => sourceOf(row.sourceId).publicId),
  )
  const data = rows.map((row) => ({
    createdAt: row.dueAt,
    myNft: nftOf(sourceOf(row.sourceId).publicId),
    amount: row.amount,
    month: row.ordinal,
    ...ownExtras('nft-reward', row),
  }))
  return { data, meta }
}

/** Profit bounties on stakes or stake logs (API-63, API-78, EN-34, EN-35). */
export async function listProfitBounties(db: Db, memberId: bigint, stream: 0 | 1, query: ListQuery) {
  const { rows, meta } = await listBounties(db, memberId, stream, query)
  const sourceOf = await sourcesOf(db, rows)
  const data = rows.map((row) => {
    const { email, name, label: planName, steps: duration } = sourceOf(row.sourceId)
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

/** Profit bounties on NFTs (API-72, EN-41, LS-28). */
export async function listNftBounties(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await listBounties(db, memberId, 2, query)
  const sourceOf = await sourcesOf(db, rows)
  const data = rows.map((row) => {
    const source = sourceOf(row.sourceId)
    return {
      createdAt: row.createdAt,
      profit: row.profit,
      level: row.level,
      duration: source.steps,
      dailyRoi: source.percent,
      nftDailyRoiHistory: { user: { email: source.email }, myNft: { name: source.label }, dailyRoi: row.reward },
      ...bountyExtras('nft-profit-bounty', row),
    }
  })
  return { data, meta }
}

/** A stake or NFT for reward rows. */
interface RowSource {
  id: bigint
  publicId: string
  /** Plan or NFT name. */
  label: string
  principal: Units
  /** Percent units over all days or months, and how many there are. */
  percent: Units
  steps: number
  email: string
  name: string
}

/** Reads the stakes or NFTs behind some rewards. */
async function sourcesOf(db: Db, rows: readonly { sourceId: bigint }[]): Promise<(id: bigint) => RowSource> {
  const ids = [...new Set(rows.map((row) => row.sourceId))]
  const found = await sql<RowSource>`
    select s.id, s.public_id as "publicId", s.label, s.principal, s.percent, s.steps, m.email, m.name
    from reward_source s join member m on m.id = s.member_id where s.id = any (${ids}::bigint[])`.execute(db)
  const byId = new Map(found.rows.map((row) => [row.id, row]))
  return (id) => {
    const source = byId.get(id)
    if (source === undefined) throw new Error(`source ${id} is missing`)
    return source
  }
}
