import type { allRoutes } from '@tizara/contract/all-routes'
import { dailyReward, exchangeShare, ONE, quoteBuy, type Units } from '@tizara/money'
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { searchParameters } from '../../../../../test/search.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fillSalesFund, fund, type TestMember } from '../../members.ts'
import type { Bind } from '../../../src/http/calls/bind-route.ts'
import type { Context } from '../../../src/http/calls/call.ts'
import { type BatchHandler, withSavepoint, worthRetrying } from '../../../src/http/calls/money-group.ts'
import { WALLETS } from '../../../src/ledger/chart-of-accounts.ts'
import { post, walletKinds } from '../../../src/ledger/index.ts'
import { applySettings } from '../../../src/modules/settings/index.ts'
import { AppError } from '../../../src/platform/runtime/app-error.ts'
import { testClock } from '../../../src/platform/runtime/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { inTransaction, type Tx } from '../../../src/platform/db/database.ts'
import type { Deps } from '../../../src/platform/runtime/deps.ts'
import { randomIds } from '../../../src/platform/runtime/ids.ts'
import { createLog } from '../../../src/platform/runtime/log.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'
import { setCommitment } from '../../commitment.ts'

type Route = (typeof allRoutes)[number]
type Run = BatchHandler<Route>

const config = readConfig({ NODE_ENV: 'test', RATE_LIMIT_SCALE: '1000' })
const deps: Deps = { config, clock: testClock('2026-03-02T09:00:00Z'), ids: randomIds, log: createLog('silent') }
const { db } = await testDatabase()

await inTransaction(db, (tx) => {
  const fees = { platformFeePercent: 237_000_000n, networkFeePercent: 113_000_000n, bridgeFeePercent: 149_000_000n }
  return applySettings(tx, deps, {
    changes: { coinPrice: 837_000n, convertRate: 911_000n, exchangeLimit: 5n * ONE, ...fees },
    actorId: null,
    reason: 'test',
  })
})

const handlers = new Map<string, Run>()
const none = () => undefined
const bind: Bind = {
  read: none,
  write: none,
  withoutTransaction: none,
  file: none,
  money: none,
  moneyBatch: (route, run) => void handlers.set(route.name, run),
}
bindRoutes(bind, createPorts(config, 'http://127.0.0.1:9'))

/** Units for an amount with a remainder in every division. */
const u = (count: number): Units => (count === 0 ? 0n : BigInt(count) * ONE + 56_789n * BigInt(count) + 1n)
/** Balance per wallet. A few calls empty it. */
const FUNDS = u(1000)
const PRICE = 837_000n
const SHARE = exchangeShare(FUNDS, 5n * ONE)
/** Exchange share for members with two earlier purchases. */
const SHARE_OF_BUYERS = exchangeShare(FUNDS + 2n * u(200), 5n * ONE)
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const PLAN = { planId: 'short', planName: 'Short', duration: 10, apy: 1_037_000_000n }

const who: TestMember[] = []
for (const [index, verified] of [true, false, true, true].entries()) {
  const sponsor = who.at(-1)
  who.push(await createTestMember(db, { ...(sponsor && { sponsorId: sponsor.id }), verified, specialRcm: index !== 2 }))
}
/** New money within each member's USD (RW-01). */
const NEW_MONEY = [FUNDS, 0n, FUNDS, u(450)]
for (const [index, { id }] of who.entries())
  for (const wallet of walletKinds) {
    const newMoney = wallet === 'depositWallet' ? (NEW_MONEY[index] ?? 0n) : 0n
    if (newMoney > 0n) await fund(db, id, wallet, newMoney)
    if (newMoney < FUNDS)
      await post(db, {
        kind: 'testFunds',
        cause: { type: 'test', id: String(id) },
        at: deps.clock.now(),
        transfers: [
          {
            from: WALLETS[wallet].asset === 'USD' ? { system: 'SYS-DEPOSIT', asset: 'USD' } : { system: 'SYS-COIN', asset: 'COIN' },
            to: { owner: id, kind: wallet },
            amount: FUNDS - newMoney,
          },
        ],
      })
  }
