import { allRoutes } from '@tizara/contract/all-routes'
import { coinPriceOf, dailyReward, ONE, parseUnits, quoteBuy, type Units, formatUnits } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fillSalesFund, fund, type TestMember } from '../../members.ts'
import { balancesOf, ledgerChecks, runAudit, type WalletKind } from '../../../src/ledger/index.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'
import { setCommitment } from '../../commitment.ts'

/** Call spending 80 from a wallet with 100. */
interface Spend {
  route: string
  path: string
  wallet: WalletKind
  /** Units in the wallet before the call. */
  has: Units
  /** Units spent by one call. */
  takes: Units
  body(): object
}

const u = (text: string): Units => parseUnits(text) ?? 0n
const price = u('0.008')
const PLAN = { planId: 'plan-1', planName: 'Test plan', duration: 100, apy: 10 }
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

const spendOf = (route: string, wallet: WalletKind, body: () => object, has = u('100'), takes = u('80')): Spend => ({
  route,
  path: allRoutes.find(({ name }) => name === route)?.path ?? '',
  wallet,
  has,
  takes,
  body,
})

const spends: Spend[] = [
  spendOf('buyToken', 'depositWallet', () => ({ coinPrice: 0.008, coinAmount: 10_000, totalPrice: 80 })),
  spendOf('userToUserDeposit', 'depositWallet', () => ({ amount: 80, email: receiver.email })),
  spendOf('withdrawDeposit', 'depositWallet', () => ({ amount: 80, address: ADDRESS })),
  spendOf('nftToDepositWallet', 'nftWallet', () => ({ amount: 80 })),
  spendOf('convertToMyWallet', 'nftWallet', () => ({ usd: 80 })),
  spendOf('bridge', 'icoWallet', () => ({ to: ADDRESS, amount: 80 })),
  spendOf('myWalletToUsd', 'icoWallet', () => ({ amount: 2000 }), u('2500'), u('2000')),
  spendOf('swapNativeToMyWallet', 'nativeWallet', () => ({ amount: 80 })),
  spendOf('withdrawRcmCoin', 'rcmWallet', () => ({ amount: 80 })),
  spendOf('openStake', 'nativeWallet', () => ({
    ...PLAN,
    stakeAmount: 80,
    wallet: 'nativewallet',
    dailyRoy: Number(formatUnits(dailyReward(u('80'), u('10'), 100))),
  })),
  spendOf(
    'buyNft',
    'nativeWallet',
    () => ({ payby: 'nativewallet', walletName: 'dome', nftId: 'nft-1' }),
    u('12500'),
    coinPriceOf(u('80'), price),
  ),
]

/** Spends a wallet share, so the second call spends less. It has a separate test. */
const OWN_TEST = ['exchangeToMyWallet']
/** Money routes that spend nothing from a wallet. */
const NO_SPEND = ['createPayment', 'createInvoice']

let at: TestApp
let receiver: TestMember

async function prepare(app: TestApp): Promise<void> {
  const created = app.clock.now()
  await app.db
    .insertInto('stake_plan')
    .values({
      public_id: 'plan-1',
      name: PLAN.planName,
      duration_days: 100,
      minimum: ONE,
      apy: 10n * ONE,
      is_omega: false,
      status: 'ACTIVE',
      created_at: created,
    })
    .execute()
  await app.db
    .insertInto('nft')
    .values({
      public_id: 'nft-1',
      kind: 'dome',
      name: 'Dome',
      title: 'Dome',
      price: 80n * ONE,
      duration_months: 12,
      total_percent: 12n * ONE,
      status: 'ACTIVE',
      created_at: created,
    })
    .execute()
  await setCommitment(app.db)
}

beforeAll(async () => {
  const { db } = await testDatabase(30)
  const ports = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
  at = await testApp(db, { routes: (bind) => bindRoutes(bind, ports) })
  receiver = await createTestMember(db)
  await prepare(at)
  await fillSalesFund(db, u('1000000'))
})

