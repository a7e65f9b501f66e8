import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { bit, bits, chainRows, MIN_AMOUNT } from '../../../test/chain-rows.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { compareBooks } from './check-books.ts'
import { type Checkpoint, NOTHING_SUMMED } from './checkpoint.ts'

const { db } = await testDatabase()
const now = new Date('2026-03-02T09:00:00Z')
const { ago, write, forget, came, known, credited, held, invoices } = chainRows(db, now)
const member = await createTestMember(db)
const tokens = [
  { asset: 'COIN' as const, token: '0xc0', decimals: 18 },
  { asset: 'USD' as const, token: '0xd0', decimals: 6 },
]
const books = { chainId: 1, tokens, hasDemoPayments: false }
const ofDeposits = ['chain_transfer', 'chain_cursor', 'chain_address', 'invoice_transfer', 'deposit', 'payment_credit']
beforeEach(() => forget(...ofDeposits, 'signed_transaction', 'payout_sending', 'payout_request'))

/** Returns each account's expected sum, and the part saved for the next round. */
async function compare(more: Partial<typeof books> = {}, since: Checkpoint = NOTHING_SUMMED) {
  const { differences, checkpoint } = await compareBooks(db, { ...books, ...more }, now, since)
  const expected = Object.fromEntries(differences.map(({ subject, expected: sum }) => [subject, sum]))
  return { expected, rested: Object.fromEntries([...checkpoint.sums].filter(([, sum]) => sum !== 0n)), untilBlock: checkpoint.untilBlock }
}
const cursor = (chain_id: number, final_block: bigint) =>
  db
    .insertInto('chain_cursor')
    .values({ chain_id: BigInt(chain_id), block: 99n, block_hash: '0x', block_time: now, final_block, seen_at: now })
    .execute()
