import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { runJob } from '../src/jobs/job.ts'
import { post } from '../src/ledger/index.ts'
import { depositJobs } from '../src/modules/deposits/index.ts'
import type { SandboxWallet } from '../src/modules/deposits/ports.ts'
import { addProgramme } from '../src/modules/rewards/index.ts'
import { applySettings } from '../src/modules/settings/index.ts'
import { staffRecurringJobs } from '../src/modules/staff/index.ts'
import { transferJobs } from '../src/modules/transfers/index.ts'
import { AppError } from '../src/platform/runtime/app-error.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { DAY_MS } from '../src/platform/runtime/clock.ts'
import { pastChain } from '../src/sandbox/demo/past-chain.ts'
import { setCommitment } from './commitment.ts'
import type { TestDatabase } from './database.ts'
import { dice } from './dice.ts'
import { createTestMember, fillSalesFund, FREE_TRANSFERS, fund, payIn, TEST_PASSWORD, type TestMember } from './members.ts'
import { brokenRules, countRewardDays, type Facts, freeCoverage, unpaidRewards } from './money-judges.ts'
import { type MoveName, moves, ownersOfNewest, type PlanName } from './money-moves.ts'
import { drawOffers, type Event, EVENTS, isMove, NEEDS, type Step } from './money-offers.ts'
import { json, movesByWire, openWire, salesByWire } from './money-wire.ts'
import { testInstance } from './test-instance.ts'
import { unusedProvider } from './unused-provider.ts'

/** For tests: a platform with random offers, on which members and staff make random calls over HTTP. */

/**
 * Plays a sequence of random calls on a platform with random offers.
 * @param done counts the successful calls over all sequences
 * @returns the rules that the platform broke, with the calls before
 */
