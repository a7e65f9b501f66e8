import { ONE, parseUnits, type Units } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { limitsOf } from '../../../test/limits.ts'
import { byOne, byTwo, createTestMember, fund, confirmPayoutAddress } from '../../../test/members.ts'
import { balanceOfSystemAccount, balancesOf, ledgerChecks, runAudit } from '../../ledger/index.ts'
import { readPageRange } from '../../platform/db/paging.ts'
import { freezePayouts } from '../members/index.ts'
import { applySettings } from '../settings/index.ts'
import { isPayable } from './addresses/address.rules.ts'
import { approvePayout, rejectPayout, withdrawalRoutes } from './index.ts'
import { payoutQueue } from './decisions/payout-queue.queries.ts'
import { sendPayoutNotifications } from './notify-member.ts'
import { findWithdrawalReceipt } from './withdrawals.receipts.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const TRON = 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW'

let at: TestApp
let staff: bigint
let second: bigint

beforeAll(async () => {
  const { db } = await testDatabase(24)
  at = await testApp(db, { routes: (bind) => withdrawalRoutes(bind) })
  staff = (await createTestMember(db, { role: 'ADMIN' })).id
  second = (await createTestMember(db, { role: 'ADMIN' })).id
})

async function member(wallet: 'depositWallet' | 'icoWallet', amount: string) {
  const created = await createTestMember(at.db)
  await fund(at.db, created.id, wallet, u(amount))
  await confirmPayoutAddress(at.db, created.id)
  return { ...created, token: (await at.signIn(created.id)).token }
}

const withdraw = (token: string, amount: unknown, address: unknown = ADDRESS) =>
  at.call('POST', '/deposit-wallet/transfer-deposit-wallet', { token, body: { amount, address } })
const bridge = (token: string, amount: unknown, to: unknown = ADDRESS, network?: unknown) =>
  at.call('POST', '/withdrow-request', { token, body: { amount, to, ...(network === undefined ? {} : { network }) } })
const idOf = (reply: { body: { data: { receipt: { id: string } } } }) => reply.body.data.receipt.id
const decide = <T>(work: (tx: Parameters<Parameters<ReturnType<typeof at.db.transaction>['execute']>[0]>[0]) => Promise<T>) =>
  at.db.transaction().execute(work)

describe('displayed amount', () => {
  it.each([
    ['[MF-03]', 'depositWallet', '/deposit-wallet/transfer-deposit-wallet', { amount: 100, address: ADDRESS }, '93'],
    ['[MF-04]', 'icoWallet', '/withdrow-request', { amount: 100, to: ADDRESS }, '100'],
  ] as const)(
    '%s [VA-89] rejects an amount that differs from the displayed one, and moves nothing',
    async (_, wallet, path, body, right) => {
      const payer = await member(wallet, '300')
      const quoted = (shown: string) => at.call('POST', path, { token: payer.token, body, headers: { 'quoted-amount': shown } })
      expect((await quoted('94')).body).toMatchObject({ statusCode: 400, message: 'The fee has changed, please try again' })
      expect((await balancesOf(at.db, payer.id))[wallet]).toBe(u('300'))
      expect((await quoted(right)).status).toBe(200)
    },
  )
})

describe('protection against theft', () => {
  const mailsTo = async (email: string) => {
    await decide((tx) => sendPayoutNotifications(tx, at.deps))
    return at.db.selectFrom('mail_outbox').select('template').where('recipient', '=', email).orderBy('id').execute()
  }

  it('mails the member when a payout is requested, paid and rejected', async () => {
    const payer = await member('depositWallet', '200')
    const [paid, rejected] = [await withdraw(payer.token, 20), await withdraw(payer.token, 30)]
    expect(await mailsTo(payer.email)).toHaveLength(2)
    const how = { staffId: staff, reason: 'checked', ...byOne }
    await decide((tx) => approvePayout(tx, at.deps, { payoutId: idOf(paid), ...how }))
    await decide((tx) => rejectPayout(tx, at.deps, { payoutId: idOf(rejected), ...how }))
    expect((await mailsTo(payer.email)).map((mail) => mail.template)).toEqual(['payout', 'payout', 'payout', 'payout'])
    expect((await withdraw(payer.token, 10_000)).status).toBe(400)
    expect(await mailsTo(payer.email)).toHaveLength(4)
  })

  it.each(['withdrawal', 'bridge'] as const)(
    'freezes a %s for 24 hours after a password reset, whenever it was requested',
    async (kind) => {
      const payer = await member(kind === 'bridge' ? 'icoWallet' : 'depositWallet', '200')
      const filed = kind === 'bridge' ? await bridge(payer.token, 100) : await withdraw(payer.token, 100)
      const until = new Date(at.clock.now().getTime() + 1000)
      await decide((tx) => freezePayouts(tx, { id: payer.id, at: at.clock.now(), until, cause: 'password' }))
      const approve = () =>
        decide((tx) => approvePayout(tx, at.deps, { payoutId: idOf(filed), staffId: staff, reason: 'checked', ...byOne }))
      await expect(approve()).rejects.toMatchObject({ code: 'PAYOUT_HELD' })
      at.clock.advance(1000)
      expect(await approve()).toBe('approved')
    },
  )
})

