import { dailyReward, formatUnits, ONE } from '@tizara/money'
import { sql } from 'kysely'
import { pastChain } from '../src/sandbox/demo/past-chain.ts'
import type { Ports } from '../src/main/ports.ts'
import { bindRoutes } from '../src/main/routes.ts'
import { post, walletKinds } from '../src/ledger/index.ts'
import { applySettings } from '../src/modules/settings/index.ts'
import { DAY_MS, movingClock } from '../src/platform/runtime/clock.ts'
import { type Db, inTransaction } from '../src/platform/db/database.ts'
import { type TestApp, testApp, type TestReply } from './app.ts'
import { createTestMember, fillSalesFund, fund, type TestMember, type TestMemberInput, confirmPayoutAddress } from './members.ts'
import { setCommitment } from './commitment.ts'

/** For tests: an instance with a valid call for every money route. */

export type Person = TestMember & { token: string }

/** Call that succeeds once if sent now. */
export interface ReadyCall {
  path: string
  who: Person | undefined
  body: Record<string, unknown>
}

export interface MoneyInstance {
  at: TestApp
  /** Upline for `member`. */
  leader: Person
  member: Person
  staff: Person[]
  /** Prepares a route's call and returns it. `other` is above or below `who` in the team. */
  ready(route: string, who: Person, other: Person): Promise<ReadyCall>
  send(call: ReadyCall, key?: string): Promise<TestReply>
  /** Creates a signed-in member with 2,000,000 in each wallet. */
  person(wishes?: TestMemberInput): Promise<Person>
}

/** Builds a filed proposal's second approval. */
export const secondOf = ({ staff }: MoneyInstance, asked: TestReply): ReadyCall => ({
  path: `/staff/changes/${asked.body.data.proposalId}/approve`,
  who: staff[1],
  body: { reason: REASON },
})

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const REASON = 'as it has to be'
const PLAN = { planId: 'plan-1', planName: 'Plan', duration: 100, apy: 10 }

let turn = 0
const bought = (who: Person): ReadyCall => ({ path: '/buy-token', who, body: { coinPrice: 0.008, coinAmount: 100, totalPrice: 0.8 } })
const plain = (path: string, body: object) => (_: MoneyInstance, who: Person) => ({ path, who, body: { ...body } })

type Make = (instance: MoneyInstance, who: Person, other: Person) => ReadyCall | Promise<ReadyCall>
/** A call per money route for a member. `other` is above or below them. */
const CALLS: Readonly<Record<string, Make>> = {
  userToUserDeposit: (_, who, other) => ({ path: '/usd-transfer/user-to-user-deposit', who, body: { amount: 5, email: other.email } }),
  buyToken: (_, who) => bought(who),
  withdrawDeposit: plain('/deposit-wallet/transfer-deposit-wallet', { amount: 50, address: ADDRESS }),
  nftToDepositWallet: plain('/usd-transfer/nft-to-deposit-wallet', { amount: 8 }),
  convertToMyWallet: plain('/tizara-exchagne-and-convart/convart-to-my-wallet', { usd: 8 }),
  bridge: plain('/withdrow-request', { to: ADDRESS, amount: 80 }),
  myWalletToUsd: plain('/my-wallet/convart-to-usd', { amount: 2000 }),
  swapNativeToMyWallet: plain('/my-wallet/swap-native-to-my-wallet', { amount: 8 }),
  withdrawRcmCoin: plain('/special-rcm/withdraw-rcm-coin', { amount: 80 }),
  exchangeToMyWallet: plain('/tizara-exchagne-and-convart/exchange-to-my-wallet', { amount: 0.01 }),
  openStake: plain('/stack-now', {
    ...PLAN,
    stakeAmount: 80,
    wallet: 'nativewallet',
    dailyRoy: Number(formatUnits(dailyReward(80n * ONE, 10n * ONE, 100))),
  }),
  buyNft: (_, who) => {
    const payby = turn % 2 === 0 ? 'depositwallet' : 'nativewallet'
    return { path: '/nft-purchese', who, body: { payby, walletName: 'dome', nftId: 'nft-1' } }
  },
  createPayment: plain('/pay/create-payment', { amount: 100 }),
  createInvoice: plain('/autoPayRoutes/create-invoice', { amount: 100 }),
  approveRequest: async (instance, who) => {
    const id = await filed(instance, 'withdrawDeposit', who)
    return ofStaff(instance, `/staff/queues/withdrawals/${id}/approve`, { amount: 46.5 })
  },
  rejectRequest: async (instance, who) =>
    ofStaff(instance, `/staff/queues/withdrawals/${await filed(instance, 'withdrawDeposit', who)}/reject`),
  stopSending: async (instance, who) => {
    const id = await filed(instance, 'bridge', who)
    await instance.send(ofStaff(instance, `/staff/queues/bridges/${id}/approve`))
    return ofStaff(instance, `/staff/queues/bridges/${id}/stop-sending`)
  },
  creditRcm: ({ staff }, who) => ({
    path: `/staff/members/${who.publicId}/credit-rcm`,
    who: staff[0],
    body: { reason: REASON, amount: 1 },
  }),
  fundRewardPool: (instance) => ofStaff(instance, '/staff/reward-pool/fund', { asset: 'coin', amount: 1 }),
  reversePurchase: async (instance, who) => {
    const made = await instance.send(bought(who))
    return { path: `/staff/purchases/coin/${made.body.data.receipt.id}/reverse`, who: instance.staff[0], body: { reason: REASON } }
  },
}
/** Money routes with a call in this file. */
export const MONEY_CALLS = Object.keys(CALLS)