describe('amounts due to the ledger', () => {
  it('[I8] include chain transfers that are final, of the chain and its tokens, above dust, and old or known', async () => {
    await cursor(1, 7n)
    await cursor(2, 50n)
    await came(0)
    await came(1, { token: '0xd0', block: 5n })
    await came(2, { block: 6n, block_time: ago(24) })
    await came(3, { block: 8n })
    await came(4, { block: 2n, block_time: ago(1, -1) })
    await came(5, { block_time: ago(1) })
    await came(6, { block_time: ago(0) })
    await known(6, credited(ago(0)))
    await came(7, { block_time: ago(0) })
    await known(7)
    await came(8, { chain_id: 2n })
    await came(9, { token: '0xe0' })
    await came(10, { state: 'SEEN' })
    await came(11, { state: 'GONE', block: 7n })
    await came(12, { amount: MIN_AMOUNT - 1n })
    const found = await compare()
    expect(found.expected).toEqual({ 'SYS-DEPOSIT COIN': bits(0, 2, 3, 4, 6), 'SYS-DEPOSIT USD': bit(1) })
    // The checkpoint reaches the last block whose transfer has a final decision and is a day old.
    expect([found.untilBlock, found.rested]).toEqual([5n, { 'SYS-DEPOSIT COIN': bits(0, 4, 6), 'SYS-DEPOSIT USD': bit(1) }])
    const since = { until: ago(24), untilBlock: 1n, sums: new Map([['SYS-DEPOSIT COIN', 7n]]) }
    const later = await compare({}, since)
    expect([later.expected['SYS-DEPOSIT COIN'], later.rested['SYS-DEPOSIT COIN']]).toEqual([7n + bits(2, 3, 4), 7n + bit(4)])
  })

  it('[I8] exclude held transfers, and rejected ones from their rejection on', async () => {
    await known(0, held)
    await known(1, { ...held, decided_at: ago(25) })
    await known(2, { ...held, decided_at: ago(24) })
    await known(3, { ...held, is_live: false })
    await known(5, { ...held, ...credited(ago(30)), decided_at: ago(30) })
    await known(6)
    await known(7, { ...held, decided_at: ago(30), is_live: false })
    const found = await compare()
    expect([found.expected, found.rested]).toEqual([{ 'SYS-DEPOSIT COIN': -bits(0, 1, 2) }, { 'SYS-DEPOSIT COIN': -bit(1) }])
    const since = (hours: number, ms: number) => compare({}, { until: ago(hours, ms), untilBlock: -1n, sums: new Map() })
    expect((await since(25, 0)).expected).toEqual({ 'SYS-DEPOSIT COIN': -bits(0, 1, 2) })
    expect((await since(25, 1)).expected).toEqual({ 'SYS-DEPOSIT COIN': -bits(0, 2) })
  })

  it('[I8] include provider payments less reversals, and chain credits that are still on the chain', async () => {
    const paid = (index: number, at: Date) =>
      write((tx) =>
        tx
          .insertInto('payment_credit')
          .values({ payment_id: `p${index}`, part: 1, amount: bit(index), credited_at: at, transfer_id: BigInt(index) })
          .execute(),
      )
    const reversed = (index: number, at: Date) =>
      write((tx) =>
        sql`insert into ledger_reversal (reverses, reversed_by, proposal_id, created_at) values (${index}, ${index + 100}, ${`c${index}`}, ${at})`.execute(
          tx,
        ),
      )
    await paid(0, ago(25))
    await paid(1, ago(24))
    await paid(2, ago(30))
    await reversed(2, ago(25))
    await paid(3, ago(30))
    await reversed(3, ago(24))
    for (const [index, live] of [
      [4, true],
      [5, false],
      [6, true],
    ] as const) {
      await known(index, { ...credited(ago(30)), is_live: live, transfer_id: BigInt(index) })
      if (index < 6) await reversed(index, ago(25))
    }
    const found = await compare()
    expect(found.expected).toEqual({ 'SYS-DEPOSIT COIN': -bit(4), 'SYS-DEPOSIT USD': bits(0, 1) })
    expect(found.rested).toEqual({ 'SYS-DEPOSIT COIN': -bit(4), 'SYS-DEPOSIT USD': bits(0, 3) })
    const since = (ms: number) => compare({}, { until: ago(25, ms), untilBlock: -1n, sums: new Map() })
    expect((await since(0)).expected).toEqual({ 'SYS-DEPOSIT COIN': -bit(4), 'SYS-DEPOSIT USD': bits(0, 1) - bits(2, 3) })
    expect((await since(1)).expected).toEqual({ 'SYS-DEPOSIT USD': bit(1) - bit(3) })
  })

  it('[I8] include credits of the demo story from before the chain, where a dev chain exists', async () => {
    await invoices(member.id, 2)
    await db.insertInto('chain_address').values({ address: '0xa2', key_index: 2n, invoice_id: 'invoice-2' }).execute()
    await known(0, credited(ago(25)))
    await known(1, credited(ago(24)))
    await known(2)
    await known(3, { ...credited(ago(25)), deposit_id: 2n })
    expect((await compare()).expected).toEqual({})
    const found = await compare({ hasDemoPayments: true })
    expect([found.expected, found.rested]).toEqual([{ 'SYS-DEPOSIT COIN': bits(0, 1) }, { 'SYS-DEPOSIT COIN': bit(0) }])
    const since = (ms: number) => compare({ hasDemoPayments: true }, { until: ago(25, ms), untilBlock: -1n, sums: new Map() })
    expect([(await since(0)).expected, (await since(1)).expected]).toEqual([
      { 'SYS-DEPOSIT COIN': bits(0, 1) },
      { 'SYS-DEPOSIT COIN': bit(1) },
    ])
  })
})

