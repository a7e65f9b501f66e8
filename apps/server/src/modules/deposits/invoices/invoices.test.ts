import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, type TestMember } from '../../../../test/members.ts'
import type { ChainGateway, ChainTransfer } from '../../../gateways/chain/index.ts'
import { unusedProvider } from '../../../../test/unused-provider.ts'
import { pastChain } from '../../../sandbox/demo/past-chain.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { applySettings } from '../../settings/index.ts'
import { findDepositReceipt } from '../deposit-receipt.ts'
import { auditChecks, depositRoutes, depositJobs } from '../index.ts'
import type { SandboxWallet } from '../ports.ts'
import { pollInvoices, wakeInvoices, type DatabaseAccess } from './watch-invoices.ts'

const MINUTE = 60_000
const { db } = await testDatabase()
const play = pastChain()

/** Development chain with added or hidden transfers, or an outage. */
let cut = false
let hidden = false
/** Runs between the watcher's read and write. */
let meanwhile: ((addresses: readonly string[]) => Promise<void>) | undefined
const added: ChainTransfer[] = []
const chain = {
  ...play,
  async scan(...[connection, addresses, now]: Parameters<ChainGateway['scan']>) {
    if (cut) throw new Error('no node answers')
    const seen = await play.scan(connection, addresses, now)
    await meanwhile?.(addresses)
    const extra = added.filter((transfer) => addresses.includes(transfer.address))
    return { scannedTo: seen.scannedTo, transfers: hidden ? [] : [...seen.transfers, ...extra] }
  },
}
/** Records sandbox payments in order. Only transfers on the development chain lead to credits. */
const sandboxWallet: SandboxWallet = {
  pay({ to, token, amounts }) {
    for (const amount of token === 'coin' ? amounts : []) play.pay({ address: to, amount, minedAt: instance.clock.now() })
    return Promise.resolve()
  },
}
const ports = { provider: unusedProvider, chain, sandboxWallet, noticeUrl: '' }
const instance = await testApp(db, { routes: (bind) => depositRoutes(bind, ports), jobs: depositJobs(ports) })

interface Person {
  member: TestMember
  token: string
}
async function person(): Promise<Person> {
  const member = await createTestMember(db)
  return { member, token: (await instance.signIn(member.id)).token }
}
const create = (who: Person, amount: unknown, key?: string) =>
  instance.call('POST', '/autoPayRoutes/create-invoice', { token: who.token, body: { amount }, ...(key === undefined ? {} : { key }) })
async function opened(amount = 100) {
  const who = await person()
  const id: string = (await create(who, amount)).body.data.data.invoice_id
  return { who, id }
}
const status = async (id: string) => (await instance.call('GET', `/invoice-api/payments/${id}`)).body
const send = (id: string, outcome: string) => instance.call('POST', `/invoice-api/sandbox/invoices/${id}/pay`, { body: { outcome } })
/** Pays and runs the watcher on the new block. */
const pay = async (id: string, outcome: string) => {
  const reply = await send(id, outcome)
  await db
    .updateTable('deposit')
    .set({ next_check_at: instance.clock.now() })
    .where('public_id', '=', id)
    .where('next_check_at', 'is not', null)
    .execute()
  await instance.runJobs()
  return reply
}
/** Schedules a poll, like the watcher after a change at the address. */
const woken = async (id: string) => {
  const { address } = await db.selectFrom('deposit').select('address').where('public_id', '=', id).executeTakeFirstOrThrow()
  await inTransaction(db, (tx) => wakeInvoices(tx, [address ?? ''], instance.clock.now()))
}
const coin = async (who: Person) => (await balancesOf(db, who.member.id)).nativeWallet
/** Reads the receipt's outcome. */
const outcome = async (who: Person, id: string) =>
  (await findDepositReceipt(db, who.member.id, id))?.lines.find((line) => line.label === 'Outcome')?.value
const record = async (who: Person) =>
  (await instance.call('GET', '/pay/get-my-depsit', { token: (await instance.signIn(who.member.id)).token })).body.data.data[0]
