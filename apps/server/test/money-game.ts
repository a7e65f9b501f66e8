import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { runJob } from '../src/jobs/job.ts'
import { type Asset, runAudit } from '../src/ledger/index.ts'
import { rewardJobs } from '../src/modules/rewards/index.ts'
import { applySettings } from '../src/modules/settings/index.ts'
import { stakingJobs } from '../src/modules/staking/index.ts'
import { AppError } from '../src/platform/runtime/app-error.ts'
import { DAY_MS } from '../src/platform/runtime/clock.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { checksOfTests } from './audited-instance.ts'
import type { TestDatabase } from './database.ts'
import { fillSalesFund, FREE_TRANSFERS, fund, payIn, type TestMember } from './members.ts'
import { type ExternalSource, GIFT, type MoveName, moves, PLANS, type Play } from './money-moves.ts'
import { type TestInstance, testInstance } from './test-instance.ts'
import { setCommitment } from './commitment.ts'

/** For tests: an instance in which groups of members try to extract more than RW-14 allows, day after day. */

/** USD units per coin. */
export const PRICE = 800_000n
export const HOLD_DAYS = 10
/** Equal to a referral reward, so that a round trip gains nothing. */
export const BRIDGE_FEE = 5n * ONE
export const WAGON = { name: 'Wagon', durationMonths: 2, totalPercent: 60n * ONE }

/** Group with cooperating members. Sums are in 10^-16 USD, so that coin at its price is exact. */
export interface Group {
  name: string
  members: TestMember[]
  /** External capital used, beyond earlier payouts. */
  drawn: Record<Asset, bigint>
  /** Total paid in, counting the same money each time: in USD, and in coin at its price. */
  paidIn: Record<Asset, bigint>
  /** Plays the group's moves on a day. */
  play: (game: Game, group: Group, day: number) => Promise<void>
}
/** Move with its parameters. */
type OneMove = { move: MoveName; who: TestMember } & Partial<Play>
export type Game = Awaited<ReturnType<typeof moneyGame>>

/** Returns the group's external capital, in 10^-16 USD. */
export const capitalOf = (group: Group): bigint => group.drawn.USD + group.drawn.COIN

/** Values coin in USD at the constant price. */
const atPrice = (coin: Units): bigint => coin * PRICE

/** Options for the game's instance. */
interface Options {
  holdDays?: number
  /** False: the commitment covers all liabilities, and the pool is empty until funded. */
  funded?: boolean
  bridgeFeePercent?: Units
  /** Plays a move by another way than the use case behind its call. Returns true if it succeeded. */
  playing?: (instance: TestInstance) => Promise<(move: MoveName, play: Play) => Promise<boolean>>
}