async function payer(spend: Pick<Spend, 'wallet' | 'has'>) {
  const member = await createTestMember(at.db, { specialRcm: true })
  await fund(at.db, member.id, spend.wallet, spend.has)
  return { member, token: (await at.signIn(member.id)).token }
}

const audit = async () => {
  const results = await runAudit(at.db, ledgerChecks)
  expect(results.filter((result) => result.broken > 0).map((result) => result.check.title)).toEqual([])
}

it('covers every money route of the contract', () => {
  const money = allRoutes.filter((route) => 'money' in route && route.money && route.access === 'member').map((route) => route.name)
  expect([...spends.map((spend) => spend.route), ...OWN_TEST, ...NO_SPEND].toSorted()).toEqual(money.toSorted())
})

describe.each(spends)('$path', (spend) => {
  it('accepts one of 20 parallel spends of 80 from 100 and rejects the others', async () => {
    const { member, token } = await payer(spend)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => at.call('POST', spend.path, { token, body: spend.body(), key: `parallel-${index}` })),
    )
    const done = replies.filter((reply) => reply.status === 200)
    expect(done).toHaveLength(1)
    for (const reply of replies.filter((other) => other.status !== 200)) {
      expect(reply.body).toMatchObject({ statusCode: 400, success: false, message: 'Insufficient balance' })
    }
    expect((await balancesOf(at.db, member.id))[spend.wallet]).toBe(spend.has - spend.takes)
    await audit()
  })

  it('has one effect per key for any number of parallel repeats', async () => {
    const { member, token } = await payer({ ...spend, has: spend.has * 3n })
    const send = (body = spend.body()) => at.call('POST', spend.path, { token, body, key: 'the-key' })
    const burst = await Promise.all(Array.from({ length: 8 }, () => send()))
    expect(burst.every((reply) => reply.status === 200 || reply.status === 409)).toBe(true)
    const first = burst.find((reply) => reply.status === 200)
    expect((await send()).text).toBe(first?.text)
    expect((await balancesOf(at.db, member.id))[spend.wallet]).toBe(spend.has * 3n - spend.takes)
    const other = await send({
      ...spend.body(),
      amount: Number(spend.takes / ONE) + 1,
      usd: 81,
      stakeAmount: 81,
      coinAmount: 10_001,
      payby: 'mywallet',
    })
    expect(other).toMatchObject({ status: 400, body: { message: 'This idempotency key was used for another request' } })
  })

  it('rejects missing and expired sessions and invalid amounts without touching the wallet', async () => {
    const { member, token } = await payer(spend)
    expect((await at.call('POST', spend.path, { body: spend.body() })).status).toBe(401)
    const field = ['amount', 'usd', 'stakeAmount', 'coinAmount'].find((name) => name in spend.body())
    for (const bad of field === undefined ? [] : [0, -80, '8e1', null, [80], true, 1e300, 0.000000001, {}]) {
      const reply = await at.call('POST', spend.path, { token, body: { ...spend.body(), [field ?? '']: bad } })
      expect(reply.status, `${String(field)} = ${JSON.stringify(bad)}`).toBe(400)
    }
    expect((await balancesOf(at.db, member.id))[spend.wallet]).toBe(spend.has)
  })
})

it('[MF-12] [VA-60] charges the exact product and credits the coin to the ICO wallet', async () => {
  const { member, token } = await payer({ wallet: 'depositWallet', has: u('100') })
  const coinAmount = u('1000.5')
  const quote = quoteBuy(coinAmount, price)
  const reply = await at.call('POST', '/buy-token', {
    token,
    body: { coinPrice: 0.008, coinAmount: 1000.5, totalPrice: Number(formatUnits(quote.totalPrice)) },
  })
  expect(reply.status).toBe(200)
  const balances = await balancesOf(at.db, member.id)
  expect(balances).toMatchObject({ depositWallet: u('100') - quote.charged, newIcoWallet: coinAmount })
})

it('keeps the sum of each asset at zero after all calls', async () => {
  const { rows } = await sql<{ sum: bigint }>`select sum(balance)::bigint as sum from ledger_account group by asset`.execute(at.db)
  expect(rows.map((row) => row.sum)).toEqual([0n, 0n])
})
