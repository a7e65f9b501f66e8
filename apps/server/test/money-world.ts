import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { createPorts } from '../src/main/ports.ts'
import { bindRoutes } from '../src/main/routes.ts'
import { applySettings } from '../src/modules/settings/index.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { DAY_MS } from '../src/platform/runtime/clock.ts'
import { testApp } from './app.ts'
import { setCommitment } from './commitment.ts'
import type { TestDatabase } from './database.ts'
import { dice } from './dice.ts'
import { createTestMember, fillSalesFund, FREE_TRANSFERS, fund, payIn, type TestMember } from './members.ts'
import { brokenRules, type Facts, countRewardDays } from './money-judges.ts'
import { type MoveName, moves, type PlanName } from './money-moves.ts'
import { movesByWire, type Plans } from './money-wire.ts'
import { testInstance } from './test-instance.ts'

/** For tests: a platform with drawn offers, on which members and staff make drawn calls over HTTP. */

/**
 * Groups of moves that need each other. A world plays two groups: sequences with few kinds of moves reach deeper states than sequences
 * with all kinds.
 */
const GROUPS: readonly [readonly MoveName[], ...(readonly MoveName[])[]] = [
  ['buy', 'exchange', 'sell'],
  ['buy', 'send'],
  ['buy', 'exchange', 'sell', 'bridge', 'reject'],
  ['stake', 'stake', 'exchange'],
  ['nft', 'nftToDeposit', 'convert', 'reverseNft'],
  ['stake', 'gift', 'reverseStake', 'reverseCoin'],
  ['withdraw', 'approve', 'reject', 'send'],
]
const isMove = (name: string): name is MoveName => name in moves

/** Draws the offers of a world. */
function drawOffers(roll: (below: number) => number) {
  const oneOf = <T>(...list: readonly [T, ...T[]]): T => list[roll(list.length)] ?? list[0]
  const plans: Plans = {
    sprint: { days: oneOf(1, 3, 7), apy: ONE / 5n + BigInt(roll(1000)), omega: false },
    long: { days: oneOf(365, 500, 730), apy: oneOf(ONE, 17n * ONE, 40n * ONE), omega: false },
    omega: { days: oneOf(12, 364), apy: oneOf(ONE, 9n * ONE), omega: true },
  }
  return {
    plans,
    nftPercent: BigInt(oneOf(12, 60, 100, 120)) * ONE,
    price: oneOf(800_000n, 837_001n, 1_234_567n, 999_999n),
    bridgeFeePercent: oneOf(0n, 3n, 5n, 7n) * ONE,
    poolCoin: oneOf(6_000n, 20_000n, 60_000n, 600_000n, 100_000_000n) * ONE,
    poolUsd: oneOf(60n, 600n, 1_000_000n) * ONE,
    /** A line of accounts, or all below one sponsor. */
    isLine: roll(2) === 0,
    often: [...oneOf(...GROUPS), ...oneOf(...GROUPS)],
    holdDays: oneOf(1, 3, 10),
    hasPriceChanges: roll(3) === 0,
    hasBlocks: roll(4) === 0,
    /** Days that the clock jumps at the end. */
    jumpDays: oneOf(0, 6, 8, 31),
  }
}

/**
 * Plays a sequence of drawn moves in a drawn world.
 * @param done counts the successful moves over all sequences
 * @returns the rules that the platform broke, with the moves that led there
 */