export async function moneyGame(
  database: TestDatabase,
  { holdDays = HOLD_DAYS, funded = true, bridgeFeePercent = BRIDGE_FEE, playing }: Options = {},
) {
  const instance = await testInstance(database)
  const { db, deps, clock } = instance
  const fundPools = async () => {
    for (const asset of ['COIN', 'USD'] as const) await instance.fundPool(asset, 1_000_000_000n * ONE)
  }
  // Sales must not fail for lack of USD: the game looks for profits.
  await fillSalesFund(db, 1_000_000_000n * ONE)
  if (funded) {
    await fundPools()
    await setCommitment(db, 0n)
  }
  const staff = await instance.join()
  const changes = { rewardHoldDays: holdDays, bridgeFeePercent, exchangeLimit: 100n * ONE, minCoin: 1n, ...FREE_TRANSFERS }
  await inTransaction(db, (tx) => applySettings(tx, deps, { changes, actorId: null, reason: 'test' }))
  for (const [name, plan] of Object.entries(PLANS))
    await sql`insert into stake_plan (public_id, name, duration_days, minimum, apy, is_omega, status, created_at)
      values (${name}, ${name}, ${plan.days}, 0, ${plan.apy}, ${plan.omega}, 'ACTIVE', ${clock.now()})`.execute(db)
  await sql`insert into nft (public_id, kind, name, price, duration_months, total_percent, status, created_at)
    values ('wagon', 'wagon', ${WAGON.name}, ${50n * ONE}, ${WAGON.durationMonths}, ${WAGON.totalPercent}, 'ACTIVE', ${clock.now()})`.execute(
    db,
  )
  const done: Partial<Record<MoveName | ExternalSource, number>> = {}
  const richer: string[] = []
  const count = (move: MoveName | ExternalSource) => (done[move] = (done[move] ?? 0) + 1)

  /** Returns the group's wallets and pending payouts, its completed payouts, and refunds from cancelling purchases. */
  const owned = async (group: Group) => {
    const ids = group.members.map((member) => member.id)
    const found = await sql<{ usd: bigint; coin: bigint; paidUsd: bigint; paidCoin: bigint; undoUsd: bigint; reverseCoin: bigint }>`
      with ids as (select unnest(${ids}::bigint[]) as owner),
      wallets as (select asset, balance from ids join ledger_account on owner_id = owner),
      payouts as (select kind, case status when 'PENDING' then amount else 0 end as waits, case status when 'APPROVED' then received else 0 end as paid
        from ids join payout_request on member_id = owner),
      nfts as (select paid_asset, paid_amount from ids join nft_purchase p on p.member_id = owner join reward_progress r using (public_id)
        where p.status = 'ACTIVE' and r.processed < r.steps),
      bought as (select charged, coin_amount from ids join coin_purchase on member_id = owner where reversed_at is null)
      select
        ((select coalesce(sum(balance), 0) from wallets where asset = 'USD') + (select coalesce(sum(waits), 0) from payouts where kind = 'withdrawal'))::bigint as usd,
        ((select coalesce(sum(balance), 0) from wallets where asset = 'COIN') + (select coalesce(sum(waits), 0) from payouts where kind = 'bridge'))::bigint as coin,
        (select coalesce(sum(paid), 0) from payouts where kind = 'withdrawal')::bigint as "paidUsd",
        (select coalesce(sum(paid), 0) from payouts where kind = 'bridge')::bigint as "paidCoin",
        ((select coalesce(sum(paid_amount), 0) from nfts where paid_asset = 'usd') + (select coalesce(sum(charged), 0) from bought))::bigint as "undoUsd",
        ((select coalesce(sum(paid_amount), 0) from nfts where paid_asset = 'coin') - (select coalesce(sum(coin_amount), 0) from bought))::bigint as "reverseCoin"`.execute(
      db,
    )
    const row = found.rows[0]
    if (row === undefined) throw new Error('a sum is a row')
    const pocket = {
      USD: group.drawn.USD + row.paidUsd * ONE - group.paidIn.USD,
      COIN: group.drawn.COIN + atPrice(row.paidCoin) - group.paidIn.COIN,
    }
    const now = row.usd * ONE + atPrice(row.coin) + pocket.USD + pocket.COIN
    return { pocket, now, withReversals: now + row.undoUsd * ONE + atPrice(row.reverseCoin) }
  }

  const other = await playing?.(instance)
  const attempt = async ({ move, ...play }: OneMove): Promise<boolean> => {
    const whole: Play = { other: play.who, mille: 1000n, dust: 0n, plan: 'sprint', payby: 'nativewallet', ...play }
    if (other !== undefined) return other(move, whole)
    try {
      await inTransaction(db, async (tx) => moves[move](tx, deps, whole, staff.id))
      return true
    } catch (error) {
      // An empty wallet's share is not a valid amount. The contract rejects it before the ledger.
      if (error instanceof AppError || error instanceof RangeError) return false
      throw error
    }
  }

  return {
    ...instance,
    done,
    /** Moves that enriched a group while no time passed. */
    richer,
    fundPools,
    /**
     * Plays concurrent moves, which take one second. A refusal is a valid result. No move may enrich its group; earnings need time.
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
      const gain = (await owned(group)).withReversals - before.withReversals - given
      if (gain > 0n) richer.push(`${group.name}: ${played.join(' and ')} by ${gain}`)
    },
    play(group: Group, move: MoveName, play: Omit<OneMove, 'move'>): Promise<void> {
      return this.playAtOnce(group, [{ move, ...play }])
    },
    /** Sells the group's paid-out coin at the platform's price to an outsider. */
    async sellOutside(group: Group) {
      const { COIN } = (await owned(group)).pocket
      group.paidIn.COIN += COIN
      group.paidIn.USD -= COIN
      count('sellOutside')
    },
    /** Pays in USD or coin: first from earlier payouts, then from external capital. */
    async bring(group: Group, who: TestMember, asset: Asset, amount: Units) {
      const value = asset === 'USD' ? amount * ONE : atPrice(amount)
      const { pocket } = await owned(group)
      if (value > pocket[asset]) group.drawn[asset] += value - pocket[asset]
      group.paidIn[asset] += value
      if (asset === 'USD') await payIn(db, deps, who.id, amount)
      else await fund(db, who.id, 'nativeWallet', amount)
      count(asset === 'USD' ? 'bringUsd' : 'bringCoin')
    },
    /** Returns the group's payouts not yet paid in again, in units. */
    async pocket(group: Group, asset: Asset): Promise<Units> {
      const { pocket } = await owned(group)
      return pocket[asset] / (asset === 'USD' ? ONE : PRICE)
    },
    /** Values the group's assets: coin at its price including stakes, NFTs at zero. */
    worth: async (group: Group): Promise<bigint> => (await owned(group)).now,
    /** Runs the due jobs. */
    async work() {
      for (const job of [...rewardJobs, ...stakingJobs]) await runJob(db, deps, job, 'test')
    },
    nextDay: () => clock.advance(DAY_MS),
    /** Returns the audit's findings. */
    damage: async () =>
      (await runAudit(db, checksOfTests))
        .filter((one) => one.broken > 0)
        .map(({ check, examples }) => `${check.title}: ${examples.join(' ')}`),
  }
}
