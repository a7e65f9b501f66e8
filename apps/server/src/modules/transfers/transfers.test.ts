import { formatUnits, ONE, parseUnits, type Units } from '@tizara/money'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchParameters } from '../../../../../test/search.ts'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { limitsOf } from '../../../test/limits.ts'
import { createTestMember, fillSalesFund, fund } from '../../../test/members.ts'
import { movesOf } from '../../../test/moves.ts'
import { receiptOfMovement } from '../wallets/receipts.ts'
import { balancesOf, ledgerChecks, runAudit, type WalletKind } from '../../ledger/index.ts'
import { movingClock } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { applySettings } from '../settings/index.ts'
import { exchangeAll } from './exchange-to-my-wallet.ts'
import { auditChecks, exchangeToMyWallet, ownTransfers, transferRoutes } from './index.ts'
import { findExchangeReceipt } from './transfers.receipts.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
const database = await testDatabase(24)
let at: TestApp

beforeAll(async () => {
  at = await testApp(database.db, { clock: movingClock('2026-03-02T09:00:00Z'), routes: (bind) => transferRoutes(bind) })
  await change({ exchangeLimit: u('10') })
  await fillSalesFund(at.db, u('10000'))
})

async function member(wallets: Partial<Record<WalletKind, string>>, options: Parameters<typeof createTestMember>[1] = {}) {
  const created = await createTestMember(at.db, options)
  for (const [wallet, amount] of Object.entries(wallets)) await fund(at.db, created.id, wallet as WalletKind, u(amount))
  return { ...created, token: (await at.signIn(created.id)).token, balances: () => balancesOf(at.db, created.id) }
}

const post = (path: string, token: string, body: object) => at.call('POST', path, { token, body })
const change = (changes: Parameters<typeof applySettings>[2]['changes']) =>
  at.db.transaction().execute((tx) => applySettings(tx, at.deps, { changes, actorId: null, reason: 'test' }))

describe('receipts', () => {
  const receiptOf = async (owner: { id: bigint }, reply: { body: { data: { receipt: { id: string } } } }) =>
    receiptOfMovement(at.db, owner.id, BigInt(reply.body.data.receipt.id), ownTransfers)

  it('[MF-06] [MF-10] show the rate of a conversion, and the amount that arrived', async () => {
    const owner = await member({ nftWallet: '10', icoWallet: '5000' })
    const converted = await receiptOf(owner, await post('/tizara-exchagne-and-convart/convart-to-my-wallet', owner.token, { usd: 5 }))
    expect(converted).toMatchObject({ asset: 'usd', amount: u('5'), rate: u('0.008'), rateUnit: 'USD for one coin' })
    expect(converted?.lines).toEqual([{ label: 'Arrived in My Wallet', value: '625', amount: u('625'), asset: 'coin' }])
    const sold = await receiptOf(owner, await post('/my-wallet/convart-to-usd', owner.token, { amount: 2000 }))
    expect(sold).toMatchObject({ asset: 'coin', amount: u('2000'), rate: u('0.008'), rule: expect.stringContaining('coin price') })
    expect(sold?.lines).toEqual([{ label: 'Arrived in Deposit Wallet', value: '16', amount: u('16'), asset: 'usd' }])
  })

  it('[MF-05] [CO-46] show the movable share of the ICO Wallet', async () => {
    const owner = await member({ newIcoWallet: '1000' })
    const reply = await post('/tizara-exchagne-and-convart/exchange-to-my-wallet', owner.token, { amount: 100 })
    expect(await findExchangeReceipt(at.db, owner.id, reply.body.data.receipt.id)).toMatchObject({
      amount: u('100'),
      balanceBefore: u('1000'),
      rate: u('10'),
      rule: "1 to 1, up to 10 % of the ICO Wallet's balance",
    })
  })
})

