import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { payIn, type TestMember } from '../../../../test/members.ts'
import { type Game, type Group, moneyGame } from '../../../../test/money-game.ts'
import type { MoveName } from '../../../../test/money-moves.ts'
import { post } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { addDays, DAY_MS } from '../../../platform/runtime/clock.ts'
import { readBusiness, readTopTeams } from './business.queries.ts'
import { closeBusinessDays, rebuildBusinessDays } from './close-business-days.ts'

const database = await testDatabase()
const { db } = database
const FIRST = '2026-03-03'
const DAYS = 5
/** A moment of day 0 to 4: the first and last millisecond of a day are the edges of its figures. */
const at = (day: number, time: string) => new Date(`${addDays(FIRST, day)}T${time}Z`)
const [MIDNIGHT, BEFORE_MIDNIGHT] = ['00:00:00.000', '23:59:59.999']

let game: Game
let group: Group
let [top, middle, leaf, other]: TestMember[] = []
const close = () => inTransaction(db, (tx) => closeBusinessDays(tx, game.clock.now()))
const days = async () => (await sql<Record<string, unknown>>`select * from business_day order by day`.execute(db)).rows
const teamDays = async () =>
  (await sql<Record<string, unknown>>`select * from business_team_day order by day, level, leader_id`.execute(db)).rows

/** Plays moves one after another at a moment. Each must succeed. */
async function playAt(moment: Date, ...plays: [MoveName, TestMember | undefined, bigint?][]): Promise<void> {
  for (const [move, who, mille = 300n] of plays) {
    game.clock.set(moment)
    if (who === undefined) throw new Error('no such member')
    const before = game.done[move] ?? 0
    await game.playAtOnce(group, [{ move, who, mille, payby: move === 'nft' ? 'depositwallet' : 'mywallet' }])
    expect([move, (game.done[move] ?? 0) - before]).toEqual([move, 1])
  }
}
async function payAt(moment: Date, who: TestMember | undefined, usd: bigint): Promise<void> {
  game.clock.set(moment)
  await payIn(db, game.deps, who?.id ?? 0n, usd * ONE)
}

/** Moves USD from the sales fund to the operator, or back, as proceeds do. */
async function moveProceeds(moment: Date, usd: bigint, kind: 'proceeds' | 'proceedsReturned'): Promise<void> {
  const [fund, outside] = [{ system: 'SYS-SALES', asset: 'USD' } as const, { system: 'SYS-WITHDRAW', asset: 'USD' } as const]
  const [from, to] = kind === 'proceeds' ? [fund, outside] : [outside, fund]
  const cause = { type: 'proceeds_payout', id: 'test' }
  await post(db, { kind, cause, at: moment, transfers: [{ from, to, amount: usd * ONE }] })
}

beforeAll(async () => {
  game = await moneyGame(database, { funded: false })
  await sql`update member set created_at = ${at(0, MIDNIGHT)}, verified_at = ${at(0, MIDNIGHT)}`.execute(db)
  const join = async (moment: Date, options: Parameters<Game['join']>[0] = {}) => {
    game.clock.set(moment)
    return game.join(options)
  }
  top = await join(at(0, BEFORE_MIDNIGHT))
  middle = await join(at(1, MIDNIGHT), { sponsor: top })
  leaf = await join(at(1, BEFORE_MIDNIGHT), { sponsor: middle, verified: false })
  other = await join(at(1, BEFORE_MIDNIGHT))
  group = {
    name: 'all',
    members: [top, middle, leaf, other],
    drawn: { USD: 0n, COIN: 0n },
    paidIn: { USD: 0n, COIN: 0n },
    play: async () => {},
  }
  // The moves advance the clock by a second after each, so each is set back to its moment.
  await payAt(at(1, BEFORE_MIDNIGHT), top, 1000n)
  await payAt(at(2, MIDNIGHT), middle, 2000n)
  await playAt(at(2, MIDNIGHT), ['buy', middle], ['buy', middle], ['exchange', middle, 500n], ['stake', middle, 500n])
  await playAt(at(2, BEFORE_MIDNIGHT), ['buy', top], ['nft', top], ['withdraw', top, 200n], ['approve', top])
  game.clock.set(at(2, BEFORE_MIDNIGHT))
  await sql`update member set is_verified = true, updated_at = ${game.clock.now()} where id = ${leaf?.id ?? 0n}`.execute(db)
  await payAt(at(3, MIDNIGHT), leaf, 500n)
  await playAt(at(3, MIDNIGHT), ['buy', leaf, 900n], ['reverseCoin', top], ['reverseNft', top], ['withdraw', middle, 200n])
  await playAt(
    at(3, BEFORE_MIDNIGHT),
    ['reject', middle],
    ['sell', middle, 300n],
    ['bridge', middle, 300n],
    ['approve', middle],
    ['reverseStake', middle],
  )
  await moveProceeds(at(2, BEFORE_MIDNIGHT), 70n, 'proceeds')
  await moveProceeds(at(3, MIDNIGHT), 30n, 'proceeds')
  await moveProceeds(at(4, MIDNIGHT), 30n, 'proceedsReturned')
  await payAt(at(4, MIDNIGHT), other, 100n)
  await playAt(at(4, MIDNIGHT), ['buy', other, 1000n], ['withdraw', top, 300n], ['approve', top])
  game.clock.set(at(DAYS, '00:09:59.999'))
})