export async function playWorld(database: TestDatabase, seed: number, steps: number, done: Map<string, number>): Promise<string[]> {
  const roll = dice(Math.imul(seed, 2_654_435_761) >>> 0)
  // The first numbers of neighboring seeds are similar.
  for (let skipped = 0; skipped < 5; skipped += 1) roll(2)
  const oneOf = <T>(list: readonly [T, ...T[]]): T => list[roll(list.length)] ?? list[0]
  const world = drawOffers(roll)
  const facts: Facts = { ...world, deposits: 0n, coinIn: 0n }
  const log: string[] = []
  const instance = await testInstance(database)
  const { db, deps, clock } = instance
  await setUp()
  const play = await movesByWire(instance, world.plans)
  const staffCall = await staffOf()
  const members: TestMember[] = []
  for (let index = 0; index < 5; index += 1) members.push(await join(world.isLine ? members.at(-1) : members[0]))
  // The first member is only a sponsor: purchases without a sponsor use new money and earn nothing.
  for (const who of members.slice(1)) {
    await deposit(who, BigInt(200 + roll(3000)) * ONE)
    if (roll(2) === 0) await bringCoin(who, BigInt(100 + roll(400_000)) * ONE)
    const all = { who, other: who, mille: 990n, dust: 0n, plan: 'sprint', payby: 'mywallet' } as const
    for (const move of ['buy', 'exchange'] as const) count(move, await play(move, all))
  }

  for (let step = 0; step < steps; step += 1) {
    await playStep()
    const broken = await brokenRules(db, facts)
    if (broken.length > 0) return [...broken, `world: ${describe()}`, ...log]
  }
  if (world.jumpDays === 0) return []
  await work()
  const before = await countRewardDays(db)
  clock.advance(world.jumpDays * DAY_MS)
  for (let run = 0; run < 3; run += 1) await work()
  const paid = (await countRewardDays(db)) - before
  // The open day and three missing days may be paid without a person.
  return paid > 4 ? [`a jump of ${world.jumpDays} days paid ${paid} days`, ...log] : []

  function describe(): string {
    return JSON.stringify(world, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  }

  function join(sponsor?: TestMember): Promise<TestMember> {
    return createTestMember(db, { ...(sponsor && { sponsorId: sponsor.id }), verified: true, specialRcm: true, at: clock.now() })
  }

  async function work() {
    await instance.mature()
    await instance.job()
  }

  async function setUp() {
    await setCommitment(db, 0n)
    await instance.fundPool('COIN', world.poolCoin)
    await instance.fundPool('USD', world.poolUsd)
    await fillSalesFund(db, 1_000_000_000n * ONE)
    const { price, bridgeFeePercent, holdDays } = world
    const changes = {
      coinPrice: price,
      convertRate: price,
      bridgeFeePercent,
      rewardHoldDays: holdDays,
      exchangeLimit: 100n * ONE,
      minCoin: 1n,
      ...FREE_TRANSFERS,
    }
    await inTransaction(db, (tx) => applySettings(tx, deps, { changes, actorId: null, reason: 'test' }))
    // Prices of another day count for no one.
    clock.advance(2 * DAY_MS)
    for (const [name, plan] of Object.entries(world.plans))
      await sql`insert into stake_plan (public_id, name, duration_days, minimum, apy, is_omega, status, created_at)
        values (${name}, ${name}, ${plan.days}, 0, ${plan.apy}, ${plan.omega}, 'ACTIVE', ${clock.now()})`.execute(db)
    await sql`insert into nft (public_id, kind, name, price, duration_months, total_percent, status, created_at)
      values ('wagon', 'wagon', 'Wagon', ${50n * ONE}, 2, ${world.nftPercent}, 'ACTIVE', ${clock.now()})`.execute(db)
  }

  async function staffOf() {
    const ports = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
    const app = await testApp(db, { clock, routes: (bind) => bindRoutes(bind, ports) })
    const [maker, checker] = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db, { role: 'ADMIN' })]
    const call = async (who: TestMember, path: string, body: object) =>
      app.call('POST', path, { token: (await app.signIn(who.id)).token, body })
    /** Two staff members change the price at once, or announce it. */
    return async (value: object, startsAt?: Date) => {
      const proposal = { subject: 'price', value, reason: 'test', ...(startsAt && { startsAt: startsAt.toISOString() }) }
      const { body } = await call(maker, '/staff/changes', proposal)
      const id = body.data?.proposalId
      return id !== undefined && (await call(checker, `/staff/changes/${id}/approve`, { reason: 'test' })).status === 200
    }
  }

  async function deposit(who: TestMember, amount: Units) {
    facts.deposits += amount
    await payIn(db, deps, who.id, amount)
  }

  async function bringCoin(who: TestMember, amount: Units) {
    facts.coinIn += amount
    await fund(db, who.id, 'nativeWallet', amount)
  }

  function drawMove() {
    const often = world.often[roll(world.often.length)] ?? 'buy'
    const all = Object.keys(moves).filter(isMove)
    return {
      move: roll(8) === 0 ? (all[roll(all.length)] ?? often) : often,
      play: {
        who: someone(),
        other: someone(),
        mille: oneOf([1000n, 1000n, 1000n, 990n, 500n, 250n, 100n, 1n]),
        dust: oneOf([0n, 0n, -1n, 1n]),
        plan: oneOf<PlanName>(['sprint', 'long', 'omega']),
        payby: oneOf<'depositwallet' | 'nativewallet' | 'mywallet'>(['depositwallet', 'nativewallet', 'mywallet']),
      },
    }
  }

  /** One call, several calls of one kind at once, which the server groups, or different calls at once. */
  function drawMoves() {
    const first = drawMove()
    const kind = roll(4)
    if (kind < 2) return [first]
    if (kind === 2) return [first, drawMove(), drawMove()]
    return [first, ...[1, 2, 3].map(() => ({ move: first.move, play: { ...drawMove().play, mille: first.play.mille } }))]
  }

  async function playStep() {
    const event = roll(12)
    if (event === 0) {
      const days = 1 + roll(3)
      log.push(`${days} days later`)
      clock.advance(days * DAY_MS)
      await work()
    } else if (event === 1) await deposit(someone(), BigInt(1 + roll(2000)) * ONE)
    else if (event === 2) await bringCoin(someone(), BigInt(1 + roll(5000)) * ONE)
    else if (event === 3 && world.hasPriceChanges) {
      const percent = BigInt(oneOf([96, 98, 102, 104, 105]))
      const isAnnounced = roll(3) === 0
      const { price } = await currentPrice()
      const changed = await staffCall(
        { coinPrice: Number((price * percent) / 100n) / 1e8 },
        isAnnounced ? new Date(clock.now().getTime() + DAY_MS + 60_000) : undefined,
      )
      count('price', changed)
    } else if (event === 4 && world.hasBlocks) await instance.setActive(someone(), roll(2) === 0)
    else await playMoves()
  }

  async function playMoves() {
    const drawn = drawMoves()
    const results = await Promise.all(drawn.map(({ move, play: one }) => play(move, one)))
    clock.advance(1000)
    for (const [index, { move, play: one }] of drawn.entries())
      count(`${move}${one.plan === 'long' && move === 'stake' ? ' long' : ''}`, results[index] ?? false)
  }

  function count(name: string, succeeded: boolean) {
    if (!succeeded) return
    done.set(name, (done.get(name) ?? 0) + 1)
    log.push(name)
  }

  async function currentPrice() {
    const found = await sql<{ price: bigint }>`
      select coin_price as price from setting where starts_at <= ${clock.now()} order by starts_at desc, version desc limit 1`.execute(db)
    return found.rows[0] ?? { price: world.price }
  }

  function someone(): TestMember {
    const found = members[1 + roll(members.length - 1)]
    if (found === undefined) throw new Error('a world has members')
    return found
  }
}