describe('user to user', () => {
  const send = (token: string, amount: unknown, email: string) => post('/usd-transfer/user-to-user-deposit', token, { amount, email })

  it('[API-41] [MF-09] moves USD from deposit wallet to deposit wallet without a fee', async () => {
    const [payer, payee] = [await member({ depositWallet: '100' }), await member({})]
    expect((await send(payer.token, 12.34, payee.email)).body).toMatchObject({ statusCode: 200, success: true })
    expect((await payer.balances()).depositWallet).toBe(u('87.66'))
    expect((await payee.balances()).depositWallet).toBe(u('12.34'))
  })

  it('[VA-54] finds the receiver in any case, with surrounding spaces', async () => {
    const [payer, payee] = [await member({ depositWallet: '100' }), await member({})]
    expect((await send(payer.token, 5, `  ${payee.email.toUpperCase()} `)).status).toBe(200)
  })

  it('[VA-56] [ER-70] rejects the sender, unknown, unverified and blocked receivers with 400', async () => {
    const payer = await member({ depositWallet: '100' })
    const [unverified, blocked] = [await member({}, { verified: false }), await member({}, { active: false })]
    expect((await send(payer.token, 5, payer.email)).body.message).toBe('You cannot transfer to yourself')
    for (const email of ['nobody@gmail.com', unverified.email, blocked.email]) {
      expect((await send(payer.token, 5, email)).body).toMatchObject({ statusCode: 400, message: 'User not found' })
    }
    // A sender who could pay learns the result, to the last unit. Any other sender learns nothing.
    const exact = await member({ depositWallet: '5' })
    expect((await send(exact.token, 5, 'nobody@gmail.com')).body.message).toBe('User not found')
    expect((await send(exact.token, 5.01, 'nobody@gmail.com')).body.message).toBe('Insufficient balance')
    expect((await payer.balances()).depositWallet).toBe(u('100'))
  })

  it.each([
    ['[VA-52] [CO-17]', 4.99],
    ['[VA-53] [CO-16]', 10_000.01],
    ['[CO-45]', 5.001],
  ])('%s rejects %s', async (_, amount) => {
    const [payer, payee] = [await member({ depositWallet: '20000' }), await member({})]
    expect((await send(payer.token, amount, payee.email)).status).toBe(400)
  })
})

describe("between a member's wallets", () => {
  it('[API-45] [MF-07] [CO-48] swaps native to my wallet 1:1', async () => {
    const owner = await member({ nativeWallet: '10' })
    expect((await post('/my-wallet/swap-native-to-my-wallet', owner.token, { amount: 3.00000001 })).status).toBe(200)
    expect(await owner.balances()).toMatchObject({ nativeWallet: u('6.99999999'), icoWallet: u('3.00000001') })
  })

  it('[API-40] [MF-08] [VA-49] moves NFT wallet to deposit wallet, at most 10000', async () => {
    const owner = await member({ nftWallet: '20000' })
    const path = '/usd-transfer/nft-to-deposit-wallet'
    expect((await post(path, owner.token, { amount: 10_000 })).status).toBe(200)
    expect((await post(path, owner.token, { amount: 10_000.01 })).status).toBe(400)
    expect(await owner.balances()).toMatchObject({ nftWallet: u('10000'), depositWallet: u('10000') })
  })

  it('[VA-51] rejects more than the balance of the NFT wallet', async () => {
    const owner = await member({ nftWallet: '5' })
    expect((await post('/usd-transfer/nft-to-deposit-wallet', owner.token, { amount: 6 })).body.message).toBe('Insufficient balance')
  })

  it('[API-39] [MF-06] [CO-14] converts in steps of 0.5 USD at 0.008 USD a coin', async () => {
    const owner = await member({ nftWallet: '10' })
    const path = '/tizara-exchagne-and-convart/convart-to-my-wallet'
    expect((await post(path, owner.token, { usd: 1.5 })).status).toBe(200)
    expect(await owner.balances()).toMatchObject({ nftWallet: u('8.5'), icoWallet: u('187.5') })
    for (const usd of [0.5, 0, 1.25, -1]) expect((await post(path, owner.token, { usd })).status).toBe(400)
  })

  it('[API-42] [API-44] [MF-10] [VA-57] [CO-18] swaps my wallet to USD at the coin price, from 1000 coin', async () => {
    const owner = await member({ icoWallet: '5000' })
    const done = await post('/my-wallet/convart-to-usd', owner.token, { amount: 1000.12345678 })
    expect(done.body).toMatchObject({ statusCode: 200, message: 'Successfully swapped to USD' })
    expect(await owner.balances()).toMatchObject({ icoWallet: u('3999.87654322'), depositWallet: u('8.00098765') })
    expect((await post('/my-wallet/convart-to-usd', owner.token, { amount: 999.99 })).status).toBe(400)
  })

  it('[GN-17] [API-43] [API-44] [MF-11] [UI-M-RCM-02] allows only special members to withdraw RCM coin', async () => {
    const [special, other] = [await member({ rcmWallet: '100' }, { specialRcm: true }), await member({ rcmWallet: '100' })]
    const done = await post('/special-rcm/withdraw-rcm-coin', special.token, { amount: 50 })
    expect(done.body).toMatchObject({ statusCode: 200, message: 'Successfully transferred to the deposit wallet' })
    expect(await special.balances()).toMatchObject({ rcmWallet: u('50'), depositWallet: u('0.4') })
    expect((await post('/special-rcm/withdraw-rcm-coin', other.token, { amount: 50 })).status).toBe(400)
    // Worth less than one USD unit.
    const dust = await post('/special-rcm/withdraw-rcm-coin', special.token, { amount: 0.00000001 })
    expect(dust.body).toMatchObject({ statusCode: 400, message: 'Invalid amount' })
    expect((await special.balances()).rcmWallet).toBe(u('50'))
    expect((await other.balances()).rcmWallet).toBe(u('100'))
  })
})