// Less than all sales of a group need: later ones are refused in order.
await fillSalesFund(db, u(20))
await inTransaction(db, async (tx) => {
  const at = deps.clock.now()
  const plan = { public_id: 'short', name: 'Short', duration_days: 10, minimum: u(20), apy: PLAN.apy, is_omega: false, created_at: at }
  await tx
    .insertInto('stake_plan')
    .values([
      { ...plan, status: 'ACTIVE' },
      { ...plan, public_id: 'closed', status: 'CLOSED' },
    ])
    .execute()
  const nft = { name: 'NFT', price: u(300), duration_months: 12, total_percent: 1_212_345_679n, status: 'ACTIVE', created_at: at }
  for (const kind of ['dome', 'wagon'] as const)
    await tx
      .insertInto('nft')
      .values({ ...nft, public_id: kind, kind })
      .execute()
  await tx.updateTable('nft_supply').set({ cap: 3 }).where('kind', '=', 'dome').execute()
})

const amounts = (...list: number[]) => list.map((amount) => ({ amount: u(amount) }))
const stake = (amount: number, more = {}) => ({
  ...PLAN,
  stakeAmount: u(amount),
  dailyRoy: dailyReward(u(amount), PLAN.apy, PLAN.duration),
  wallet: 'nativewallet',
  ...more,
})
const coin = (amount: number, coinPrice = PRICE) => ({
  coinAmount: u(amount),
  coinPrice,
  totalPrice: quoteBuy(u(amount), PRICE).totalPrice,
})

/** Bodies for each grouped call, parsed by the contract. Some are refused, and several empty a wallet. */
const BODIES: Readonly<Record<string, readonly object[]>> = {
  userToUserDeposit: who
    .flatMap(({ email }) => amounts(300, 600).map((one) => ({ ...one, email })))
    .concat({ amount: u(1), email: 'nobody@gmail.com' }),
  swapNativeToMyWallet: amounts(300, 600, 1001),
  nftToDepositWallet: amounts(300, 600, 1001),
  convertToMyWallet: [{ usd: u(300) }, { usd: u(600) }, { usd: u(1001) }],
  myWalletToUsd: [...amounts(300, 600, 1001), { amount: 1n }],
  withdrawRcmCoin: amounts(300, 600, 1001),
  exchangeToMyWallet: [SHARE, exchangeShare(FUNDS - SHARE, 5n * ONE), SHARE_OF_BUYERS, 1n].map((amount) => ({ amount })),
  withdrawDeposit: [...amounts(300, 600, 1001).map((one) => ({ ...one, address: ADDRESS })), { amount: u(50), address: 'nowhere' }],
  bridge: [...amounts(300, 600, 1001, 1).map((one) => ({ ...one, to: ADDRESS, network: 0 })), { amount: u(100), to: ADDRESS, network: 2 }],
  buyToken: [coin(40_000), coin(70_000), coin(20_000, PRICE + 1n), coin(2), coin(200)],
  openStake: [
    stake(300),
    stake(600),
    stake(1),
    stake(30, { apy: ONE }),
    stake(10),
    stake(300, { planId: 'closed' }),
    stake(300, { wallet: 'mywallet' }),
  ],
  buyNft: ['dome', 'wagon', 'land'].flatMap((nftId) =>
    ['depositwallet', 'nativewallet', 'mywallet'].map((payby) => ({ nftId, walletName: nftId === 'land' ? 'dome' : nftId, payby })),
  ),
}

/** Ids from sequences, which depend on call order, and values never read directly. */
const IDS = [
  'id',
  'public_id',
  'owner_mac',
  'posting_id',
  'transfer_id',
  'hold_id',
  'cause_id',
  'cause_public_id',
  'encrypted',
  'request',
  'rule_version',
  'settings_version',
]
const TABLES = `ledger_transfer wallet_exchange payout_request coin_purchase stake nft_purchase nft_supply member_list_counter reward_source
  reward_instant reward_sent_coin ledger_new_money_return team_pending_delta payout_notification mail_outbox`.split(/\s+/)

/** Names a side of a transfer. A group uses one shard of each system account, and single calls one each. */
const side = (
  name: string,
) => sql`case when ${sql.ref(`t.${name}_account`)} < 0 then jsonb_build_object(${`${name}_account`}::text, ${sql.ref(`t.${name}_account`)} / 100,
  ${`${name}_balance_after`}::text, null) else '{}' end`
const rowOf = (table: string) =>
  table === 'ledger_transfer' ? sql`to_jsonb(t) || ${side('debit')} || ${side('credit')}` : sql`to_jsonb(t)`

/** Excludes moves between shards of one account, which depend on the batch's shard. */
const partOf = (table: string) => (table === 'ledger_transfer' ? sql`where t.kind <> 'shardMove'` : sql``)

