import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { lockWaits } from '../../../../test/lock-waits.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember } from '../../../../test/members.ts'
import { statementCounter } from '../../../../test/statement-counter.ts'
import type { ChainGateway, ChainTransfer } from '../../../gateways/chain/index.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { balancesOf, liftLedgerStop, stopLedger } from '../../../ledger/index.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { invoiceProblems } from '../decisions/deposit-work.queries.ts'
import { creditHeld, decideHeld, settleFinal } from './credit-transfers.ts'
import { pollInvoices, wakeInvoices, watchInvoices, type WatchedInvoice, type DatabaseAccess } from './watch-invoices.ts'

const { db } = await testDatabase()
const at = await testApp(db, { routes: () => undefined })
const BEGIN = at.clock.now()
const after = (seconds: number) => new Date(BEGIN.getTime() + seconds * 1000)
const [DAY, EXPIRES, WATCHED] = [86_400, 1_200, 1_200 + 7 * 86_400]
const ways: DatabaseAccess = { read: (look) => look(db), inTransaction: (work) => inTransaction(db, work) }
const within = (tx: Tx): DatabaseAccess => ({ read: (look) => look(tx), inTransaction: (work) => work(tx) })

/** Transfers shown by the fake chain. */
let shown: ChainTransfer[] = []
let scannedTo = after(0)
let scanCount = 0
/** Addresses of each scan. */
let scans: string[][] = []
const chain = {
  scan: (_: unknown, addresses: readonly string[]) => {
    scanCount += 1
    scans.push([...addresses])
    return Promise.resolve({ scannedTo, transfers: shown.filter(({ address }) => addresses.includes(address)) })
  },
} as unknown as ChainGateway
beforeEach(async () => {
  ;[shown, scannedTo, scanCount, scans] = [[], after(0), 0, []]
  at.clock.set(BEGIN)
  await db.deleteFrom('invoice_transfer').execute()
  await db.deleteFrom('deposit').execute()
})