describe('amounts that left the ledger', () => {
  const writePayout = (
    index: number,
    kind: 'withdrawal' | 'bridge',
    more: { status?: string; decided?: Date | null; returned?: Date } = {},
  ) => {
    const { status = 'APPROVED', decided = ago(30), returned = null } = more
    return write((tx) =>
      sql`insert into payout_request (id, public_id, member_id, kind, amount, platform_fee, network_fee, received, address, network, hold_id, status,
          settings_version, created_at, confirm_by, confirmed_at, confirmed_how, decided_at, decided_by, reason, owner_mac, returned_at)
        overriding system value values (${index + 1}, ${`payout-${index}`}, ${member.id}, ${kind}, ${bit(index)}, 0, 0, ${bit(index)}, '0x1', 0, ${index},
          ${status}, 1, ${now}, ${now}, ${now}, 'book', ${decided}, ${member.id + 1n}, 'seen', '', ${returned})`.execute(tx),
    )
  }
  const sent = (index: number, token: string, exact: bigint, state = 'DONE', ended: Date | null = ago(30)) =>
    write((tx) =>
      sql`insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at, state, wallet, nonce, signed_at,
          cancel_asked_at, ended_at)
        values (${index + 1}, 1, ${token}, '0x1', ${String(exact)}::numeric, '', ${now}, ${state}, '0xw', ${index}, ${now}, ${now}, ${ended})`.execute(
        tx,
      ),
    )
  const [coin, usd] = [(index: number) => bit(index) * 10n ** 10n, (index: number) => bit(index) / 100n]

  it('[I7] include each approved payout from its approval, less returns from their time, by the amount sent', async () => {
    await writePayout(0, 'withdrawal')
    await writePayout(1, 'bridge', { decided: ago(24) })
    await writePayout(2, 'withdrawal', { status: 'REJECTED' })
    await writePayout(3, 'withdrawal', { status: 'PENDING', decided: null })
    // Reversed payouts: manual, and on the chain.
    await writePayout(4, 'withdrawal', { status: 'REJECTED', returned: ago(24) })
    await writePayout(5, 'bridge', { status: 'REJECTED', returned: ago(25) })
    await sent(5, '0xc0', coin(5), 'FAILED', ago(25))
    await writePayout(6, 'bridge', { status: 'REJECTED', returned: ago(24) })
    await sent(6, '0xc0', coin(6), 'CANCELLED', ago(24))
    await writePayout(7, 'bridge')
    await sent(7, '0xc0', coin(7))
    // Amounts in units, rounded down. An unlisted token counts as requested.
    await writePayout(8, 'withdrawal')
    await sent(8, '0xd0', usd(9))
    await writePayout(10, 'bridge')
    await sent(10, '0xc0', coin(11) + 10n ** 10n - 1n, 'MINED', null)
    await writePayout(12, 'bridge')
    await sent(12, '0xe0', coin(13), 'SIGNED', null)
    const found = await compare()
    expect(found.expected).toEqual({ 'SYS-BRIDGE COIN': bits(1, 7, 11, 12), 'SYS-WITHDRAW USD': bits(0, 9) })
    expect(found.rested).toEqual({ 'SYS-BRIDGE COIN': bits(6, 7, 11, 12), 'SYS-WITHDRAW USD': bits(0, 4, 9) })
    const since = async (hours: number, ms: number) =>
      (await compare({}, { until: ago(hours, ms), untilBlock: -1n, sums: new Map() })).expected
    expect(await since(30, 0)).toEqual(found.expected)
    expect(await since(25, 0)).toEqual({ 'SYS-BRIDGE COIN': bit(1) - bits(5, 6), 'SYS-WITHDRAW USD': -bit(4) })
    expect(await since(25, 1)).toEqual({ 'SYS-BRIDGE COIN': bit(1) - bit(6), 'SYS-WITHDRAW USD': -bit(4) })
    expect(await since(24, 0)).toEqual({ 'SYS-BRIDGE COIN': bit(1) - bit(6), 'SYS-WITHDRAW USD': -bit(4) })
    expect(await since(24, 1)).toEqual({})
  })
})