/** Reads everything that the calls may have changed, in any order. */
async function snapshot(tx: Tx): Promise<unknown> {
  const rows = TABLES.map(
    (table) => sql`select ${table} as name, (${rowOf(table)}) - ${IDS}::text[] as row from ${sql.table(table)} t ${partOf(table)}`,
  )
  const found = await sql<{ row: string }>`
    select name || (row)::text as row from (${sql.join(rows, sql` union all `)}) all_rows
    union all select 'account' || id || ' ' || balance || ' ' || version || ' ' || new_money from ledger_account where id > 0
    union all select 'house' || kind || asset || sum(balance) from ledger_account where id < 0 group by kind, asset
    union all select 'promise' || kind || step || starts_at || steps || ' ' || sum(amount) from reward_liability_pending group by kind, step, starts_at, steps
    order by 1`.execute(tx)
  return found.rows.map(({ row }) => row)
}

/**
 * Routes whose refusal reason depends on the order of checks: a group checks unknown receivers and sold-out stock before payments.
 */
const REASONS_BY_ORDER = new Set(['userToUserDeposit', 'buyNft'])

interface Case {
  calls: { member: number; body: number }[]
  /** Coin and USD units that cover rewards, and hours between exchanges. */
  committed: Units
  hours: number
  /** A member's payouts within 24 hours, and their units. */
  payouts: number
  payoutsWorth: Units
  /** Members with earlier coin sales. */
  sellers: number[]
}

const contextsOf = (name: string, calls: Case['calls']): Context<Route>[] =>
  calls.map(({ member, body }) => {
    const { id, publicId, email } = who[member % who.length] ?? { id: 0n, publicId: '', email: '' }
    const viewer = { memberId: id, publicId, email, isSpecialRcm: member !== 2 }
    const bodies = BODIES[name] ?? []
    return { deps, body: bodies[body % bodies.length], viewer, query: {}, params: {}, caller: { quoted: undefined } } as never
  })

/**
 * Purchases before each case, with and without new money. Coin sales reverse pending rewards, fully or in part, and their USD is
 * new money again. Payments between members carry new money along.
 */
const BOUGHT = [0, 1, 3, 3, 1, 0].map((member) => ({ member, body: 4 }))

/** Removes the written row's id from a result. */
const answerOf = (name: string, one: unknown): unknown => {
  if (one instanceof AppError) return REASONS_BY_ORDER.has(name) ? 'refused' : one.message
  return JSON.parse(JSON.stringify(one, (key, value: unknown) => (key === 'id' || key === 'request' ? undefined : value)))
}

/** Runs the calls in a rolled-back transaction. Returns each result and the final content. */
async function tell(
  name: string,
  { calls, committed, hours, payouts, payoutsWorth, sellers }: Case,
  how: (run: Run, tx: Tx, contexts: Context<Route>[]) => Promise<unknown[]>,
) {
  const run = handlers.get(name)
  if (run === undefined) throw new Error(`${name} is not bound`)
  const contexts = contextsOf(name, calls)
  let result: { answers: unknown[]; left: unknown } | undefined
  const undo = new Error('undo')
  await inTransaction(db, async (tx) => {
    await setCommitment(tx)
    await handlers.get('buyToken')?.(tx, deps, contextsOf('buyToken', BOUGHT))
    const sales = sellers.map((member) => ({ member, body: 1 }))
    if (sales.length > 0) await handlers.get('myWalletToUsd')?.(tx, deps, contextsOf('myWalletToUsd', sales))
    await setCommitment(tx, committed)
    const limits = { payoutDayCount: payouts, payoutDayUsd: payoutsWorth, payoutDayCoin: payoutsWorth }
    // Without an exchange cooldown no transfer needs confirmation, and with it some do.
    const unconfirmedTransferDayUsd = hours === 0 ? u(1_000_000) : u(700)
    const changes = { exchangeCooldownHours: hours, ...limits, unconfirmedTransferDayUsd }
    await applySettings(tx, deps, { changes, actorId: null, reason: 'test' })
    const answers = (await how(run, tx, contexts)).map((one) => answerOf(name, one))
    result = { answers, left: await snapshot(tx) }
    throw undo
  }).catch((error: unknown) => {
    if (error !== undo) throw error
  })
  return result
}

/** Counts group results, so that the test fails if all groups were split or refused. */
const seen = { together: 0, apart: 0, done: 0, refused: 0 }