const ofStaff = ({ staff }: MoneyInstance, path: string, more: object = {}): ReadyCall => ({
  path,
  who: staff[turn % staff.length],
  body: { reason: REASON, ...more },
})

/** Files a payout to a known address and returns its id. */
async function filed(instance: MoneyInstance, route: string, who: Person): Promise<string> {
  await confirmPayoutAddress(instance.at.db, who.id)
  const reply = await instance.send(await instance.ready(route, who, instance.leader))
  return reply.body.data?.receipt.id ?? 'none'
}

const ports: Ports = {
  mailer: { send: () => Promise.resolve() },
  deposits: {
    chain: pastChain(),
    noticeUrl: '',
    provider: {
      createInvoice: ({ orderId }) => Promise.resolve({ providerInvoiceId: orderId, invoiceUrl: `https://pay.example/${orderId}` }),
      getPayment: () => Promise.resolve(null),
      listPayments: () => Promise.resolve([]),
      listSince: () => Promise.resolve([]),
      verifyNotice: () => null,
    },
  },
}

/** Enqueues payouts for automatic sending. No job sends them here. */
export const SENT_BY_US = {
  PAYOUTS: 'automatic',
  CHAIN_RPC_URL: 'http://127.0.0.1:1',
  CHAIN_TOKEN: `0x${'a'.repeat(40)}`,
  CHAIN_USD_TOKEN: `0x${'b'.repeat(40)}`,
  CHAIN_XPUB: 'unused',
}

const START = '2026-03-02T09:00:00Z'

/** Opens the instance: leader and member with 2,000,000 in each wallet, and two admins. Call it in the same places as `testApp`. */
export async function moneyInstance(db: Db): Promise<MoneyInstance> {
  const at = await testApp(db, { routes: (bind) => bindRoutes(bind, ports), env: SENT_BY_US, clock: movingClock(START) })
  const person = async (options: TestMemberInput = {}): Promise<Person> => {
    const made = await createTestMember(db, options)
    // Staff have no wallets.
    if (options.role === undefined) for (const wallet of walletKinds) await fund(db, made.id, wallet, 2_000_000n * ONE)
    return { ...made, token: (await at.signIn(made.id)).token }
  }
  const leader = await person({ specialRcm: true })
  const member = await person({ specialRcm: true, sponsorId: leader.id })
  const staff = [await person({ role: 'ADMIN' }), await person({ role: 'ADMIN' })]
  await stock(at)
  await fillSalesFund(db, 1_000_000n * ONE)
  const instance: MoneyInstance = {
    at,
    person,
    leader,
    member,
    staff,
    ready: async (route, who, other) => {
      const make = CALLS[route]
      if (make === undefined) throw new Error(`no call ${route}`)
      return make(instance, who, other)
    },
    send: ({ path, who, body }, key) => at.call('POST', path, { token: who?.token, body, key: key ?? `call-${(turn += 1)}` }),
  }
  return instance
}

/** Adds coin to the pool, a plan, an NFT, and limits beyond the calls' reach. */
async function stock({ db, deps, clock }: TestApp): Promise<void> {
  const now = clock.now()
  await post(db, {
    kind: 'testStock',
    cause: { type: 'test', id: 'stock' },
    at: now,
    transfers: [{ from: { system: 'SYS-OPERATOR', asset: 'COIN' }, to: { system: 'SYS-REWARD', asset: 'COIN' }, amount: 1_000_000n * ONE }],
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
  await setCommitment(db)
  await inTransaction(db, (tx) =>
    applySettings(tx, deps, { changes: { exchangeLimit: 50n, payoutDayCount: 1000 }, actorId: null, reason: 'test' }),
  )
  // Adds settings for the future. A call that used them would fail, or the audit would find it.
  await sql`insert into setting (starts_at, coin_price, min_coin, max_coin, convert_rate, buy_price, sell_price, buy_rate, exchange_limit, exchange_cooldown_hours,
      platform_fee_percent, network_fee_percent, bridge_fee_percent, bridge_minimum, buy_token_credit_wallet, reward_hold_days,
      four_eyes_above_usd, four_eyes_above_coin, created_at, reason)
    select ${new Date(now.getTime() + DAY_MS)}, coin_price * 2, min_coin * 1000000, max_coin * 2, convert_rate * 2, coin_price * 2, coin_price, convert_rate * 2, 0, 24,
      platform_fee_percent * 2, network_fee_percent * 2, bridge_fee_percent + 100000000, 1000000000000000, 'nativeWallet', 0,
      0, 0, ${now}, 'not in force yet'
    from setting order by version desc limit 1`.execute(db)
}