type Invoice = WatchedInvoice & { address: string; memberId: bigint; transfer(key: string, more?: Partial<ChainTransfer>): ChainTransfer }
let members = 0
async function invoice(more: object = {}): Promise<Invoice> {
  const [{ id: memberId }, index] = [await createTestMember(db), (members += 1)]
  const address = `0xa${index}`
  const times = { created_at: BEGIN, expires_at: after(EXPIRES), watched_until: after(WATCHED), next_check_at: BEGIN }
  const what = { method: 'chain', asset: 'COIN', description: 'coin', amount: 10n * ONE, usd_amount: 7n, state: 'awaiting' }
  const { id } = await db
    .insertInto('deposit')
    .values({ public_id: `invoice-${index}`, member_id: memberId, address, ...times, ...what, ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  const transfer = (key: string, options: Partial<ChainTransfer> = {}): ChainTransfer => ({
    key: `${address}-${key}`,
    txHash: '0x1',
    address,
    asset: 'COIN',
    amount: 10n * ONE,
    blockTime: BEGIN,
    balanceFits: true,
    confirmations: 12,
    ...options,
  })
  return { id, address, next_check_at: BEGIN, memberId, transfer }
}
const look = (...invoices: WatchedInvoice[]) => pollInvoices(ways, at.deps, chain, invoices)
const rows = async (of: Db = db) => ({
  deposits: await of.selectFrom('deposit').selectAll().orderBy('id').execute(),
  transfers: await of.selectFrom('invoice_transfer').selectAll().orderBy('deposit_id').orderBy('transfer_key').execute(),
})
const row = async ({ id }: WatchedInvoice) => db.selectFrom('deposit').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const wallets = async ({ memberId }: Invoice) => {
  const { nativeWallet, depositWallet } = await balancesOf(db, memberId)
  return [nativeWallet, depositWallet]
}
/** Returns the seconds until the next poll. */
const next = async (one: WatchedInvoice) => {
  const { next_check_at: then } = await row(one)
  return then === null ? null : (then.getTime() - at.clock.now().getTime()) / 1000
}

describe('poll of an invoice', () => {
  it('[I8] holds a transfer that is mined again after its credit was reversed, and credits others once', async () => {
    const [one, other] = [await invoice(), await invoice()]
    const both = [one.transfer('1'), other.transfer('1')]
    shown = both
    await look(one, other)
    shown = []
    await look(one, other)
    const { transfers } = await rows()
    const credit = transfers.find(({ deposit_id }) => deposit_id === one.id)?.transfer_id ?? 0n
    await sql`insert into ledger_reversal (reverses, reversed_by, proposal_id, created_at) values (${credit}, ${credit + 1_000_000n}, 'reversal', ${BEGIN})`.execute(
      db,
    )
    shown = both
    for (let time = 0; time < 2; time += 1) {
      await look(one, other)
      const now = (await rows()).transfers.map(({ deposit_id, transfer_key, is_live, held, credited_at }) => [
        deposit_id === one.id ? 'one' : 'other',
        transfer_key.split('-')[1],
        is_live,
        held,
        credited_at !== null,
      ])
      expect(now).toEqual([
        ['one', '1', false, null, true],
        ['one', '1#2', true, 'REVERSED', false],
        ['other', '1', true, null, true],
      ])
      expect([await wallets(one), await wallets(other)]).toEqual([
        [10n * ONE, 0n],
        [10n * ONE, 0n],
      ])
    }
  })

  it('[I8] settles 200 transfers of an invoice per poll, the largest first, and continues a second later', async () => {
    const [flooded, late] = [await invoice(), await invoice({ watched_until: BEGIN })]
    const dust = (one: Invoice, more: object = {}) =>
      Array.from({ length: 210 }, (_, index) => one.transfer(`dust-${index}`, { amount: ONE / 100n, ...more }))
    shown = [...dust(flooded), flooded.transfer('z', { amount: 10n * ONE }), ...dust(late, { blockTime: after(1) })]
    const settled = async () => {
      const { transfers } = await rows()
      const of = (one: Invoice) => transfers.filter(({ deposit_id }) => deposit_id === one.id)
      return [
        of(flooded).filter(({ credited_at }) => credited_at !== null).length,
        of(late).filter(({ held }) => held !== null).length,
        await next(flooded),
      ]
    }
    expect(await look(flooded, late)).toBe(2)
    expect([await settled(), (await wallets(flooded))[0]]).toEqual([[200, 200, 1], 10n * ONE + (199n * ONE) / 100n])
    for (const times of [1, 2])
      expect([times, await look(flooded, late), (await settled()).slice(0, 2)]).toEqual([times, times === 1 ? 2 : 0, [211, 210]])
    expect((await wallets(flooded))[0]).toBe(10n * ONE + (210n * ONE) / 100n)
  })

  it.each(['credited', 'held'] as const)('takes as many statements for 200 %s transfers as for one', async (outcome) => {
    const count = async (transfers: number) => {
      const one = await invoice()
      const blockTime = outcome === 'held' ? after(WATCHED + 1) : BEGIN
      shown = Array.from({ length: transfers }, (_, index) => one.transfer(`dust-${index}`, { amount: ONE / 100n, blockTime }))
      const { statements, counting } = statementCounter()
      await pollInvoices({ read: ways.read, inTransaction: (work) => inTransaction(db, (tx) => work(counting(tx))) }, at.deps, chain, [one])
      const recorded = (await rows()).transfers.filter(({ deposit_id }) => deposit_id === one.id)
      const settled = recorded.filter(({ credited_at, held }) => (outcome === 'held' ? held : credited_at) !== null)
      expect(settled).toHaveLength(transfers)
      return statements()
    }
    const single = await count(1)
    expect(single).toBeGreaterThan(4)
    expect(await count(200)).toBe(single)
  })

  it('[I8] credits 3,000 small payments to one invoice in 15 polls, after the payment of another member in each of them', async () => {
    const flooded = await invoice()
    shown = Array.from({ length: 3_000 }, (_, index) => flooded.transfer(`dust-${index}`, { amount: ONE / 100n }))
    for (let poll = 0; poll < 15; poll += 1) {
      const other = await invoice()
      shown.push(other.transfer('a'))
      await look(flooded, other)
      expect((await wallets(other))[0]).toBe(10n * ONE)
      expect((await wallets(flooded))[0]).toBe((BigInt(poll + 1) * 200n * ONE) / 100n)
    }
    const events = db.selectFrom('notification_event').select('amount').where('member_id', '=', flooded.memberId)
    expect(await events.execute()).toEqual(Array.from({ length: 15 }, () => ({ amount: 2n * ONE })))
    expect(await look(flooded)).toBe(0)
  })

  it('scans and settles an invoice with 200 transfers after all others', async () => {
    const [flooded, other] = [await invoice(), await invoice()]
    shown = Array.from({ length: 200 }, (_, index) => flooded.transfer(`dust-${index}`, { amount: ONE / 100n, confirmations: 1 }))
    await look(flooded, other)
    expect(scans).toEqual([[flooded.address, other.address]])
    shown.push(other.transfer('a'))
    await look(flooded, other)
    expect(scans.slice(1)).toEqual([[other.address], [flooded.address]])
    expect([await wallets(flooded), await wallets(other)]).toEqual([
      [0n, 0n],
      [10n * ONE, 0n],
    ])
  })

  it('[I8] skips an invoice that cannot be settled, logs the reason, and retries it in a minute', async () => {
    const [bad, good] = [await invoice(), await invoice()]
    shown = [bad.transfer('1'), good.transfer('1')]
    await sql`alter table deposit add constraint rejects_one check (id <> ${sql.lit(Number(bad.id))} or state = 'awaiting') not valid`.execute(
      db,
    )
    try {
      expect(await look(bad, good)).toBe(1)
      expect([await wallets(good), await wallets(bad)]).toEqual([
        [10n * ONE, 0n],
        [0n, 0n],
      ])
      expect([(await row(bad)).problem, (await row(good)).problem, await next(bad)]).toEqual([
        expect.stringContaining('rejects_one'),
        null,
        60,
      ])
      expect(await invoiceProblems(db)).toEqual({ count: 1, problem: expect.stringContaining('rejects_one') })
    } finally {
      await sql`alter table deposit drop constraint rejects_one`.execute(db)
    }
    expect(await look(bad)).toBe(1)
    expect([(await row(bad)).problem, await wallets(bad), await invoiceProblems(db)]).toEqual([null, [10n * ONE, 0n], undefined])
  })

  it('[I8] stores and credits only its transfers, once', async () => {
    const [mine, theirs] = [await invoice(), await invoice()]
    shown = [theirs.transfer('x', { amount: 3n * ONE, confirmations: 3 })]
    await look(theirs)
    shown.push(mine.transfer('a'), mine.transfer('b', { amount: 2n * ONE, confirmations: 11 }))
    const before = await rows()
    expect(await look(mine)).toBe(1)
    const found = await rows()
    expect(found).toEqual({
      deposits: before.deposits.map((one) =>
        one.id === mine.id
          ? {
              ...one,
              state: 'settled',
              state_reason: 'overpaid',
              status: 'APPROVE',
              next_check_at: after(1),
              decided_at: BEGIN,
              credited: 10n * ONE,
              usd_amount: expect.any(BigInt),
            }
          : one,
      ),
      transfers: [
        expect.objectContaining({ transfer_key: `${mine.address}-a`, credited_at: BEGIN, confirmations: 12, held: null, decided_at: null }),
        expect.objectContaining({ transfer_key: `${mine.address}-b`, credited_at: null, confirmations: 11, transfer_id: null }),
        ...before.transfers,
      ],
    })
    expect([await wallets(mine), await wallets(theirs)]).toEqual([
      [10n * ONE, 0n],
      [0n, 0n],
    ])
    // A repeated answer changes nothing, including a sum edited by staff.
    await db.updateTable('deposit').set({ next_check_at: BEGIN, credited: 77n }).where('id', '=', mine.id).execute()
    at.clock.advance(5_000)
    expect(await look(mine)).toBe(0)
    expect(await row(mine)).toEqual({ ...found.deposits.find(({ id }) => id === mine.id), next_check_at: after(6), credited: 77n })
  })

  it('counts an invoice as changed when it was written, credited or held, or when it expired', async () => {
    const [moved, settled, timed] = [await invoice({ state: 'partial' }), await invoice({ state: 'partial' }), await invoice()]
    const part = { amount: ONE }
    shown = [moved.transfer('a', { ...part, confirmations: 3 }), settled.transfer('a', part)]
    const { key, txHash, amount, blockTime, confirmations } = settled.transfer('a', part)
    const known = {
      transfer_key: key,
      deposit_id: settled.id,
      asset: 'COIN',
      amount,
      tx_hash: txHash,
      block_time: blockTime,
      confirmations,
    }
    await db.insertInto('invoice_transfer').values(known).execute()
    expect([await look(moved), await look(settled), await look(timed)]).toEqual([1, 1, 0])
    scannedTo = after(EXPIRES + 1)
    expect([await look({ ...timed, next_check_at: (await row(timed)).next_check_at }), (await row(timed)).state]).toEqual([1, 'expired'])
  })

  it('keeps the requested amount while nothing is credited, and counts each credit beside held transfers', async () => {
    const [held, both] = [await invoice(), await invoice()]
    const other = { asset: 'USD' as const, amount: 5n * ONE }
    shown = [held.transfer('a', other), both.transfer('a', other), both.transfer('b', { amount: ONE })]
    expect([await look(held), await look(both)]).toEqual([1, 1])
    expect([await row(held), await row(both)]).toMatchObject([
      { credited: 0n, usd_amount: 7n, status: 'PENDING', decided_at: null },
      { credited: ONE, usd_amount: expect.any(BigInt), status: 'APPROVE' },
    ])
    expect((await row(both)).usd_amount).not.toBe(7n)
    expect([await wallets(held), await wallets(both)]).toEqual([
      [0n, 0n],
      [ONE, 0n],
    ])
    expect((await rows()).transfers.map((one) => [one.held, one.held_at, one.credited_at])).toEqual([
      ['OTHER_TOKEN', BEGIN, null],
      ['OTHER_TOKEN', BEGIN, null],
      [null, null, BEGIN],
    ])
  })

  it('[ST-73] treats a block at the last second as in time, and one a second later as late', async () => {
    const [inTime, late, last, tooLate] = [await invoice(), await invoice(), await invoice(), await invoice()]
    const at_ = (one: Invoice, seconds: number) => one.transfer('a', { blockTime: after(seconds) })
    shown = [at_(inTime, EXPIRES), at_(late, EXPIRES + 1), at_(last, WATCHED), at_(tooLate, WATCHED + 1)]
    await look(inTime, late, last, tooLate)
    const found = (await rows()).deposits.map(({ state, state_reason }) => [state, state_reason])
    expect(found).toEqual([
      ['settled', 'none'],
      ['settled', 'late'],
      ['settled', 'late'],
      ['awaiting', 'none'],
    ])
    expect((await rows()).transfers.map(({ held }) => held)).toEqual([null, null, null, 'TOO_LATE'])
  })

  it('queries nothing without invoices or while the platform is paused', async () => {
    const mine = await invoice()
    expect([await look({ ...mine, address: null }), await look(), scanCount]).toEqual([0, 0, 0])
    shown = [mine.transfer('a')]
    await inTransaction(db, (tx) => stopLedger(tx, at.clock.now(), 'an outflow'))
    expect([await look(mine), scanCount]).toEqual([0, 0])
    await inTransaction(db, (tx) => liftLedgerStop(tx, at.clock.now()))
    expect([await look(mine), scanCount]).toEqual([1, 1])
  })

  it('[I8] sees the result of a parallel poll, and does nothing more', async () => {
    const mine = await invoice()
    shown = [mine.transfer('a')]
    const waiting = () => lockWaits(db)
    const { first, other } = await inTransaction(db, async (tx) => {
      const done = await pollInvoices(within(tx), at.deps, chain, [mine])
      const begun = look(mine)
      // The embedded database has one session, so the other call has not begun there.
      if (inject('testDatabase').kind === 'postgres') await expect.poll(waiting).toHaveLength(1)
      return { first: done, other: begun }
    })
    expect([first, await other, await wallets(mine)]).toEqual([1, 0, [10n * ONE, 0n]])
  })
})

describe('next poll', () => {
  it.each<[string, number, number, Partial<ChainTransfer> | undefined, number | null]>([
    ['is in one second while a transfer awaits its credit', 60, 60, { confirmations: 3 }, 1],
    ['is at the expiry', 60, 60, undefined, EXPIRES + 1 - 60],
    ['is in five seconds after the expiry while the chain time is before it', EXPIRES + 1, EXPIRES, undefined, 5],
    ['is in one second when the server clock is at the expiry', EXPIRES, EXPIRES, undefined, 1],
    ['is in an hour after the expiry', EXPIRES + 9, EXPIRES + 1, undefined, 3_600],
    ['is in an hour for a day after the expiry', EXPIRES + DAY, EXPIRES + DAY - 1, undefined, 3_600],
    ['is in a day after that', EXPIRES + DAY, EXPIRES + DAY, undefined, DAY],
    ['is in a day at the last moment of the watch', WATCHED, WATCHED, undefined, DAY],
    ['is none after the watch', WATCHED + 1, WATCHED + 1, undefined, null],
    ['is in one second after the watch while a transfer awaits its credit', WATCHED + 1, WATCHED + 1, { confirmations: 3 }, 1],
  ])('%s', async (_, now, chainTime, came, seconds) => {
    const mine = await invoice()
    at.clock.set(after(now))
    scannedTo = after(chainTime)
    if (came !== undefined) shown = [mine.transfer('a', { amount: ONE, ...came })]
    await look(mine)
    expect(await next(mine)).toBe(seconds)
  })

  it('keeps a parallel change, and is rescheduled only for the given invoices', async () => {
    const [mine, theirs] = [await invoice(), await invoice()]
    const before = await rows()
    const then = after(30)
    await inTransaction(db, (tx) => wakeInvoices(tx, [mine.address], then))
    expect(await rows()).toEqual({
      ...before,
      deposits: before.deposits.map((one) => (one.id === mine.id ? { ...one, next_check_at: then } : one)),
    })
    await look(mine, theirs)
    expect([(await row(mine)).next_check_at, (await row(theirs)).next_check_at]).toEqual([then, after(EXPIRES + 1)])
  })

  it.each([
    [199, 1],
    [200, 10],
  ])('runs for %i invoices in %i batches at most', async (due, rounds) => {
    let read = 0
    const lease = {
      read: () => {
        read += 1
        return Promise.resolve(Array.from({ length: due }, () => ({ id: 0n, address: null, next_check_at: null })))
      },
    } as unknown as Lease
    expect([await watchInvoices(lease, at.deps, chain), read]).toEqual([0, rounds])
  })
})

describe('held transfers', () => {
  const held = { held: 'OTHER_TOKEN', held_at: BEGIN, usd_amount: 5n }
  const write = (one: Invoice, key: string, more: object = {}) =>
    db
      .insertInto('invoice_transfer')
      .values({
        transfer_key: key,
        deposit_id: one.id,
        asset: 'USD',
        amount: 5n,
        tx_hash: '0x1',
        block_time: BEGIN,
        confirmations: 12,
        ...held,
        ...more,
      })
      .execute()

  it("include only the member's transfers that are held, final, live and undecided", async () => {
    const [mine, theirs] = [await invoice(), await invoice()]
    await write(mine, '1 open')
    await write(mine, '2 young', { confirmations: 11 })
    await write(mine, '3 gone', { is_live: false })
    await write(mine, '4 decided', { decided_at: after(-1) })
    await write(mine, '5 not held', { held: null, held_at: null, usd_amount: null })
    await write(theirs, '6 theirs')
    const before = await rows()
    const other = await invoice()
    await inTransaction(db, (tx) => decideHeld(tx, other.id, after(1)))
    expect((await rows()).transfers).toEqual(before.transfers)
    await inTransaction(db, (tx) => decideHeld(tx, mine.id, after(1)))
    expect((await rows()).transfers).toEqual(
      before.transfers.map((one) => (one.transfer_key === '1 open' ? { ...one, decided_at: after(1) } : one)),
    )
  })

  it('[I8] are credited all or none: one without a valid MAC blocks the others', async () => {
    const mine = await invoice()
    await write(mine, 'forged')
    const { deposits } = await rows()
    const [deposit] = deposits
    if (deposit === undefined) throw new Error('none')
    await expect(inTransaction(db, (tx) => creditHeld(tx, at.deps, deposit, BEGIN))).rejects.toMatchObject({ code: 'TRANSFER_FORGED' })
    expect(await wallets(mine)).toEqual([0n, 0n])
  })

  it('[I8] are held once, and neither held nor credited ones are evaluated again', async () => {
    const mine = await invoice()
    shown = [mine.transfer('a', { asset: 'USD', amount: 5n }), mine.transfer('b')]
    await look(mine)
    at.clock.advance(1000)
    const before = await rows()
    const deposit = await row(mine)
    expect(await inTransaction(db, (tx) => settleFinal(tx, at.deps, deposit, before.transfers, shown))).toBe(false)
    expect([(await rows()).transfers, await wallets(mine)]).toEqual([before.transfers, [10n * ONE, 0n]])
  })
})
