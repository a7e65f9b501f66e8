import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { runJob } from '../src/jobs/job.ts'
import { type Asset, runAudit } from '../src/ledger/index.ts'
import { rewardJobs, setRewardPolicy } from '../src/modules/rewards/index.ts'
import { applySettings } from '../src/modules/settings/index.ts'
import { stakingJobs } from '../src/modules/staking/index.ts'
import { AppError } from '../src/platform/runtime/app-error.ts'
import { DAY_MS } from '../src/platform/runtime/clock.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { checksOfTests } from './audited-house.ts'
import type { TestDatabase } from './database.ts'
import { FREE_TRANSFERS, fund, payIn, type TestMember } from './members.ts'
import { type Bringing, GIFT, type MoveName, moves, PLANS, type Play } from './money-moves.ts'
import { type TestHouse, testHouse } from './test-house.ts'

/** For tests: a house in which groups of members try to take out more than RW-14 lets them, day after day. */

/** USD units for one coin. */
export const PRICE = 800_000n
export const HOLD_DAYS = 10
/** As much as a referral brings, so that nothing is gained on the way out and in. */
export const BRIDGE_FEE = 5n * ONE
export const WAGON = { name: 'Wagon', durationMonths: 2, totalPercent: 60n * ONE }

/** A group that plays together. Sums of money in 10^-16 USD, so that coin at its price is exact. */
export interface Group {
  name: string
  members: TestMember[]
  /** What it needed of its own, beyond what it had been paid out before. */
  drawn: Record<Asset, bigint>
  /** What it has paid in, the same money as often as it came: in USD, and in coin at its price. */
  paidIn: Record<Asset, bigint>
  /** What it does on a day. */
  play: (game: Game, group: Group, day: number) => Promise<void>
}
/** A move, and what it is about. */
type OneMove = { move: MoveName; who: TestMember } & Partial<Play>
export type Game = Awaited<ReturnType<typeof moneyGame>>

/** What a group needed of its own, in 10^-16 USD. */
export const capitalOf = (group: Group): bigint => group.drawn.USD + group.drawn.COIN

/** Coin as USD at the unchanged price. */
const atPrice = (coin: Units): bigint => coin * PRICE

/** How a house of the game differs from the usual one. */
interface Wishes {
  holdDays?: number
  /** `observe`: promises are not covered, and the pool is empty until it is funded. */
  mode?: 'enforce' | 'observe'
  bridgeFeePercent?: Units
  /** How a move is played, when not by the use case behind its call: answers whether it was done. */
  playing?: (house: TestHouse) => Promise<(move: MoveName, play: Play) => Promise<boolean>>
}

