import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchParameters } from '../../../../../../test/search.ts'
import { forward, orderStatus, recordStatus } from '../deposit-status.rules.ts'
import { type InvoiceFacts, invoiceState, pageStatus } from './invoice-state.rules.ts'

const EXPIRES = new Date('2026-03-02T09:20:00Z')
const WATCHED = new Date('2026-03-09T09:20:00Z')
const at = (milliseconds: number) => new Date(EXPIRES.getTime() + milliseconds)
const base: InvoiceFacts = {
  due: 100n,
  seen: 0n,
  credited: 0n,
  inTime: 0n,
  unconfirmed: false,
  scannedTo: at(-1),
  expiresAt: EXPIRES,
  watchedUntil: WATCHED,
}
const later = new Date(WATCHED.getTime() + 1)

describe('invoice state', () => {
  it.each<[string, Partial<InvoiceFacts>, string, string]>([
    ['no payment', {}, 'awaiting', 'none'],
    ['no payment at the expiry', { scannedTo: EXPIRES }, 'awaiting', 'none'],
    ['no payment after the expiry', { scannedTo: at(1) }, 'expired', 'none'],
    ['a part seen', { seen: 50n, inTime: 50n, unconfirmed: true }, 'partial', 'underpaid'],
    ['the smallest part seen', { seen: 1n, inTime: 1n, unconfirmed: true }, 'partial', 'underpaid'],
    ['a part credited', { seen: 50n, credited: 50n, inTime: 50n }, 'partial', 'underpaid'],
    ['the smallest part, after the expiry', { seen: 1n, inTime: 1n, scannedTo: at(1) }, 'expired', 'underpaid'],
    ['a part, after the expiry', { seen: 50n, inTime: 50n, scannedTo: at(1) }, 'expired', 'underpaid'],
    ['the full amount seen', { seen: 100n, inTime: 100n, unconfirmed: true }, 'confirming', 'none'],
    [
      'the full amount seen in time, confirmed later',
      { seen: 100n, inTime: 100n, unconfirmed: true, scannedTo: at(1) },
      'confirming',
      'none',
    ],
    ['the full amount credited', { seen: 100n, credited: 100n, inTime: 100n }, 'settled', 'none'],
    ['more than the amount credited', { seen: 200n, credited: 200n, inTime: 200n }, 'settled', 'overpaid'],
    ['a late payment', { seen: 100n, credited: 100n, scannedTo: at(5) }, 'settled', 'late'],
    ['a late payment of more', { seen: 200n, credited: 200n, inTime: 60n }, 'settled', 'late'],
    ['a late payment, not confirmed', { seen: 100n, unconfirmed: true, scannedTo: at(5) }, 'confirming', 'late'],
    ['a settled payment removed by a deep reorg', { credited: 100n, scannedTo: at(5) }, 'settled', 'late'],
    ['no payment at the end of the watch', { scannedTo: later }, 'closed', 'none'],
    ['no payment at the last moment of the watch', { scannedTo: WATCHED }, 'expired', 'none'],
    ['a credited transfer that is gone at the end of the watch', { credited: 1n, scannedTo: later }, 'closed', 'underpaid'],
    ['a part at the end of the watch', { seen: 50n, credited: 50n, inTime: 50n, scannedTo: later }, 'closed', 'underpaid'],
    ['an unconfirmed part at the end of the watch', { seen: 50n, unconfirmed: true, scannedTo: later }, 'expired', 'underpaid'],
  ])('[ST-64] [ST-70] with %s', (_, facts, state, reason) => {
    expect(invoiceState({ ...base, ...facts })).toEqual({ state, reason })
  })

  const transfer = fc.record({
    amount: fc.bigInt({ min: 1n, max: 200n }),
    live: fc.boolean(),
    credited: fc.boolean(),
    onTime: fc.boolean(),
  })
  const factsOf = (transfers: { amount: bigint; live: boolean; credited: boolean; onTime: boolean }[], scanned: number): InvoiceFacts => {
    const sum = (which: (one: (typeof transfers)[number]) => boolean) =>
      transfers.filter(which).reduce((total, one) => total + one.amount, 0n)
    return {
      ...base,
      seen: sum((one) => one.live),
      credited: sum((one) => one.credited),
      inTime: sum((one) => one.live && one.onTime),
      unconfirmed: transfers.some((one) => one.live && !one.credited),
      scannedTo: at(scanned),
    }
  }
  const scanned = fc.integer({ min: -1_200_000, max: 10 * 86_400_000 })

  it('[ST-66] [ST-67] [ST-68] satisfies its invariants for any transfers at any time', () => {
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 6 }), scanned, (transfers, time) => {
        const facts = factsOf(transfers, time)
        const { state, reason } = invoiceState(facts)
        // The state ignores transfer order and repeated evaluation.
        expect(invoiceState(factsOf(transfers.toReversed(), time))).toEqual({ state, reason })
        // A fully credited invoice is always settled, and no other is.
        expect(state === 'settled').toBe(facts.credited >= facts.due)
        expect(pageStatus(state).payment_status === 'completed').toBe(state === 'settled')
        expect(pageStatus(state).status).toBe(state === 'confirming')
        // A fully seen invoice never shows as expired.
        if (facts.seen >= facts.due) expect(['settled', 'confirming']).toContain(state)
        // An invoice expires only after a scan beyond its expiry.
        if (facts.scannedTo <= EXPIRES) expect(['expired', 'closed']).not.toContain(state)
        if (state === 'closed') expect(facts.unconfirmed).toBe(false)
        if (reason === 'overpaid') expect(facts.seen > facts.due).toBe(true)
        const record = recordStatus(state, facts)
        expect(record === 'APPROVE').toBe(facts.credited > 0n)
        if (record === 'REJECT') expect(facts.seen).toBe(0n)
      }),
      searchParameters('statuses of an invoice', { short: 2_000, long: 50_000 }),
    )
  })

  it('never moves backwards with time or with more credits', () => {
    const rank = { awaiting: 0, partial: 0, expired: 1, confirming: 2, closed: 3, settled: 4 } as const
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 6 }), scanned, fc.nat(86_400_000), (transfers, time, more) => {
        const alive = transfers.map((one) => ({ ...one, live: true }))
        const before = invoiceState(factsOf(alive, time)).state
        const after = invoiceState(
          factsOf(
            alive.map((one) => ({ ...one, credited: true })),
            time + more,
          ),
        ).state
        expect(rank[after]).toBeGreaterThanOrEqual(rank[before])
      }),
      searchParameters('ends of an invoice', { short: 2_000, long: 50_000 }),
    )
  })
})

describe('deposit status', () => {
  it('[EN-26] moves only forward, with APPROVE last', () => {
    expect(forward('PENDING', 'REJECT')).toBe('REJECT')
    expect(forward('REJECT', 'PENDING')).toBe('REJECT')
    expect(forward('REJECT', 'APPROVE')).toBe('APPROVE')
    expect(forward('APPROVE', 'REJECT')).toBe('APPROVE')
  })

  it('[EN-26] is REJECT only when every payment ended without money', () => {
    expect(orderStatus([])).toBe('PENDING')
    expect(orderStatus([{ status: 'expired', credited: false }])).toBe('REJECT')
    expect(
      orderStatus([
        { status: 'expired', credited: false },
        { status: 'awaiting', credited: false },
      ]),
    ).toBe('PENDING')
    expect(
      orderStatus([
        { status: 'failed', credited: false },
        { status: 'partial', credited: true },
      ]),
    ).toBe('APPROVE')
  })
})