describe('USD withdrawals', () => {
  it('[API-36] [MF-03] [EN-45] [LS-37] debits the whole amount on request and shows fee, network fee and received amount', async () => {
    const payer = await member('depositWallet', '200')
    const reply = await withdraw(payer.token, 100)
    expect(reply).toMatchObject({ status: 200, body: { statusCode: 200 } })
    expect((await balancesOf(at.db, payer.id)).depositWallet).toBe(u('100'))
    const list = await at.call('GET', '/deposit-wallet/transfer-history?page=1&limit=25', { token: payer.token })
    expect(list.body.data.data[0]).toMatchObject({
      amount: 100,
      fee: 5,
      networkFee: 2,
      recived: 93,
      status: 'PENDING',
      user: { email: payer.email },
    })
    expect(list.body.data.meta).toMatchObject({ total: 1, page: 1, limit: 25, sum: 100, sumByStatus: { PENDING: 100 } })
  })

  it.each(['10', '33.33', '1234.56'])(
    '[CO-13] charges 7 %% of a withdrawal of %s USD with the settings of a new instance',
    async (amount) => {
      const payer = await member('depositWallet', amount)
      const payoutId = idOf(await withdraw(payer.token, Number(amount)))
      const [out, fees] = [
        await balanceOfSystemAccount(at.db, 'SYS-WITHDRAW', 'USD'),
        await balanceOfSystemAccount(at.db, 'SYS-FEE', 'USD'),
      ]
      const how = { staffId: staff, reason: 'checked', ...byOne }
      expect(await decide((tx) => approvePayout(tx, at.deps, { payoutId, ...how }))).toBe('approved')
      const fee = (u(amount) * 7n) / 100n
      expect((await balanceOfSystemAccount(at.db, 'SYS-FEE', 'USD')) - fees).toBe(fee)
      expect((await balanceOfSystemAccount(at.db, 'SYS-WITHDRAW', 'USD')) - out).toBe(u(amount) - fee)
      expect((await balancesOf(at.db, payer.id)).depositWallet).toBe(0n)
    },
  )

  it('[CO-32] counts pages from 1, defaults to page 1, and rejects page 0', async () => {
    const payer = await member('depositWallet', '100')
    for (const amount of [11, 12, 13]) expect((await withdraw(payer.token, amount)).status).toBe(200)
    const list = (query: string) => at.call('GET', `/deposit-wallet/transfer-history?limit=2${query}`, { token: payer.token })
    const page = async (query: string) => {
      const { data, meta } = (await list(query)).body.data
      return [meta.page, data.map((row: { amount: number }) => row.amount)]
    }
    expect(await page('&page=1')).toEqual([1, [13, 12]])
    expect(await page('')).toEqual([1, [13, 12]])
    expect(await page('&page=2')).toEqual([2, [11]])
    expect((await list('&page=0')).status).toBe(400)
  })

  it('[API-77] [ST-52] pays amount minus fees on approval and returns everything on rejection', async () => {
    const payer = await member('depositWallet', '300')
    const [paid, refused] = [idOf(await withdraw(payer.token, 100)), idOf(await withdraw(payer.token, 50))]
    const [out, fees] = [await balanceOfSystemAccount(at.db, 'SYS-WITHDRAW', 'USD'), await balanceOfSystemAccount(at.db, 'SYS-FEE', 'USD')]
    await decide((tx) => approvePayout(tx, at.deps, { payoutId: paid, staffId: staff, reason: 'ok', txHash: '0xabc', ...byOne }))
    await decide((tx) => rejectPayout(tx, at.deps, { payoutId: refused, staffId: staff, reason: 'wrong address' }))
    expect((await balanceOfSystemAccount(at.db, 'SYS-WITHDRAW', 'USD')) - out).toBe(u('93'))
    expect((await balanceOfSystemAccount(at.db, 'SYS-FEE', 'USD')) - fees).toBe(u('7'))
    expect((await balancesOf(at.db, payer.id)).depositWallet).toBe(u('200'))
    const { data } = (await at.call('GET', '/deposit-wallet/transfer-history', { token: payer.token })).body.data
    expect(data.map((row: { status: string }) => row.status)).toEqual(['REJECT', 'APPROVE'])
    expect(data[0].reason).toBe('wrong address')
    expect(data[1].txHash).toBe('0xabc')
    // The receipts show the fee percentages, and no net amount for the returned request.
    const [arrived, returned] = await Promise.all([paid, refused].map((id) => findWithdrawalReceipt(at.db, payer.id, id)))
    expect(arrived?.rule).toMatch(/^platform fee 5 % and network fee 2 % of the amount/)
    expect(arrived?.lines).toContainEqual({ label: 'Arrives', value: '93', amount: u('93') })
    expect(returned?.lines.map(({ label, value }) => [label, value])).toEqual([
      ['Platform fee', '2.5'],
      ['Network fee', '1'],
      ['Given back', '50'],
      ['Reason', 'wrong address'],
    ])
  })

  it('decides once in parallel', async () => {
    const payer = await member('depositWallet', '100')
    const payoutId = idOf(await withdraw(payer.token, 100))
    const acts = Array.from({ length: 6 }, (_, index) =>
      decide((tx) =>
        index % 2 === 0
          ? approvePayout(tx, at.deps, { payoutId, staffId: staff, reason: 'a', ...byOne }).then(() => 'done')
          : rejectPayout(tx, at.deps, { payoutId, staffId: second, reason: 'b' }).then(() => 'done'),
      ).catch((error: { code: string }) => error.code),
    )
    const ends = await Promise.all(acts)
    expect(ends.filter((end) => end === 'done')).toHaveLength(1)
    expect(ends.filter((end) => end === 'ALREADY_DECIDED')).toHaveLength(5)
  })

  it("needs a second staff member above the limit, and rejects the staff member's own request", async () => {
    const payer = await member('depositWallet', '5000')
    const payoutId = idOf(await withdraw(payer.token, 2000))
    const approve = (staffId: bigint) => decide((tx) => approvePayout(tx, at.deps, { payoutId, staffId, reason: 'checked', ...byTwo }))
    await expect(approve(payer.id)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    expect(await approve(staff)).toBe('waits-for-second')
    await expect(approve(staff)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    expect(await approve(second)).toBe('approved')
    await expect(approve(second)).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
  })

  it.each([
    ['[VA-28] [CO-12] below 10', 9.99, ADDRESS],
    ['with three decimals', 10.001, ADDRESS],
    ['[VA-30] without an address', 20, ''],
    ['[VA-31] to a word', 20, 'my wallet'],
    ['[VA-31] to a short address', 20, '0x1234'],
    ['[VA-31] to the zero address', 20, `0x${'0'.repeat(40)}`],
    ['[VA-31] with wrong capitals', 20, '0x52908400098527886e0F7030069857D2E4169EE7'],
    ['[VA-31] to a TRON address', 20, TRON],
  ])('rejects a request %s', async (_, amount, address) => {
    const payer = await member('depositWallet', '100')
    expect((await withdraw(payer.token, amount, address)).status).toBe(400)
    expect((await balancesOf(at.db, payer.id)).depositWallet).toBe(u('100'))
  })

  it('[ER-20] [ER-70] reports an insufficient balance', async () => {
    const payer = await member('depositWallet', '15')
    expect((await withdraw(payer.token, 16)).body).toMatchObject({ statusCode: 400, message: 'Insufficient balance', success: false })
  })
})

describe('bridges', () => {
  it('[API-37] [API-73] [EN-42] [ST-46] [ST-47] creates a request whose status is null, true or false', async () => {
    const payer = await member('icoWallet', '1000')
    const first = await bridge(payer.token, 100)
    expect(first.body).toMatchObject({ statusCode: 200, message: 'Bridged Request success' })
    const [, paid, refused] = [first, await bridge(payer.token, 200), await bridge(payer.token, 300)]
    await decide((tx) => approvePayout(tx, at.deps, { payoutId: idOf(paid), staffId: staff, reason: 'ok', ...byOne }))
    await decide((tx) => rejectPayout(tx, at.deps, { payoutId: idOf(refused), staffId: staff, reason: 'no' }))
    const { data } = (await at.call('GET', '/withdrow-request/get-my-withdraw-history', { token: payer.token })).body.data
    expect(data.map((row: { status: unknown }) => row.status)).toEqual([false, true, null])
    expect(data[2]).toMatchObject({ to: ADDRESS, amount: 100, desc: '0' })
    expect((await balancesOf(at.db, payer.id)).icoWallet).toBe(u('700'))
  })

  it('[EN-58] [UI-M-BRIDGE-10] treats a missing network as BEP(20) and checks the address by network', async () => {
    const payer = await member('icoWallet', '1000')
    expect((await bridge(payer.token, 1, TRON)).body.message).toBe('Invalid wallet address')
    expect((await bridge(payer.token, 1, TRON, 2)).status).toBe(200)
    expect((await bridge(payer.token, 1, ADDRESS, 1)).status).toBe(200)
    expect((await bridge(payer.token, 1, ADDRESS, 2)).status).toBe(400)
    expect((await bridge(payer.token, 1, ADDRESS, 3)).status).toBe(400)
  })

  it('[VA-38] uses the fee and the minimum of the settings', async () => {
    await decide((tx) =>
      applySettings(tx, at.deps, { changes: { bridgeFeePercent: 2n * ONE, bridgeMinimum: 50n * ONE }, actorId: null, reason: 'test' }),
    )
    const payer = await member('icoWallet', '1000')
    expect((await bridge(payer.token, 49)).body.message).toBe('Minimum amount is 50')
    await bridge(payer.token, 100)
    const { data } = (await at.call('GET', '/withdrow-request/get-my-withdraw-history', { token: payer.token })).body.data
    expect(data[0]).toMatchObject({ amount: 100, desc: '2' })
  })

  it('rejects an amount that the fee consumes', async () => {
    await decide((tx) =>
      applySettings(tx, at.deps, { changes: { bridgeFeePercent: 2n * ONE, bridgeMinimum: 0n }, actorId: null, reason: 'test' }),
    )
    const payer = await member('icoWallet', '1')
    expect((await bridge(payer.token, 0.00000001)).body).toMatchObject({ statusCode: 400, message: 'Invalid amount' })
    expect((await balancesOf(at.db, payer.id)).icoWallet).toBe(u('1'))
  })

  it('[API-09] sums all requests by status, whatever days are requested', async () => {
    const payer = await member('depositWallet', '100')
    await withdraw(payer.token, 20)
    const payoutId = idOf(await withdraw(payer.token, 30))
    await decide((tx) => rejectPayout(tx, at.deps, { payoutId, staffId: staff, reason: 'no' }))
    const read = async (query: string) =>
      (await at.call('GET', `/deposit-wallet/transfer-history${query}`, { token: payer.token })).body.data.meta
    const sums = { sum: 50, sumByStatus: { PENDING: 20, REJECT: 30 } }
    expect(await read('?page=1&limit=25')).toMatchObject({ total: 2, ...sums })
    expect(await read('?from=2026-01-01&to=2026-01-02')).toMatchObject({ total: 0, ...sums })
  })

  it("[LS-07] [RO-14] shows only the member's requests", async () => {
    const payer = await member('icoWallet', '100')
    await bridge(payer.token, 60)
    const other = await member('icoWallet', '1')
    for (const path of ['/withdrow-request/get-my-withdraw-history', '/deposit-wallet/transfer-history']) {
      expect((await at.call('GET', path, { token: other.token })).body.data).toMatchObject({ data: [], meta: { total: 0 } })
    }
  })

  it('leaves the ledger intact', async () => {
    const results = await runAudit(at.db, ledgerChecks)
    expect(results.filter((result) => result.broken > 0)).toEqual([])
  })
})

describe('smallest payout', () => {
  it.each([
    ['[VA-28] [CO-12]', 'depositWallet', 'withdrawal', '9.99', '10'],
    ['[VA-38]', 'icoWallet', 'bridge', '49.99999999', '50'],
  ] as const)('%s is accepted from the %s as a %s, and nothing below it moves', async (_, wallet, kind, below, smallest) => {
    const changes = { bridgeMinimum: u('50') }
    const version = await decide((tx) => applySettings(tx, at.deps, { changes, actorId: null, reason: 'test' }))
    const payer = await member(wallet, '100')
    const ask = (amount: string) => (kind === 'bridge' ? bridge(payer.token, amount) : withdraw(payer.token, amount))
    const rows = () => at.db.selectFrom('payout_request').selectAll().where('member_id', '=', payer.id).execute()
    expect((await ask(below)).body).toMatchObject({ statusCode: 400, message: `Minimum amount is ${smallest}` })
    expect([await rows(), (await balancesOf(at.db, payer.id))[wallet]]).toEqual([[], u('100')])
    expect((await ask(smallest)).status).toBe(200)
    expect(await rows()).toMatchObject([{ kind, amount: u(smallest), status: 'PENDING', settings_version: version }])
    expect((await balancesOf(at.db, payer.id))[wallet]).toBe(u('100') - u(smallest))
    await decide((tx) => applySettings(tx, at.deps, { changes: { bridgeMinimum: 0n }, actorId: null, reason: 'test' }))
  })
})

describe('first payout to an address', () => {
  /** Returns the member's payouts that the queue marks as first to their address. */
  const marked = async (kind: 'withdrawal' | 'bridge', who: { id: bigint }) =>
    (await payoutQueue(at.db, kind, { pageRange: readPageRange({}) })).data
      .filter((row) => row.memberId === who.id && row.paidBefore === 0)
      .map((row) => row.id)
      .toSorted()

  it('[I7] is each one until one was paid to the same address, of the same kind, by the same member', async () => {
    const [payer, other] = [await member('depositWallet', '500'), await member('depositWallet', '500')]
    await fund(at.db, payer.id, 'icoWallet', u('100'))
    const ids = [idOf(await withdraw(payer.token, 20)), idOf(await withdraw(payer.token, 21)), idOf(await withdraw(payer.token, 22))]
    const [refused = '', paid = '', next = ''] = ids
    const another = ADDRESS.toLowerCase().replace('0x5', '0x6')
    await confirmPayoutAddress(at.db, payer.id, another)
    const elsewhere = idOf(await withdraw(payer.token, 23, another))
    const bridged = idOf(await bridge(payer.token, 60))
    const strangers = idOf(await withdraw(other.token, 20))
    const how = { staffId: staff, reason: 'checked', ...byOne }
    expect(await marked('withdrawal', payer)).toEqual([...ids, elsewhere].toSorted())
    await decide((tx) => rejectPayout(tx, at.deps, { payoutId: refused, ...how }))
    expect(await marked('withdrawal', payer)).toEqual([...ids, elsewhere].toSorted())
    await decide((tx) => approvePayout(tx, at.deps, { payoutId: paid, ...how }))
    expect(await marked('withdrawal', payer)).toEqual([paid, elsewhere].toSorted())
    await decide((tx) => approvePayout(tx, at.deps, { payoutId: next, ...how }))
    expect(await marked('withdrawal', payer)).toEqual([elsewhere])
    expect([await marked('bridge', payer), await marked('withdrawal', other)]).toEqual([[bridged], [strangers]])
    // The same address without its checksum is not new.
    expect((await withdraw(payer.token, 24, ADDRESS.toLowerCase())).status).toBe(200)
    expect(await marked('withdrawal', payer)).toEqual([elsewhere])
  })
})

describe('addresses', () => {
  it.each([
    [ADDRESS, 0, true],
    [ADDRESS.toLowerCase(), 1, true],
    ['0x8617E340B3D01FA5F11F306F4090FD50E238070D', 0, true],
    ['0xde709f2102306220921060314715629080e2fb77', 0, true],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 0, true],
    ['0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 0, false],
    ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 0, false],
    [TRON, 2, true],
    [`${TRON.slice(0, -1)}X`, 2, false],
    ['T0CnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW', 2, false],
    // Valid check digits, but versions other than 0x41, and the zero address.
    ['T9EjyVeninCo4N6szRfhiKhYxHQ4Hzzkqd', 2, false],
    ['TbQuBv166dU9tZU1Dcox5QSjR88kJziRot', 2, false],
    ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 2, false],
  ] as const)('%s on network %s is payable: %s', (address, network, payable) => {
    expect(isPayable(address, network)).toBe(payable)
  })
})

it('[I2] limits every amount column with a check', async () => {
  expect(await limitsOf(at.db, 'payout_request')).toEqual({
    amount: '1…',
    platform_fee: '0…',
    network_fee: '0…',
    received: '0…',
    network: '0…2',
    ceiling_left: '0…',
  })
})