const oneByOne = async (run: Run, tx: Tx, contexts: Context<Route>[]) => {
  const answers: unknown[] = []
  for (const context of contexts) answers.push(...(await withSavepoint(run)(tx, deps, [context])))
  return answers
}

async function atOnce(run: Run, tx: Tx, contexts: Context<Route>[]): Promise<unknown[]> {
  await sql`savepoint all_calls`.execute(tx)
  try {
    const answers = await run(tx, deps, contexts)
    // Sends deferred statements, which otherwise go with the commit.
    await sql`select 1`.execute(tx)
    seen.together += 1
    for (const one of answers) seen[one instanceof AppError ? 'refused' : 'done'] += 1
    return answers
  } catch (error) {
    if (!(error instanceof AppError) && !worthRetrying(error, true)) throw error
    seen.apart += 1
    await sql`rollback to savepoint all_calls`.execute(tx)
    return oneByOne(run, tx, contexts)
  }
}

const cases = fc.record({
  calls: fc.array(fc.record({ member: fc.nat(3), body: fc.nat(11) }), { minLength: 2, maxLength: 9 }),
  committed: fc.constantFrom(u(1_000_000), u(3000), u(100), 0n),
  hours: fc.constantFrom(0, 24),
  payouts: fc.constantFrom(2, 100),
  payoutsWorth: fc.constantFrom(u(700), u(1_000_000)),
  sellers: fc.subarray([0, 1, 2, 3]),
})

/**
 * Fixed cases of each route. One member sends each body twice. Several members pay one another, so that money that has just arrived is sent
 * on, and new money passes several wallets.
 */
const always = (name: string): [Case][] => {
  const plain = { committed: u(1_000_000), hours: 24, payouts: 100, payoutsWorth: u(1_000_000), sellers: [0, 3] }
  const bodies = BODIES[name] ?? []
  const to = (other: number) =>
    Math.max(
      0,
      bodies.findIndex((body) => 'email' in body && body.email === who[other]?.email),
    )
  return [
    ...[...bodies.keys()].map((body) => [3, 3].map((member) => ({ member, body }))),
    [
      { member: 3, body: to(0) },
      { member: 0, body: to(2) },
    ],
    [
      { member: 0, body: to(3) },
      { member: 3, body: to(0) },
      { member: 0, body: to(3) },
    ],
    [
      { member: 0, body: to(1) + 1 },
      { member: 1, body: to(2) + 1 },
      { member: 1, body: to(3) + 1 },
      { member: 3, body: to(1) + 1 },
      { member: 1, body: to(0) },
    ],
  ].map((calls) => [{ ...plain, calls }])
}

it.each([...handlers.keys()])(
  '[I5] %s in a batch has the result of single calls, in any order, with rejections in between',
  async (name) => {
    expect(BODIES[name]?.length, `bodies of ${name}`).toBeGreaterThan(0)
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        expect(await tell(name, one, atOnce)).toEqual(await tell(name, one, oneByOne))
      }),
      { ...searchParameters('grouped calls', { short: 12, long: 120 }), examples: always(name) },
    )
  },
)

it('finds a batch that reads new money only before its first payment', async () => {
  const { rows } = await sql<{ text: string }>`select pg_get_functiondef('ledger_post'::regproc) as text`.execute(db)
  const text = rows[0]?.text ?? ''
  const planted = text.replace(
    'greatest(least(carried, news[d]), news[d] - (balances[d] - amount))',
    'greatest(0, (select a.new_money - a.balance + amount from ledger_account a where a.id = ids[d]))',
  )
  expect(planted).not.toBe(text)
  await sql.raw(planted).execute(db)
  try {
    const found: boolean[] = []
    for (const [one] of always('userToUserDeposit')) {
      const differs = async () =>
        !isDeepStrictEqual(await tell('userToUserDeposit', one, atOnce), await tell('userToUserDeposit', one, oneByOne))
      found.push(await differs().catch(() => true))
    }
    expect(found).toContain(true)
  } finally {
    await sql.raw(text).execute(db)
  }
})

it('has covered whole and split batches, accepted and rejected calls', () => {
  expect(Object.keys(BODIES).toSorted()).toEqual([...handlers.keys()].toSorted())
  expect(seen.together).toBeGreaterThan(seen.apart)
  expect(Math.min(seen.apart, seen.done / 10, seen.refused / 10)).toBeGreaterThan(0)
})