describe('complete effect with different coin price and convert rate', () => {
  beforeAll(async () => {
    at.clock.advance(1)
    await change({ coinPrice: u('0.004'), convertRate: u('0.01') })
  })
  afterAll(async () => {
    at.clock.advance(1)
    await change({ coinPrice: u('0.008'), convertRate: u('0.008') })
  })

  it.each([
    [
      '[MF-06] [CO-14]',
      '/tizara-exchagne-and-convart/convart-to-my-wallet',
      { usd: 5 },
      ['convertToMyWallet: nftWallet → SYS-SALES 5 USD', 'convertToMyWallet: SYS-COIN → icoWallet 500 COIN'],
    ],
    [
      '[MF-10]',
      '/my-wallet/convart-to-usd',
      { amount: 2000 },
      ['myWalletToUsd: icoWallet → SYS-COIN 2000 COIN', 'myWalletToUsd: SYS-SALES → depositWallet 8 USD'],
    ],
    [
      '[MF-11]',
      '/special-rcm/withdraw-rcm-coin',
      { amount: 50 },
      ['rcmToUsd: rcmWallet → SYS-COIN 50 COIN', 'rcmToUsd: SYS-SALES → depositWallet 0.2 USD'],
    ],
    ['[MF-07]', '/my-wallet/swap-native-to-my-wallet', { amount: 3 }, ['swapNative: nativeWallet → icoWallet 3 COIN']],
    ['[MF-08]', '/usd-transfer/nft-to-deposit-wallet', { amount: 6 }, ['nftToDeposit: nftWallet → depositWallet 6 USD']],
    ['[MF-05]', '/tizara-exchagne-and-convart/exchange-to-my-wallet', { amount: 40 }, ['exchange: newIcoWallet → icoWallet 40 COIN']],
  ])('%s of %s is posted between the right accounts', async (_, path, body, moves) => {
    const owner = await member(
      { nftWallet: '10', icoWallet: '5000', rcmWallet: '500', nativeWallet: '10', newIcoWallet: '400' },
      { specialRcm: true },
    )
    expect((await post(path, owner.token, body)).status).toBe(200)
    expect(await movesOf(at.db, owner.id)).toEqual(moves)
  })
})