export async function playWorld(database: TestDatabase, seed: number, steps: number, done: Map<string, number>): Promise<string[]> {
  const roll = dice(Math.imul(seed, 2_654_435_761) >>> 0)
  // The first numbers of neighboring seeds are similar.
  for (let skipped = 0; skipped < 5; skipped += 1) roll(2)
  const oneOf = <T>(list: readonly [T, ...T[]]): T => list[roll(list.length)] ?? list[0]
  const world = drawOffers(roll)
  const facts: Facts = { ...world, deposits: 0n, coinIn: 0n }
  const has: Partial<Record<Step, boolean>> = { price: world.hasPriceChanges, block: world.hasBlocks }
  const log: string[] = []
  const instance = await testInstance(database)
  const { db, deps, clock } = instance
  const events: Record<Event, () => Promise<boolean>> = {
    price: changePrice,
    fund: fundPool,
    programme: changeProgramme,
    block: () => instance.setActive(someone(), roll(2) === 0).then(() => true),
    askSale,
    withdrawSale,
    comeBack,
    close: () => wire.done(wire.call(idle, '/profile/closing', { password: TEST_PASSWORD })),
    deposit: () => deposit(someone(), BigInt(1 + roll(2000)) * ONE).then(() => true),
    bringCoin: () => bringCoin(someone(), BigInt(1 + roll(5000)) * ONE).then(() => true),
    days: async () => {
      clock.advance((1 + roll(3)) * DAY_MS)
      await work()
      return true
    },
    crowd,
    invoice,
  }
  await setUp()
  const chain = pastChain()
  const sandboxWallet: SandboxWallet = {
    pay({ to, token, amounts }) {
      for (const amount of amounts) {
        if (token === 'coin') facts.coinIn += amount
        else facts.deposits += amount
        chain.pay({ address: to, amount, asset: token === 'coin' ? 'COIN' : 'USD', minedAt: clock.now() })
      }
      return Promise.resolve()
    },
  }
  const deposits = { provider: unusedProvider, chain, sandboxWallet, noticeUrl: '' }
  const wire = await openWire(instance, deposits)
  const play = await movesByWire(instance, world.plans, wire)
  const sales = salesByWire(wire, world.plans)
  const members: TestMember[] = []
  for (let index = 0; index < 5; index += 1) members.push(await join(world.isLine ? members.at(-1) : members[0]))
  const idle = await join(members[1])
  // A member who only stakes, and must get exactly what the receipt says.
  const honest = await join(members[0])
  await bringCoin(honest, 1000n * ONE)
  await play('stake', { who: honest, other: honest, mille: 1000n, dust: 0n, plan: 'sprint', payby: 'nativewallet' })
  // The first member is only a sponsor: purchases without a sponsor use new money and earn nothing.
  for (const who of members.slice(1)) {
    await deposit(who, BigInt(200 + roll(3000)) * ONE)
    if (roll(2) === 0) await bringCoin(who, BigInt(100 + roll(400_000)) * ONE)
    const all = { who, other: who, mille: 990n, dust: 0n, plan: 'sprint', payby: 'mywallet' } as const
    for (const move of ['buy', 'exchange'] as const) count(move, await play(move, all))
  }

  for (let step = 0; step <= steps; step += 1) {
    // One crowd in each sequence, before a member is blocked. Otherwise, a batch whose calls compete for the coverage would be rare.
    if (step === 0) count('crowd', await crowd())
    else await playStep()
    const broken = await brokenRules(db, step === 0 ? { ...facts, hasBlocks: false } : facts)
    if (broken.length > 0) return [...broken, `world: ${describe()}`, ...log]
  }
  if (world.jumpDays === 0) {
    for (let days = world.plans.sprint.days + 1; days > 0; days -= 3) {
      clock.advance(3 * DAY_MS)
      await work()
    }
    const broken = [...(await unpaidRewards(db, honest.id)), ...(await brokenRules(db, facts))]
    return broken.length > 0 ? [...broken, `world: ${describe()}`, ...log] : []
  }
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
    for (const job of [...transferJobs, ...staffRecurringJobs.filter(({ name }) => name === 'watch-platform')])
      await runJob(db, deps, job, 'test')
  }

  async function setUp() {
    await setCommitment(db, 0n)
    await instance.fundPool('COIN', world.poolCoin)
    await instance.fundPool('USD', world.poolUsd)
    await fillSalesFund(db, world.salesFund)
    const { price, bridgeFeePercent, holdDays } = world
    const changes = {
      coinPrice: price,
      // The price may not rise above it.
      convertRate: 2n * price,
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

  /** Two staff members change the price at once, or announce it. */
  async function changePrice(): Promise<boolean> {
    const isAnnounced = world.hasAnnouncedPrices && roll(2) === 0
    const price = ((await currentPrice()).price * BigInt(oneOf([96, 97, 103, 104]))) / 100n
    const startsAt = isAnnounced ? { startsAt: new Date(clock.now().getTime() + DAY_MS + 60_000).toISOString() } : {}
    const value = { coinPrice: json(price) }
    const { body } = await wire.call(wire.maker, '/staff/changes', { subject: 'price', value, reason: 'test', ...startsAt })
    return body.data !== undefined && wire.done(wire.call(wire.checker, `/staff/changes/${body.data.id}/approve`, { reason: 'test' }))
  }

  /** The operator leaves as much free coverage as a few sales need, so that concurrent sales compete for it. */
  async function fundPool(payby: 'depositwallet' | 'nativewallet' | 'mywallet' = 'nativewallet'): Promise<boolean> {
    const wallet = payby === 'mywallet' ? 'icoWallet' : 'nativeWallet'
    const { rows } = await sql<{ total: bigint }>`
      select coalesce(sum(balance), 0)::bigint as total from ledger_account where kind = ${wallet}`.execute(db)
    await leaveCoverage('COIN', ((rows[0]?.total ?? 0n) * oneOf([1n, 3n, 10n, 30n])) / 100n)
    await leaveCoverage('USD', BigInt(10 + roll(250)) * ONE)
    return true
  }

  /**
   * Members buy at once, in one batch, while the coverage suffices for some of them. One purchase before shows how much a purchase promises.
   */
  async function crowd(): Promise<boolean> {
    const move = oneOf(['buy', 'stake', 'nft'] as const)
    const asset = move === 'nft' ? 'USD' : 'COIN'
    const buyers = members.slice(1)
    for (const who of buyers) await (move === 'stake' ? bringCoin(who, 2500n * ONE) : deposit(who, 120n * ONE))
    const free = await freeCoverage(db, asset)
    await leaveCoverage(asset, 10_000_000n * ONE)
    const plan = oneOf<PlanName>(['sprint', 'long', 'omega'])
    const rest = { other: idle, mille: 0n, plan, payby: move === 'nft' ? 'depositwallet' : 'nativewallet' } as const
    const prepare = (who: TestMember, index: number) => sales[move]({ who, ...rest, dust: 1000n * ONE + BigInt(index) })
    if (!(await (await prepare(buyers[0] ?? idle, 0))())) return false
    const promised = 10_000_000n * ONE - (await freeCoverage(db, asset))
    await leaveCoverage(asset, (promised * oneOf([12n, 15n, 25n])) / 10n)
    // An equal call is accepted again after ten seconds.
    clock.advance(11_000)
    const calls = await Promise.all(buyers.map((who, index) => prepare(who, index + 1)))
    for (const who of buyers) await wire.tokenOf(who)
    const results = await Promise.all(calls.map((call) => call()))
    const broken = await brokenRules(db, { ...facts, hasBlocks: false })
    if (broken.length === 0) await leaveCoverage(asset, free > 0n ? free : 0n)
    return results.some(Boolean)
  }

  async function leaveCoverage(asset: 'COIN' | 'USD', amount: Units) {
    const missing = amount - (await freeCoverage(db, asset))
    if (missing === 0n) return
    const [operator, pool] = [{ system: 'SYS-OPERATOR', asset } as const, { system: 'SYS-REWARD', asset } as const]
    const [from, to] = missing > 0n ? [operator, pool] : [pool, operator]
    const transfers = [{ from, to, amount: missing > 0n ? missing : -missing }]
    await post(db, { kind: 'testFunds', cause: { type: 'test', id: 'pool' }, at: clock.now(), transfers })
  }

  /** A new version of the programme. A version that is not covered is refused. */
  async function changeProgramme(): Promise<boolean> {
    const at = clock.now()
    const rules = oneOf([
      { referralPercent: 0n },
      { referralPercent: 2n * ONE },
      { referralPercent: 5n * ONE },
      { levelPercents: [2n * ONE, ONE, ONE, 0n, 0n] },
    ])
    try {
      await inTransaction(db, (tx) => addProgramme(tx, { rules, startsAt: at, at, reason: 'test', by: wire.maker.id }))
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  /** A member pays an invoice in the sandbox, often twice at once, and the worker credits what has arrived. */
  async function invoice(): Promise<boolean> {
    const who = someone()
    const opened = await wire.call(who, '/autoPayRoutes/create-invoice', { amount: json(BigInt(1 + roll(50_000)) * ONE) })
    const id: string | undefined = opened.body.data?.data?.invoice_id
    if (id === undefined) return false
    const outcome = oneOf(['exact', 'half', 'double', 'two', 'late', 'wrong'])
    const pay = () => wire.done(wire.call(who, `/invoice-api/sandbox/invoices/${id}/pay`, { outcome }))
    const payments = await Promise.all(roll(2) === 0 ? [pay()] : [pay(), pay()])
    for (let poll = 0; poll < 2; poll += 1) {
      clock.advance(15_000)
      await sql`update deposit set next_check_at = ${clock.now()} where public_id = ${id} and next_check_at is not null`.execute(db)
      for (const job of depositJobs(deposits)) await runJob(db, deps, job, 'test')
    }
    return payments.some(Boolean)
  }

  async function askSale(): Promise<boolean> {
    const { price } = await currentPrice()
    const body = {
      amount: json(BigInt(1 + roll(100_000)) * ONE),
      lowestPrice: json((price * BigInt(95 + roll(8))) / 100n),
      days: 1 + roll(5),
    }
    return wire.done(wire.call(someone(), '/my-wallet/sell-requests', body))
  }

  /** Staff return one of the newest approved payouts, which was not sent yet. */
  async function comeBack(): Promise<boolean> {
    const { rows } = await sql<{ id: string; kind: string }>`
      select p.public_id as id, p.kind from payout_request p join payout_sending s on s.request_id = p.id
      where s.ended_at is null order by p.id desc limit 3`.execute(db)
    const { id, kind } = rows[roll(rows.length || 1)] ?? {}
    const path = `/staff/queues/${kind === 'bridge' ? 'bridges' : 'withdrawals'}/${id}/stop-sending`
    return id !== undefined && wire.done(wire.call(wire.maker, path, { reason: 'test' }))
  }

  async function withdrawSale(): Promise<boolean> {
    const { rows } = await sql<{ id: string; member: bigint }>`
      select public_id as id, member_id as member from sell_request where status = 'OPEN' order by id desc limit 1`.execute(db)
    return rows[0] !== undefined && wire.done(wire.call({ id: rows[0].member }, '/my-wallet/sell-requests/withdraw', { id: rows[0].id }))
  }

  async function deposit(who: TestMember, amount: Units) {
    facts.deposits += amount
    await payIn(db, deps, who.id, amount)
  }

  async function bringCoin(who: TestMember, amount: Units) {
    facts.coinIn += amount
    await fund(db, who.id, 'nativeWallet', amount)
  }

  function drawStep(): Step {
    const often = world.often[roll(world.often.length)] ?? 'buy'
    const all = [...EVENTS, ...Object.keys(moves).filter(isMove)]
    const step = roll(4) === 0 ? (all[roll(all.length)] ?? often) : often
    return has[step] === false ? 'buy' : step
  }

  async function drawPlay(move: MoveName) {
    const table = NEEDS[move]?.rows
    return {
      who: (table !== undefined && roll(3) > 0 && (await ownerOfNewest(table))) || someone(),
      other: someone(),
      mille: oneOf([1000n, 1000n, 990n, 500n, 500n, 250n, 100n, 1n]),
      dust: oneOf([0n, 0n, -1n, 1n]),
      plan: oneOf<PlanName>(['sprint', 'long', 'omega']),
      payby: oneOf<'depositwallet' | 'nativewallet' | 'mywallet'>(['depositwallet', 'nativewallet', 'mywallet']),
    }
  }

  async function ownerOfNewest(table: Parameters<typeof ownersOfNewest>[1]): Promise<TestMember | undefined> {
    const owners = await ownersOfNewest(db, table)
    const drawn = owners[roll(owners.length || 1)]
    return members.find(({ id }) => id === drawn)
  }

  /** One call, different calls at once, or one call of each member at once, which the server groups. */
  async function drawMoves(move: MoveName) {
    const first = { move, play: await drawPlay(move) }
    const kind = roll(4)
    if (kind < 2) return [first]
    if (kind === 2) {
      const others = [drawStep(), drawStep()].filter(isMove)
      return [first, ...(await Promise.all(others.map(async (other) => ({ move: other, play: await drawPlay(other) }))))]
    }
    if (roll(3) > 0) await fundPool(first.play.payby)
    // Two transactions run at the same moment, so that a batch needs more calls. The amounts differ, because equal calls are refused.
    const parts = [first.play.mille / 2n, first.play.mille / 2n - 1n]
    return parts.flatMap((mille) => members.slice(1).map((who) => ({ move, play: { ...first.play, who, mille } })))
  }

  async function playStep() {
    let step = drawStep()
    for (let need = NEEDS[step]; need !== undefined && (await ownersOfNewest(db, need.rows)).length === 0; need = NEEDS[step])
      step = need.before
    if (isMove(step)) await playMoves(step)
    else count(step, await events[step]())
    clock.advance(1000)
  }

  async function playMoves(move: MoveName) {
    const drawn = await drawMoves(move)
    for (const { play: one } of drawn) await wire.tokenOf(one.who)
    const results = await Promise.all(drawn.map((one) => play(one.move, one.play)))
    for (const [index, { move: name, play: one }] of drawn.entries())
      count(`${name}${one.plan === 'long' && name === 'stake' ? ' long' : ''}`, results[index] ?? false)
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