it('closes no day within ten minutes after its end, and then each day once', async () => {
  expect(await close()).toBe(DAYS - 1)
  expect(await close()).toBe(0)
  game.clock.set(at(DAYS, '00:10:00.000'))
  expect(await close()).toBe(1)
  expect(await close()).toBe(0)
  expect(await days()).toHaveLength(DAYS)
})

it('counts each member on the day of the first time, on both sides of midnight', async () => {
  const counts = (await days()).map((day) => ['registered', 'verified', 'deposited', 'bought', 'staked'].map((step) => Number(day[step])))
  expect(counts).toEqual([
    // The game's own staff member registered on the first day too.
    [2, 2, 0, 0, 0],
    [3, 2, 1, 0, 0],
    [0, 1, 1, 2, 1],
    [0, 0, 1, 1, 0],
    [0, 0, 1, 1, 0],
  ])
  const last = (await days()).at(-1)
  expect(last).toMatchObject({ total_registered: 5n, total_verified: 5n, total_deposited: 4n, total_bought: 4n, total_staked: 1n })
})

describe('amounts of a day', () => {
  /** Sums the ledger's flows of each day, by system account and kind. It shares nothing with the job's query. */
  const flows = async () =>
    (
      await sql<Record<string, unknown>>`
      select d.day, coalesce(sum(case
          when a.kind = 'SYS-COIN' and t.kind in ('buyToken', 'buyTokenReversed', 'convertToMyWallet') then e.amount end), 0)::bigint as coin_sold,
        -coalesce(sum(case when a.kind = 'SYS-SALES' and t.kind in ('buyToken', 'buyTokenReversed', 'convertToMyWallet') then e.amount end), 0)::bigint as usd_for_coin,
        -coalesce(sum(case when a.kind = 'SYS-SALES' and t.kind in ('nftPurchase', 'nftPurchaseReversed') then e.amount end), 0)::bigint as usd_for_nfts,
        -coalesce(sum(case when a.kind = 'SYS-COIN' and t.kind in ('myWalletToUsd', 'rcmToUsd') then e.amount end), 0)::bigint as coin_bought_back,
        coalesce(sum(case when a.kind = 'SYS-SALES' and t.kind in ('myWalletToUsd', 'rcmToUsd') then e.amount end), 0)::bigint as usd_for_bought_back,
        coalesce(sum(case when a.kind = 'SYS-DEPOSIT' and a.asset = 'USD' and t.kind <> 'testFunds' then e.amount end), 0)::bigint as usd_deposited,
        -coalesce(sum(case when a.kind = 'SYS-FEE' and a.asset = 'USD' then e.amount end), 0)::bigint as usd_fees,
        -coalesce(sum(case when a.kind = 'SYS-FEE' and a.asset = 'COIN' then e.amount end), 0)::bigint as coin_fees,
        -coalesce(sum(case when a.kind = 'SYS-WITHDRAW' and t.kind not in ('proceeds', 'proceedsReturned') then e.amount end), 0)::bigint as usd_paid,
        coalesce(sum(case when a.kind = 'SYS-SALES' and t.kind in ('proceeds', 'proceedsReturned') then e.amount end), 0)::bigint as usd_proceeds,
        -coalesce(sum(case when a.kind = 'SYS-BRIDGE' then e.amount end), 0)::bigint as coin_bridged,
        coalesce(sum(case when a.kind = 'stakeWallet' and t.kind = 'stake' then -e.amount end), 0)::bigint as coin_staked,
        coalesce(sum(case when a.kind = 'stakeWallet' and t.kind in ('stakeMatured', 'stakeReversed') then e.amount end), 0)::bigint as coin_unstaked
      from (select day::date as day from generate_series(${FIRST}::date, ${addDays(FIRST, DAYS - 1)}::date, interval '1 day') day) d
      left join (ledger_transfer t join lateral (values (t.debit_account, t.amount), (t.credit_account, -t.amount)) e (account, amount) on true
        join ledger_account a on a.id = e.account) on (t.created_at at time zone 'UTC')::date = d.day
      group by d.day order by d.day`.execute(db)
    ).rows

  it('are those that the ledger moved on it, and the totals those of the wallets', async () => {
    const wanted = await flows()
    const found = await days()
    // Every amount occurs, so that no comparison is of zeros only.
    for (const name of Object.keys(wanted[0] ?? {})) expect([name, wanted.some((row) => row[name] !== 0n)]).toEqual([name, true])
    expect(found.map((row) => Object.fromEntries(Object.keys(wanted[0] ?? {}).map((name) => [name, row[name]])))).toEqual(wanted)
    const stakes = await sql<{ count: bigint; sum: bigint }>`
      select count(*) as count, coalesce(sum(amount), 0)::bigint as sum from stake where status = 'ACTIVE'`.execute(db)
    expect(found.at(-1)).toMatchObject({ stakes_active: stakes.rows[0]?.count, coin_in_stakes: stakes.rows[0]?.sum })
    expect(found.map((row) => [row['stakes_active'], row['nfts_sold']].map(Number))).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
      [0, -1],
      [0, 0],
    ])
  })

  it('include the withdrawals requested, paid and rejected on it', async () => {
    const names = ['withdrawals_requested', 'withdrawals_paid', 'withdrawals_rejected']
    expect((await days()).map((row) => names.map((name) => Number(row[name])))).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [1, 1, 0],
      [1, 0, 1],
      [1, 1, 0],
    ])
  })
})