describe('displayed amount', () => {
  it.each([
    ['[MF-06]', '/tizara-exchagne-and-convart/convart-to-my-wallet', { usd: 5 }, '625', '624.99'],
    ['[MF-10]', '/my-wallet/convart-to-usd', { amount: 2000 }, '16', '16.2'],
    ['[MF-11]', '/special-rcm/withdraw-rcm-coin', { amount: 50 }, '0.4', '0.41'],
  ])(
    '%s [VA-89] rejects an amount that differs from the displayed one, and accepts a call without one',
    async (_, path, body, right, wrong) => {
      const owner = await member({ nftWallet: '10', icoWallet: '5000', rcmWallet: '500' }, { specialRcm: true })
      const quoted = (shown: string) => at.call('POST', path, { token: owner.token, body, headers: { 'quoted-amount': shown } })
      const before = await owner.balances()
      expect((await quoted(wrong)).body).toMatchObject({ statusCode: 400, message: 'Price has changed, please try again' })
      expect((await quoted('1e3')).body).toMatchObject({ statusCode: 400, message: 'Invalid amount' })
      expect(await owner.balances()).toEqual(before)
      expect((await quoted(right)).status).toBe(200)
      expect((await post(path, owner.token, body)).status).toBe(200)
    },
  )
})

describe('exchange', () => {
  const path = '/tizara-exchagne-and-convart/exchange-to-my-wallet'

  it('[API-38] [CO-46] [API-52] [EN-17] [EN-18] moves the share and lists it', async () => {
    const owner = await member({ newIcoWallet: '1000' })
    expect((await post(path, owner.token, { amount: 100 })).status).toBe(200)
    expect(await owner.balances()).toMatchObject({ newIcoWallet: u('900'), icoWallet: u('100') })
    const list = await at.call('GET', '/exchange-settings/get-exchagne-history?page=1&limit=25', { token: owner.token })
    expect(list.body.data.data[0]).toMatchObject({ amount: 100, user: { email: owner.email } })
    expect(list.body.data.meta).toMatchObject({ total: 1, page: 1, limit: 25 })
  })

  it('[VA-46] [VA-89] rejects 0, more than the share, and less than it', async () => {
    const owner = await member({ newIcoWallet: '1000' })
    for (const amount of [0, 100.01, 1000, 99.99, 50]) expect((await post(path, owner.token, { amount })).status).toBe(400)
    expect((await owner.balances()).newIcoWallet).toBe(u('1000'))
  })

  it.each([
    ['10', '100.00000001', '100'],
    ['10', '99.99', '99.99000001'],
    ['100', '1000.00000001', '1000'],
    ['100', '999.99', '999.99000001'],
  ])('[VA-46] [VA-89] at a limit of %s percent moves nothing for %s, and exactly %s for that', async (limit, beyond, exact) => {
    at.clock.advance(1)
    await change({ exchangeLimit: u(limit) })
    const owner = await member({ newIcoWallet: '1000' })
    const rows = () => at.db.selectFrom('wallet_exchange').select('amount').where('member_id', '=', owner.id).execute()
    const wallets = async () => {
      const { newIcoWallet, icoWallet } = await owner.balances()
      return [newIcoWallet, icoWallet]
    }
    expect((await post(path, owner.token, { amount: beyond })).body).toMatchObject({ statusCode: 400, message: 'Invalid amount' })
    expect([await rows(), await wallets()]).toEqual([[], [u('1000'), 0n]])
    expect((await post(path, owner.token, { amount: exact })).status).toBe(200)
    expect([await rows(), await wallets()]).toEqual([[{ amount: u(exact) }], [u('1000') - u(exact), u(exact)]])
    await change({ exchangeLimit: u('10') })
  })

  it('[VA-45] accepts the share rounded, truncated or with all decimals', async () => {
    for (const amount of [123.46, 123.45, 123.4567]) {
      const owner = await member({ newIcoWallet: '1234.567' })
      expect((await post(path, owner.token, { amount })).status).toBe(200)
    }
    const poor = await member({ newIcoWallet: '0.04' })
    expect((await post(path, poor.token, { amount: 0.004 })).body.message).toBe('Invalid amount')
  })

  it('[API-09] counts the rows of the requested days and sums all rows', async () => {
    const owner = await member({ newIcoWallet: '1000' })
    await post(path, owner.token, { amount: 100 })
    const day = at.clock.now().toISOString().slice(0, 10)
    const read = async (query: string) =>
      (await at.call('GET', `/exchange-settings/get-exchagne-history${query}`, { token: owner.token })).body.data
    expect(await read(`?from=${day}&to=${day}`)).toMatchObject({ data: [{ amount: 100 }], meta: { total: 1, sum: 100 } })
    expect(await read('?from=2026-01-01&to=2026-01-02')).toMatchObject({ data: [], meta: { total: 0, sum: 100 } })
    expect(await read('')).toMatchObject({ meta: { total: 1, page: 1, limit: 1000, sum: 100 } })
  })

  it('never moves more than the share of each balance, for any number of parallel calls', async () => {
    const owner = await member({ newIcoWallet: '1000' })
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(path, owner.token, { amount: 100 })))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect((await owner.balances()).icoWallet).toBe(u('100'))
  })

  // The embedded database runs statements one by one, so no race occurs there.
  if (database.url !== undefined)
    it('[VA-46] locks the balance against a parallel exchange of the member', async () => {
      const owner = await member({ newIcoWallet: '1000' })
      await inTransaction(at.db, async (tx) => {
        await sql`select from member where id = ${owner.id} for no key update`.execute(tx)
        const meanwhile = inTransaction(at.db, async (other) => {
          await sql`set local lock_timeout = '20ms'`.execute(other)
          await exchangeToMyWallet(other, at.deps, { memberId: owner.id, amount: u('100') })
        })
        await expect(meanwhile).rejects.toMatchObject({ code: '55P03' })
      })
      expect((await owner.balances()).newIcoWallet).toBe(u('1000'))
    })

  it('[VA-46] enforces the configured cooldown', async () => {
    await change({ exchangeCooldownHours: 24 })
    const owner = await member({ newIcoWallet: '1000' })
    expect((await post(path, owner.token, { amount: 100 })).status).toBe(200)
    expect((await post(path, owner.token, { amount: 10 })).body.message).toMatch(/^The next exchange is possible at 20/)
    at.clock.advance(24 * 3_600_000)
    const { token } = await at.signIn(owner.id)
    expect((await post(path, token, { amount: 90 })).status).toBe(200)
    // The calls of a batch are decided in order, each after the ones before it.
    const [twice, once] = [await member({ newIcoWallet: '100' }), await member({ newIcoWallet: '100' })]
    const inputs = [twice, twice, once].map(({ id }, index) => ({ memberId: id, amount: u(index === 1 ? '9' : '10') }))
    const results = await inTransaction(at.db, (tx) => exchangeAll(tx, at.deps, inputs))
    expect(results).toMatchObject([expect.any(String), { code: 'EXCHANGE_TOO_SOON' }, expect.any(String)])
    expect([(await twice.balances()).icoWallet, (await once.balances()).icoWallet]).toEqual([u('10'), u('10')])
    await change({ exchangeCooldownHours: 0 })
  })
})

it('[CO-15] [CO-45] gains no unit in any series of conversions', async () => {
  const amounts = fc.array(
    fc.integer({ min: 2, max: 400 }).map((half) => half / 2),
    { minLength: 1, maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(amounts, async (parts) => {
      const owner = await member({ nftWallet: '1000' })
      for (const usd of parts) await post('/tizara-exchagne-and-convart/convart-to-my-wallet', owner.token, { usd })
      const { icoWallet } = await owner.balances()
      await post('/my-wallet/convart-to-usd', owner.token, { amount: Number(formatUnits(icoWallet)) })
      const after = await owner.balances()
      expect(after.nftWallet + after.depositWallet).toBeLessThanOrEqual(1000n * ONE)
    }),
    searchParameters('rounds of conversions', { short: 10, long: 100 }),
  )
  const results = await runAudit(at.db, [...ledgerChecks, ...auditChecks])
  expect(results.filter((result) => result.broken > 0)).toEqual([])
})

it('[I2] limits every amount column with a check', async () => {
  expect(await limitsOf(at.db, 'wallet_exchange')).toEqual({ amount: '1…' })
})