const wait = async (milliseconds: number) => {
  instance.clock.advance(milliseconds)
  await instance.runJobs()
}

describe('in-app invoice', () => {
  it('[API-35] [API-95] [EN-54] [EN-57] [CO-36] shows the payment address and no data of the member', async () => {
    const { who, id } = await opened(12.5)
    expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const reply = await instance.call('GET', `/invoice-api/invoice/${id}`)
    expect(reply.body).toEqual({
      wallet_address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      amount: 12.5,
      token_name: 'TIZARA',
      created_at: instance.clock.now().toISOString(),
      expires_at: new Date(instance.clock.now().getTime() + 20 * MINUTE).toISOString(),
      server_time: instance.clock.now().toISOString(),
      received: 0,
      confirmations: 0,
      required_confirmations: 12,
      chain_id: 31_337,
      token_address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      token_decimals: 18,
      sandbox: true,
    })
    const seen = reply.text + (await instance.call('GET', `/invoice-api/payments/${id}`)).text
    for (const secret of [who.member.email, who.member.publicId, who.member.referralCode, 'Test Member']) expect(seen).not.toContain(secret)
  })

  it('[API-94] [MF-02] [ST-66] [ST-67] [CO-40] is pending, then processing with rising confirmations, and credited at twelve', async () => {
    const { who, id } = await opened(100)
    expect(await status(id)).toMatchObject({ status: false, payment_status: 'pending', state: 'awaiting', confirmations: 0, received: 0 })
    expect((await pay(id, 'exact')).body).toEqual({ ok: true })
    expect(await status(id)).toMatchObject({ status: true, payment_status: 'processing', confirmations: 1, received: 100 })
    await wait(4_000)
    expect(await status(id)).toMatchObject({ status: true, confirmations: 5 })
    await wait(6_000)
    expect(await status(id)).toMatchObject({ status: true, confirmations: 11 })
    expect(await coin(who)).toBe(0n)
    expect((await record(who)).status).toBe('PENDING')
    await wait(1_000)
    expect(await status(id)).toMatchObject({
      status: false,
      payment_status: 'completed',
      state: 'settled',
      reason: 'none',
      confirmations: 12,
    })
    expect(await coin(who)).toBe(100n * ONE)
    expect(await record(who)).toMatchObject({ status: 'APPROVE', desc: 'TIZARA', priceAmount: 100, payAmountNum: 100 })
    const requests = (await instance.call('GET', '/deposit-request', { token: (await instance.signIn(who.member.id)).token })).body.data
    expect(requests.meta.sumByStatus).toEqual({ APPROVE: 0.8 })
    await wait(3_600_000)
    expect(await coin(who)).toBe(100n * ONE)
  })

  it('[I8] underpaid: credits the part, stays open, and settles with the rest', async () => {
    const { who, id } = await opened(100)
    await pay(id, 'half')
    await wait(12_000)
    expect(await status(id)).toMatchObject({
      status: false,
      payment_status: 'pending',
      state: 'partial',
      reason: 'underpaid',
      received: 50,
    })
    expect(await coin(who)).toBe(50n * ONE)
    expect(await outcome(who, id)).toBe('Less than the invoiced amount arrived; it is credited')
    await pay(id, 'half')
    await wait(12_000)
    expect(await status(id)).toMatchObject({ payment_status: 'completed', reason: 'none', received: 100 })
    expect(await coin(who)).toBe(100n * ONE)
    expect(await outcome(who, id)).toBe('The exact amount arrived')
  })

  it('overpaid: credits the whole amount', async () => {
    const { who, id } = await opened(100)
    await pay(id, 'double')
    await wait(12_000)
    expect(await status(id)).toMatchObject({ payment_status: 'completed', reason: 'overpaid', received: 200 })
    expect(await coin(who)).toBe(200n * ONE)
    expect(await outcome(who, id)).toBe('More than the invoiced amount arrived; all of it is credited')
    expect((await pay(id, 'exact')).body).toMatchObject({ statusCode: 400, message: 'This request has already been decided' })
  })

  it('[ST-70] [EN-26] unpaid: expires after 20 minutes, and late money still counts', async () => {
    const { who, id } = await opened(100)
    await wait(20 * MINUTE)
    expect((await status(id)).state).toBe('awaiting')
    expect(await outcome(who, id)).toBe('Nothing has arrived yet')
    await wait(1_000)
    expect(await status(id)).toMatchObject({ status: false, payment_status: 'pending', state: 'expired' })
    expect((await record(who)).status).toBe('REJECT')
    expect(await outcome(who, id)).toBe('Nothing arrived while the invoice was open')
    await pay(id, 'exact')
    expect((await status(id)).status).toBe(true)
    await wait(MINUTE)
    expect(await status(id)).toMatchObject({ payment_status: 'completed', reason: 'late' })
    expect(await coin(who)).toBe(100n * ONE)
    expect((await record(who)).status).toBe('APPROVE')
    expect(await outcome(who, id)).toBe('Arrived after the invoice expired; credited anyway')
  })

  it('paid after it expired: is labelled late', async () => {
    const { id } = await opened(100)
    await wait(5_000)
    await pay(id, 'late')
    await wait(12_000)
    expect(await status(id)).toMatchObject({ payment_status: 'completed', reason: 'late' })
  })

  it('[ST-73] paid before the expiry and confirmed after it: does not expire', async () => {
    const { id } = await opened(100)
    instance.clock.advance(20 * MINUTE - 1_000)
    await pay(id, 'exact')
    await wait(5_000)
    expect(await status(id)).toMatchObject({ status: true, state: 'confirming', reason: 'none' })
    await wait(12_000)
    expect(await status(id)).toMatchObject({ payment_status: 'completed', reason: 'none' })
  })

  it('is not watched after seven more days', async () => {
    const { who, id } = await opened(100)
    await wait(7 * 24 * 60 * MINUTE + 21 * MINUTE)
    expect((await status(id)).state).toBe('closed')
    expect((await pay(id, 'exact')).status).toBe(400)
    const row = await db.selectFrom('deposit').select('next_check_at').where('public_id', '=', id).executeTakeFirstOrThrow()
    expect(row.next_check_at).toBeNull()
    expect(await coin(who)).toBe(0n)
  })

  it('[I8] is polled again when money arrives after the watch period or during its last poll', async () => {
    const { who, id } = await opened(100)
    const { id: row, address } = await db
      .selectFrom('deposit')
      .select(['id', 'address'])
      .where('public_id', '=', id)
      .executeTakeFirstOrThrow()
    meanwhile = async (addresses) => {
      if (!addresses.includes(address ?? '')) return
      meanwhile = undefined
      play.pay({ address: address ?? '', amount: 100n * ONE, minedAt: instance.clock.now() })
      await inTransaction(db, (tx) => wakeInvoices(tx, [address ?? ''], instance.clock.now()))
    }
    await wait(7 * 24 * 60 * MINUTE + 21 * MINUTE)
    expect(meanwhile).toBeUndefined()
    await wait(12_000)
    await wait(1_000)
    expect(await coin(who)).toBe(0n)
    expect(await db.selectFrom('invoice_transfer').select('held').where('deposit_id', '=', row).execute()).toEqual([{ held: 'TOO_LATE' }])
  })

  it('is polled in batches of 200, however many are open', async () => {
    const { id: memberId } = await createTestMember(db)
    const at = instance.clock.now()
    await sql`insert into deposit (public_id, member_id, method, description, amount, usd_amount, created_at, next_check_at, address, expires_at,
        watched_until, state, state_reason)
      select 'many-' || n, ${memberId}, 'chain', 'test', ${ONE}, ${ONE}, ${at}, ${at}, 'many-' || n, ${at}, ${at}, 'awaiting', 'none'
      from generate_series(1, 210) n`.execute(db)
    const turns: number[] = []
    meanwhile = (addresses) => Promise.resolve(void turns.push(addresses.filter((address) => address.startsWith('many-')).length))
    await wait(1)
    meanwhile = undefined
    expect(Math.max(...turns)).toBeLessThanOrEqual(200)
    expect(turns.reduce((sum, turn) => sum + turn, 0)).toBe(210)
    await db.deleteFrom('deposit').where('member_id', '=', memberId).execute()
  })

  it('is polled at its expiry when unpaid, and each second from the first payment until it is final', async () => {
    const { who, id } = await opened(100)
    const { address } = await db.selectFrom('deposit').select('address').where('public_id', '=', id).executeTakeFirstOrThrow()
    let looks = 0
    meanwhile = (addresses) => Promise.resolve(void (looks += addresses.includes(address ?? '') ? 1 : 0))
    const seconds = async (count: number) => {
      looks = 0
      for (let second = 0; second < count; second += 1) await wait(1_000)
      return looks
    }
    await wait(1_000)
    expect(await seconds(30)).toBe(0)
    // A transfer is final after 12 blocks of one second each.
    play.pay({ address: address ?? '', amount: 40n * ONE, minedAt: instance.clock.now() })
    await woken(id)
    expect(await seconds(30)).toBeLessThanOrEqual(13)
    expect(await coin(who)).toBe(40n * ONE)
    expect(await seconds(30)).toBe(0)
    // While chain time stands still, the watcher polls less than once a second.
    instance.clock.advance(19 * MINUTE)
    cut = true
    await wait(1_000).catch(() => undefined)
    cut = false
    await wait(1_000)
    expect((await status(id)).state).toBe('expired')
    expect(await seconds(30)).toBe(0)
    meanwhile = undefined
  })

  it('is polled at its expiry, and then every five seconds while the chain time is before it', async () => {
    const { id } = await opened(100)
    const ways: DatabaseAccess = { read: (look) => look(db), inTransaction: (work) => inTransaction(db, work) }
    const now = instance.clock.now()
    for (const [left, later] of [
      [1, 1],
      [0, 5_000],
    ] as const) {
      const expiresAt = new Date(now.getTime() - 1_000 + left)
      await db.updateTable('deposit').set({ expires_at: expiresAt, next_check_at: now }).where('public_id', '=', id).execute()
      const find = () =>
        db.selectFrom('deposit').select(['id', 'address', 'next_check_at']).where('public_id', '=', id).executeTakeFirstOrThrow()
      const behind = { ...chain, scan: () => Promise.resolve({ scannedTo: expiresAt, transfers: [] }) }
      await pollInvoices(ways, instance.deps, behind, [await find()])
      expect((await find()).next_check_at?.getTime()).toBe(now.getTime() + later)
    }
  })

  it('[I8] is credited once by two parallel watchers and a rescan', async () => {
    const { who, id } = await opened(100)
    await pay(id, 'exact')
    instance.clock.advance(12_000)
    await db.updateTable('deposit').set({ next_check_at: instance.clock.now() }).where('public_id', '=', id).execute()
    const ways: DatabaseAccess = { read: (look) => look(db), inTransaction: (work) => inTransaction(db, work) }
    const invoice = await db
      .selectFrom('deposit')
      .select(['id', 'address', 'next_check_at'])
      .where('public_id', '=', id)
      .executeTakeFirstOrThrow()
    await Promise.all(Array.from({ length: 6 }, () => pollInvoices(ways, instance.deps, chain, [invoice])))
    expect(await coin(who)).toBe(100n * ONE)
  })

  it('[I8] loses a payment in a reorg before the credit, and is credited once when it returns', async () => {
    const { who, id } = await opened(100)
    await pay(id, 'exact')
    hidden = true
    await wait(2_000)
    expect(await status(id)).toMatchObject({ status: false, payment_status: 'pending', state: 'awaiting', received: 0 })
    hidden = false
    await woken(id)
    await wait(20_000)
    expect(await status(id)).toMatchObject({ payment_status: 'completed' })
    for (const away of [true, false]) {
      hidden = away
      await woken(id)
      await wait(MINUTE)
    }
    expect(await coin(who)).toBe(100n * ONE)
    expect((await status(id)).payment_status).toBe('completed')
  })

  it('[I8] credits two transfers in one transaction separately, and nothing for a zero amount', async () => {
    const { who, id } = await opened(100)
    const { wallet_address: address } = (await instance.call('GET', `/invoice-api/invoice/${id}`)).body
    const transfer = (ordinal: number, amount: bigint): ChainTransfer => ({
      key: `1:0xaa:${address}:${ordinal}`,
      txHash: '0xaa',
      asset: 'COIN',
      address,
      amount,
      blockTime: instance.clock.now(),
      balanceFits: true,
      confirmations: 40,
    })
    added.push(transfer(0, 60n * ONE), transfer(1, 40n * ONE), transfer(2, 0n))
    await wait(2_000)
    expect(await coin(who)).toBe(100n * ONE)
    expect((await status(id)).payment_status).toBe('completed')
  })

  it('[MF-02] [I8] is valued at the price of its credit, and its decision time is stored once', async () => {
    const price = (coinPrice: bigint) =>
      inTransaction(db, (tx) => applySettings(tx, instance.deps, { changes: { coinPrice }, actorId: null, reason: 'test' }))
    const [paid, unpaid] = [await opened(100), await opened(100)]
    const row = async (id: string) => {
      const { next_check_at: due, ...rest } = await db
        .selectFrom('deposit')
        .selectAll()
        .where('public_id', '=', id)
        .executeTakeFirstOrThrow()
      return { rest, looked: due }
    }
    await pay(paid.id, 'exact')
    await wait(11_000)
    const settled = await row(paid.id)
    expect(settled.rest).toMatchObject({
      state: 'settled',
      credited: 100n * ONE,
      usd_amount: 80_000_000n,
      decided_at: instance.clock.now(),
    })
    const waiting = await row(unpaid.id)
    expect(waiting.rest).toMatchObject({ state: 'awaiting', credited: 0n, usd_amount: 80_000_000n, decided_at: null })
    instance.clock.advance(1_000)
    await price(400_000n)
    const lookAgain = async () => {
      for (const { id } of [paid, unpaid]) await woken(id)
      await wait(MINUTE)
      for (const { id } of [paid, unpaid]) expect((await row(id)).looked?.getTime()).toBeGreaterThan(instance.clock.now().getTime())
    }
    await lookAgain()
    const later = [await row(paid.id), await row(unpaid.id)]
    expect(later.map(({ rest }) => rest)).toEqual([settled.rest, waiting.rest])
    await wait(20 * MINUTE)
    const expired = await row(unpaid.id)
    expect(expired.rest).toEqual({ ...waiting.rest, state: 'expired', status: 'REJECT', decided_at: instance.clock.now() })
    await lookAgain()
    const last = [await row(paid.id), await row(unpaid.id)]
    expect(last.map(({ rest }) => rest)).toEqual([settled.rest, expired.rest])
    await price(800_000n)
  })

  it('[I8] keeps the value of each credited part when the price changes before the next one', async () => {
    const price = (coinPrice: bigint) =>
      inTransaction(db, (tx) =>
        applySettings(tx, instance.deps, { changes: { coinPrice, convertRate: 800_000n }, actorId: null, reason: 'test' }),
      )
    const { id } = await opened(100)
    const worth = async () =>
      (await db.selectFrom('deposit').select('usd_amount').where('public_id', '=', id).executeTakeFirst())?.usd_amount
    await pay(id, 'half')
    await wait(12_000)
    expect(await worth()).toBe(40_000_000n)
    await price(400_000n)
    await wait(MINUTE)
    await pay(id, 'half')
    await wait(12_000)
    expect(await worth()).toBe(60_000_000n)
    await price(800_000n)
  })

  it('does not expire and loses nothing while no node answers', async () => {
    const { who, id } = await opened(100)
    cut = true
    instance.clock.advance(19 * MINUTE)
    await send(id, 'exact')
    instance.clock.advance(30 * MINUTE)
    await expect(instance.runJobs()).rejects.toThrow('no node answers')
    expect(await status(id)).toMatchObject({ state: 'awaiting' })
    cut = false
    await wait(2_000)
    expect(await status(id)).toMatchObject({ payment_status: 'completed', reason: 'none' })
    expect(await coin(who)).toBe(100n * ONE)
  })
})