describe('teams', () => {
  it("sums the teams of one level to the platform's total, each team with its leader and the whole downline", async () => {
    const sums = async (level: number) =>
      Object.fromEntries(
        (
          await sql<{ id: bigint; usd: bigint }>`select leader_id as id, sum(usd_taken)::bigint as usd from business_team_day
            where level = ${level} group by leader_id`.execute(db)
        ).rows.map((row) => [String(row.id), row.usd]),
      )
    const paidBy = async (...who: (TestMember | undefined)[]) =>
      (
        await sql<{ usd: bigint }>`select coalesce(sum(charged), 0)::bigint as usd from coin_purchase
          where reversed_at is null and member_id = any(${who.map((one) => one?.id ?? 0n)}::bigint[])`.execute(db)
      ).rows[0]?.usd
    const [roots, seconds] = [await sums(0), await sums(1)]
    expect(roots[String(top?.id)]).toBe(await paidBy(top, middle, leaf))
    expect(roots[String(other?.id)]).toBe(await paidBy(other))
    expect(seconds).toEqual({ [String(middle?.id)]: await paidBy(middle, leaf) })
    const taken = (await days()).reduce((sum, day) => sum + (day['usd_for_coin'] as bigint) + (day['usd_for_nfts'] as bigint), 0n)
    expect(Object.values(roots).reduce((sum, usd) => sum + usd, 0n)).toBe(taken)
  })

  it('are listed by USD taken, with the period before', async () => {
    const { teams, period, before } = await readTopTeams(db, game.clock.now(), '7', 0)
    expect(teams.map(({ leader }) => leader.id)).toEqual([top?.publicId, other?.publicId, expect.any(String)])
    expect([period, before]).toEqual([
      { from: addDays(FIRST, DAYS - 7), through: addDays(FIRST, DAYS - 1) },
      { from: addDays(FIRST, DAYS - 14), through: addDays(FIRST, DAYS - 8) },
    ])
    const later = await readTopTeams(db, new Date(game.clock.now().getTime() + DAY_MS), '7', 0)
    expect(later).toEqual({ teams, period, before })
  })
})

it('returns the same figures after a rebuild, although purchases, stakes and payouts have changed since', async () => {
  const before = [await days(), await teamDays()]
  await playAt(at(DAYS, '12:00:00.000'), ['reverseCoin', leaf], ['withdraw', top, 200n])
  await sql`update payout_request set status = 'REJECTED', returned_at = ${game.clock.now()} where status = 'APPROVED' and kind = 'withdrawal'`.execute(
    db,
  )
  expect(await inTransaction(db, (tx) => rebuildBusinessDays(tx, game.clock.now()))).toBe(DAYS)
  expect([await days(), await teamDays()]).toEqual(before)
})

it('rejects a change of a closed day', async () => {
  await expect(sql`update business_day set coin_sold = 0`.execute(db)).rejects.toThrow()
  await expect(sql`update business_team_day set usd_taken = 0`.execute(db)).rejects.toThrow()
})

it('reads today so far beside the closed days, and puts it into no period before it is closed', async () => {
  const read = await readBusiness(db, game.deps, game.clock.now(), '7')
  expect(read.today).toMatchObject({ withdrawalsRequested: 1, withdrawalsReturned: 2, bought: 0 })
  expect(read.today.coinSold < 0n).toBe(true)
  expect(read.period?.through).toBe(addDays(FIRST, DAYS - 1))
  expect(read.days.map(({ day }) => day)).toEqual(Array.from({ length: DAYS }, (_, day) => addDays(FIRST, day)))
  expect(read.sums.bought).toBe(4)
  expect(read.openPayouts).toMatchObject([{ asset: 'usd', state: 'pending', upToOneDay: 1, upToThreeDays: 0, older: 0 }])
  game.clock.advance(2 * DAY_MS)
  expect((await readBusiness(db, game.deps, game.clock.now(), '7')).openPayouts).toMatchObject([
    { upToOneDay: 0, upToThreeDays: 1, older: 0 },
  ])
  await close()
  const closed = await readBusiness(db, game.deps, game.clock.now(), '7')
  const day = closed.days.find((one) => one.day === addDays(FIRST, DAYS))
  expect(day).toMatchObject(read.today)
})
