import { allRoutes } from '@tizara/contract/all-routes'
import { dailyReward, formatUnits, ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp, type TestReply } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import { createTestMember, fund, type TestMember, trust } from '../../test/members.ts'
import { createSandboxChain } from '../gateways/chain/index.ts'
import { ledgerChecks, post, runAudit, walletKinds } from '../ledger/index.ts'
import { auditChecks as coin } from '../modules/coin/index.ts'
import { auditChecks as deposits } from '../modules/deposits/index.ts'
import { auditChecks as nfts } from '../modules/nfts/index.ts'
import { setRewardPolicy } from '../modules/rewards/index.ts'
import { applySettings } from '../modules/settings/index.ts'
import { auditChecks as transfers } from '../modules/transfers/index.ts'
import { auditChecks as withdrawals } from '../modules/withdrawals/index.ts'
import { DAY_MS } from '../platform/clock.ts'
import { inTransaction, openDatabase } from '../platform/database.ts'
import type { Ports } from './ports.ts'
import { bindRoutes } from './routes.ts'

const database = await testDatabase()
const { url } = database

type Person = TestMember & { token: string }
let at: TestApp
let leader: Person
let member: Person
let staff: Person[]
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const REASON = 'as it has to be'
const PLAN = { planId: 'plan-1', planName: 'Plan', duration: 100, apy: 10 }

let turn = 0
const send = (path: string, who: Person | undefined, body: object) =>
  at.call('POST', path, { token: who?.token, body, key: `pair-${(turn += 1)}` })
const buyCoin = (who: Person) => send('/buy-token', who, { coinPrice: 0.008, coinAmount: 100, totalPrice: 0.8 })
const admin = () => staff[turn % staff.length]

async function decide(who: Person, way: 'approve' | 'reject'): Promise<TestReply> {
  await trust(at.db, who.id)
  const filed = await send('/deposit-wallet/transfer-deposit-wallet', who, { amount: 50, address: ADDRESS })
  return send(`/staff/queues/withdrawals/${filed.body.data.receipt.id}/${way}`, admin(), { reason: REASON })
}

/** A call of each money route for somebody; `other` stands above or below them. */
const CALLS: Readonly<Record<string, (who: Person, other: Person) => Promise<TestReply>>> = {
  userToUserDeposit: (who, other) => send('/usd-transfer/user-to-user-deposit', who, { amount: 5, email: other.email }),
  buyToken: buyCoin,
  withdrawDeposit: (who) => send('/deposit-wallet/transfer-deposit-wallet', who, { amount: 50, address: ADDRESS }),
  nftToDepositWallet: (who) => send('/usd-transfer/nft-to-deposit-wallet', who, { amount: 8 }),
  convertToMyWallet: (who) => send('/tizara-exchagne-and-convart/convart-to-my-wallet', who, { usd: 8 }),
  bridge: (who) => send('/withdrow-request', who, { to: ADDRESS, amount: 80 }),
  myWalletToUsd: (who) => send('/my-wallet/convart-to-usd', who, { amount: 2000 }),
  swapNativeToMyWallet: (who) => send('/my-wallet/swap-native-to-my-wallet', who, { amount: 8 }),
  withdrawRcmCoin: (who) => send('/special-rcm/withdraw-rcm-coin', who, { amount: 80 }),
  exchangeToMyWallet: (who) => send('/tizara-exchagne-and-convart/exchange-to-my-wallet', who, { amount: 0.01 }),
  openStake: (who) =>
    send('/stack-now', who, {
      ...PLAN,
      stakeAmount: 80,
      wallet: 'nativewallet',
      dailyRoy: Number(formatUnits(dailyReward(80n * ONE, 10n * ONE, 100))),
    }),
  buyNft: (who) =>
    send('/nft-purchese', who, { payby: turn % 2 === 0 ? 'depositwallet' : 'nativewallet', walletName: 'dome', nftId: 'nft-1' }),
  createPayment: (who) => send('/pay/create-payment', who, { amount: 100 }),
  createInvoice: (who) => send('/autoPayRoutes/create-invoice', who, { amount: 100 }),
  approveRequest: (who) => decide(who, 'approve'),
  rejectRequest: (who) => decide(who, 'reject'),
  stopSending: async (who) => {
    await trust(at.db, who.id)
    const filed = await send('/withdrow-request', who, { amount: 80, to: ADDRESS })
    const id: string = filed.body.data?.receipt.id ?? 'none'
    await send(`/staff/queues/bridges/${id}/approve`, admin(), { reason: REASON })
    return send(`/staff/queues/bridges/${id}/stop-sending`, admin(), { reason: REASON })
  },
  creditRcm: (who) => send(`/staff/members/${who.publicId}/credit-rcm`, admin(), { amount: 1, reason: REASON }),
  fundRewardPool: () => send('/staff/reward-pool/fund', admin(), { asset: 'coin', amount: 1, reason: REASON }),
  undoPurchase: async (who) => {
    const bought = await buyCoin(who)
    const filed = await send(`/staff/purchases/coin/${bought.body.data.receipt.id}/undo`, staff[0], { reason: REASON })
    return filed.status === 200 ? send(`/staff/changes/${filed.body.data.changeId}/approve`, staff[1], { reason: REASON }) : filed
  },
}

const ports: Ports = {
  mailer: { send: () => Promise.resolve() },
  deposits: {
    chain: createSandboxChain(),
    noticeUrl: '',
    provider: {
      createInvoice: ({ orderId }) => Promise.resolve({ providerInvoiceId: orderId, invoiceUrl: `https://pay.example/${orderId}` }),
      getPayment: () => Promise.resolve(null),
      listPayments: () => Promise.resolve([]),
      verifyNotice: () => null,
    },
  },
}