export async function moneyGame(
  database: TestDatabase,
  { holdDays = HOLD_DAYS, mode = 'enforce', bridgeFeePercent = BRIDGE_FEE, playing }: Wishes = {},
) {
  const house = await testHouse(database)
  const { db, deps, clock } = house
  const fundPools = async () => {
    for (const asset of ['COIN', 'USD'] as const) await house.fundPool(asset, 1_000_000_000n * ONE)
  }
  if (mode === 'enforce') await fundPools()
  await inTransaction(db, (tx) => setRewardPolicy(tx, { coverageMode: mode, at: clock.now(), by: null, reason: 'test' }))
  const staff = await house.join()
  const changes = { rewardHoldDays: holdDays, bridgeFeePercent, exchangeLimit: 100n * ONE, minCoin: 1n, ...FREE_TRANSFERS }
  await inTransaction(db, (tx) => applySettings(tx, deps, { changes, actorId: null, reason: 'test' }))
  for (const [name, plan] of Object.entries(PLANS))
    await sql`insert into stake_plan (public_id, name, duration_days, minimum, apy, is_omega, status, created_at)
      values (${name}, ${name}, ${plan.days}, 0, ${plan.apy}, ${plan.omega}, 'ACTIVE', ${clock.now()})`.execute(db)
  await sql`insert into nft (public_id, kind, name, price, duration_months, total_percent, status, created_at)
    values ('wagon', 'wagon', ${WAGON.name}, ${50n * ONE}, ${WAGON.durationMonths}, ${WAGON.totalPercent}, 'ACTIVE', ${clock.now()})`.execute(
    db,
  )
  const done: Partial<Record<MoveName | Bringing, number>> = {}
  const richer: string[] = []
  const count = (move: MoveName | Bringing) => (done[move] = (done[move] ?? 0) + 1)

  /** What lies in wallets or is on its way out, what was paid out of it, and what undoing purchases would still bring. */
  const owned = async (group: Group) => {
    const ids = group.members.map((member) => member.id)
    const found = await sql<{ usd: bigint; coin: bigint; paidUsd: bigint; paidCoin: bigint; undoUsd: bigint; undoCoin: bigint }>`
      with ids as (select unnest(${ids}::bigint[]) as owner),
      wallets as (select asset, balance from ids join ledger_account on owner_id = owner),
      payouts as (select kind, case status when 'PENDING' then amount else 0 end as waits, case status when 'APPROVED' then received else 0 end as paid
        from ids join payout_request on member_id = owner),
      nfts as (select paid_asset, paid_amount from ids join nft_purchase p on p.member_id = owner join reward_progress r using (public_id)
        where p.status = 'ACTIVE' and r.counted < r.times),
      bought as (select charged, coin_amount from ids join coin_purchase on member_id = owner where undone_at is null)
      select
        ((select coalesce(sum(balance), 0) from wallets where asset = 'USD') + (select coalesce(sum(waits), 0) from payouts where kind = 'withdrawal'))::bigint as usd,
        ((select coalesce(sum(balance), 0) from wallets where asset = 'COIN') + (select coalesce(sum(waits), 0) from payouts where kind = 'bridge'))::bigint as coin,
        (select coalesce(sum(paid), 0) from payouts where kind = 'withdrawal')::bigint as "paidUsd",
        (select coalesce(sum(paid), 0) from payouts where kind = 'bridge')::bigint as "paidCoin",
        ((select coalesce(sum(paid_amount), 0) from nfts where paid_asset = 'usd') + (select coalesce(sum(charged), 0) from bought))::bigint as "undoUsd",
        ((select coalesce(sum(paid_amount), 0) from nfts where paid_asset = 'coin') - (select coalesce(sum(coin_amount), 0) from bought))::bigint as "undoCoin"`.execute(
      db,
    )
    const row = found.rows[0]
    if (row === undefined) throw new Error('a sum is a row')
    const pocket = {
      USD: group.drawn.USD + row.paidUsd * ONE - group.paidIn.USD,
      COIN: group.drawn.COIN + atPrice(row.paidCoin) - group.paidIn.COIN,
    }
    const now = row.usd * ONE + atPrice(row.coin) + pocket.USD + pocket.COIN
    return { pocket, now, withUndone: now + row.undoUsd * ONE + atPrice(row.undoCoin) }
  }

  const other = await playing?.(house)
  const attempt = async ({ move, ...play }: OneMove): Promise<boolean> => {
    const whole: Play = { other: play.who, mille: 1000n, dust: 0n, plan: 'sprint', payby: 'nativewallet', ...play }
    if (other !== undefined) return other(move, whole)
    try {
      await inTransaction(db, async (tx) => moves[move](tx, deps, whole, staff.id))
      return true
    } catch (error) {
      // A share of an empty wallet is no amount: the wire refuses it before the ledger does.
      if (error instanceof AppError || error instanceof RangeError) return false
      throw error
    }
  }

  return {
    ...house,
    done,
    /** The moves after which a group had more than before, although no time had passed. */
    richer,
    fundPools,
    /**
     * Plays moves at the same moment, which takes a second; a refusal is an answer, not a failure. No move makes its group
     * richer: what is earned comes by the days.
     */
    async playAtOnce(group: Group, plays: readonly OneMove[]): Promise<void> {
      const before = await owned(group)
      const played = (await Promise.all(plays.map(async (play) => ((await attempt(play)) ? [play.move] : [])))).flat()
      if (played.length === 0) return
      clock.advance(1000)
      for (const move of played) count(move)
      const given = atPrice(GIFT) * BigInt(played.filter((move) => move === 'gift').length)
      group.drawn.COIN += given
      group.paidIn.COIN += given
      const gain = (await owned(group)).withUndone - before.withUndone - given
      if (gain > 0n) richer.push(`${group.name}: ${played.join(' and ')} by ${gain}`)
    },
    play(group: Group, move: MoveName, play: Omit<OneMove, 'move'>): Promise<void> {
      return this.playAtOnce(group, [{ move, ...play }])
    },
    /** Sells the coin that was paid out, at the house's price, to somebody outside who is not of the group. */
    async sellOutside(group: Group) {
      const { COIN } = (await owned(group)).pocket
      group.paidIn.COIN += COIN
      group.paidIn.USD -= COIN
      count('sellOutside')
    },
    /**
     * Pays USD or coin in: what was paid out before, and the rest of the group's own.
     */
    async bring(group: Group, who: TestMember, asset: Asset, amount: Units) {
      const value = asset === 'USD' ? amount * ONE : atPrice(amount)
      const { pocket } = await owned(group)
      if (value > pocket[asset]) group.drawn[asset] += value - pocket[asset]
      group.paidIn[asset] += value
      if (asset === 'USD') await payIn(db, deps, who.id, amount)
      else await fund(db, who.id, 'nativeWallet', amount)
      count(asset === 'USD' ? 'bringUsd' : 'bringCoin')
    },
    /** What the group was paid out and has not paid in again, in units. */
    async pocket(group: Group, asset: Asset): Promise<Units> {
      const { pocket } = await owned(group)
      return pocket[asset] / (asset === 'USD' ? ONE : PRICE)
    },
    /** What the group has, coin at its price, stakes with it, NFTs at nothing. */
    worth: async (group: Group): Promise<bigint> => (await owned(group)).now,
    /** The worker does what is due. */
    async work() {
      for (const job of [...rewardJobs, ...stakingJobs]) await runJob(db, deps, job, 'test')
    },
    nextDay: () => clock.advance(DAY_MS),
    /** What the audit finds wrong. */
    damage: async () =>
      (await runAudit(db, checksOfTests))
        .filter((one) => one.broken > 0)
        .map(({ check, examples }) => `${check.title}: ${examples.join(' ')}`),
  }
}