describe('opening an invoice', () => {
  it.each([0.5, 100_001, -1, 1.123456789, '5e0', null])('[CO-11] rejects an amount of %s', async (amount) => {
    expect((await create(await person(), amount)).status).toBe(400)
  })

  it('[I5] has one effect per idempotency key', async () => {
    const who = await person()
    const first = await create(who, 5, 'key')
    expect((await create(who, 5, 'key')).text).toBe(first.text)
    expect((await create(who, 6, 'key')).status).toBe(400)
  })

  it('is limited to five open invoices, also for parallel calls, and works again after they expire', async () => {
    const who = await person()
    const replies = await Promise.all(Array.from({ length: 12 }, () => create(who, 5)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(5)
    expect(replies.find((reply) => reply.status !== 200)?.body.message).toBe('Please pay or wait for your open invoices first')
    await wait(21 * MINUTE)
    expect((await create({ ...who, token: (await instance.signIn(who.member.id)).token }, 5)).status).toBe(200)
  })

  it('assigns a unique address and id', async () => {
    const invoices = await Promise.all(Array.from({ length: 8 }, () => opened(5)))
    const rows = await db
      .selectFrom('deposit')
      .select('address')
      .where(
        'public_id',
        'in',
        invoices.map(({ id }) => id),
      )
      .execute()
    expect(new Set(rows.map((row) => row.address)).size).toBe(8)
  })

  it('[API-97] answers 404 for an unknown or malformed id without a session', async () => {
    for (const id of ['AAAAAAAAAAAAAAAAAAAAAA', '1', '%00', "x'y"]) {
      for (const path of ['invoice', 'payments']) expect((await instance.call('GET', `/invoice-api/${path}/${id}`)).status).toBe(404)
    }
    expect((await send('AAAAAAAAAAAAAAAAAAAAAA', 'exact')).status).toBe(404)
    expect((await send('AAAAAAAAAAAAAAAAAAAAAA', 'triple')).status).toBe(400)
    expect((await instance.call('POST', '/autoPayRoutes/create-invoice', { body: { amount: 5 } })).status).toBe(401)
  })
})

describe('instance without a chain', () => {
  it('rejects invoices, and has play money only on a dev chain', async () => {
    const bare = await testApp(db, { routes: (bind) => depositRoutes(bind, { provider: unusedProvider, chain: null, noticeUrl: '' }) })
    const member = await createTestMember(db)
    const { token } = await bare.signIn(member.id)
    const reply = await bare.call('POST', '/autoPayRoutes/create-invoice', { token, body: { amount: 5 } })
    expect(reply.body).toMatchObject({ statusCode: 503, message: 'The payment service does not answer, please try again later' })
    const { id } = await opened()
    expect((await bare.call('POST', `/invoice-api/sandbox/invoices/${id}/pay`, { body: { outcome: 'exact' } })).status).toBe(404)
    const real = await testApp(db, {
      routes: (bind) => depositRoutes(bind, { provider: unusedProvider, chain, noticeUrl: '' }),
    })
    expect((await real.call('POST', `/invoice-api/sandbox/invoices/${id}/pay`, { body: { outcome: 'exact' } })).status).toBe(404)
  })
})

it('[I1] [I2] [I8] leaves the ledger intact', async () => {
  const results = await runAudit(db, [...ledgerChecks, ...auditChecks])
  expect(results.filter((result) => result.broken > 0)).toEqual([])
})