/** Payouts stand in the line of those that the product sends; nothing here sends them. */
const SENT_BY_US = {
  PAYOUTS: 'automatic',
  CHAIN_RPC_URL: 'http://127.0.0.1:1',
  CHAIN_TOKEN: `0x${'a'.repeat(40)}`,
  CHAIN_USD_TOKEN: `0x${'b'.repeat(40)}`,
  CHAIN_XPUB: 'unused',
}

async function prepare(): Promise<void> {
  const { db } = at
  const now = at.clock.now()
  const person = async (wishes: Parameters<typeof createTestMember>[1]): Promise<Person> => {
    const made = await createTestMember(db, wishes)
    return { ...made, token: (await at.signIn(made.id)).token }
  }
  leader = await person({ specialRcm: true })
  member = await person({ specialRcm: true, sponsorId: leader.id })
  staff = [await person({ role: 'ADMIN' }), await person({ role: 'ADMIN' })]
  for (const who of [leader, member]) for (const wallet of walletKinds) await fund(db, who.id, wallet, 20_000_000n * ONE)
  await post(db, {
    kind: 'testStock',
    cause: { type: 'test', id: 'stock' },
    at: now,
    transfers: [{ from: { house: 'SYS-OPERATOR', asset: 'COIN' }, to: { house: 'SYS-REWARD', asset: 'COIN' }, amount: 1_000_000n * ONE }],
  })
  const plan = { public_id: PLAN.planId, name: PLAN.planName, duration_days: 100, minimum: ONE, apy: 10n * ONE, is_omega: false }
  await db
    .insertInto('stake_plan')
    .values({ ...plan, status: 'ACTIVE', created_at: now })
    .execute()
  const nft = { public_id: 'nft-1', kind: 'dome', name: 'Dome', title: 'Dome', price: 80n * ONE, duration_months: 12 }
  await db
    .insertInto('nft')
    .values({ ...nft, total_percent: 12n * ONE, status: 'ACTIVE', created_at: now })
    .execute()
  await inTransaction(db, (tx) => setRewardPolicy(tx, { coverageMode: 'observe', at: now, by: null, reason: 'test' }))
  await inTransaction(db, (tx) =>
    applySettings(tx, at.deps, { changes: { exchangeLimit: 5n, payoutDayCount: 1000 }, actorId: null, reason: 'test' }),
  )
  // Settings that are not in force yet: any call that took a figure of theirs would be refused, or found by the audit.
  await sql`insert into setting (starts_at, coin_price, min_coin, max_coin, convert_rate, exchange_limit, exchange_cooldown_hours,
      platform_fee_percent, network_fee_percent, bridge_fee_percent, bridge_minimum, buy_token_credit_wallet, reward_hold_days,
      four_eyes_above_usd, four_eyes_above_coin, created_at, reason)
    select ${new Date(now.getTime() + DAY_MS)}, coin_price * 2, min_coin * 1000000, max_coin * 2, convert_rate * 2, 0, 24,
      platform_fee_percent * 2, network_fee_percent * 2, bridge_fee_percent + 100000000, 1000000000000000, 'nativeWallet', 0,
      0, 0, ${now}, 'not in force yet'
    from setting order by version desc limit 1`.execute(db)
}

it('knows every money route of the wire', () => {
  const money = allRoutes.filter((route) => route.money === true).map((route) => route.name)
  expect(Object.keys(CALLS).toSorted()).toEqual(money.toSorted())
})

// The embedded database does one thing after the other: nothing can meet there.
if (url !== undefined) {
  const own = openDatabase({ url })
  const deadlocks = async () =>
    (await sql<{ n: bigint }>`select deadlocks as n from pg_stat_database where datname = current_database()`.execute(database.db)).rows[0]
      ?.n
  beforeAll(async () => {
    at = await testApp(own.db, { routes: (bind) => bindRoutes(bind, ports), env: SENT_BY_US })
    await prepare()
  })

  const names = Object.keys(CALLS)
  const call = (name: string, who: Person, other: Person) => CALLS[name]?.(who, other) ?? Promise.reject(new Error(`no call ${name}`))

  it.each(names)('%s works alone', async (one) => {
    const reply = await call(one, member, leader)
    expect([reply.status, reply.text]).toEqual([200, reply.text])
  })

  describe.each(names)('%s', (one) => {
    it('[I1] [I4] meets every other money call of the same member, and of leader and team', async () => {
      for (const other of names.slice(names.indexOf(one))) {
        const replies = await Promise.all([
          ...[1, 2, 3].flatMap(() => [call(one, member, leader), call(other, member, leader)]),
          ...[1, 2].flatMap(() => [call(one, leader, member), call(other, leader, member)]),
        ])
        const odd = replies.filter(({ status }) => status >= 500 || status === 429).map(({ text }) => text)
        expect(odd, `${one} and ${other}`).toEqual([])
      }
    })
  })

  it('[I1] [I13] nobody waited in a circle, the books are right, and no figure came from settings that are not in force yet', async () => {
    // What a session has counted is told at its end.
    await own.close()
    expect(await deadlocks()).toBe(0n)
    expect(
      (await runAudit(database.db, [...ledgerChecks, ...coin, ...deposits, ...nfts, ...transfers, ...withdrawals])).filter(
        (result) => result.broken > 0,
      ),
    ).toEqual([])
  })
}
