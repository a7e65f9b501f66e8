import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { post } from '../../ledger/index.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { compareBooks } from './check-books.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const [COIN, USD] = ['0xc0', '0xd0']
const tokens = [
  { asset: 'COIN' as const, token: COIN, decimals: 18 },
  { asset: 'USD' as const, token: USD, decimals: 6 },
]
const differences = async (hasDemoPayments = false) =>
  (await compareBooks(db, { chainId: 1, tokens, hasDemoPayments }, clock.now())).differences.map(({ subject, expected, found }) => [
    subject,
    expected,
    found,
  ])
const member = await createTestMember(db)
const address = '0xa1'
await db.insertInto('chain_address').values({ address, key_index: 0n, invoice_id: 'invoice' }).execute()
const times = { created_at: clock.now(), expires_at: clock.now(), watched_until: clock.now() }
const invoice = { method: 'chain', asset: 'COIN', description: 'coin', amount: ONE, usd_amount: 0n, state: 'awaiting', ...times }
const { id: deposit_id } = await db
  .insertInto('deposit')
  .values({ public_id: 'invoice', member_id: member.id, address, ...invoice })
  .returning('id')
  .executeTakeFirstOrThrow()
let count = 0

/** Inserts a chain transfer. */
async function receive(token: string, amount: bigint, more: object = {}): Promise<string> {
  const tx_hash = `0x${(count += 1)}`
  const at = { block: 1n, block_time: new Date(clock.now().getTime() - 2 * 3_600_000) }
  await db
    .insertInto('chain_transfer')
    .values({ chain_id: 1n, tx_hash, address, ordinal: 0, token, exact_amount: '1', amount, state: 'FINAL', ...at, ...more })
    .execute()
  return `1:${tx_hash}:${token}:${address}:0`
}
/** Inserts a credited transfer's ledger and deposit rows. */
async function credited(asset: 'COIN' | 'USD', amount: bigint, key: string, deposit = deposit_id): Promise<void> {
  const at = clock.now()
  const [kind, to] = asset === 'USD' ? (['deposit', 'depositWallet'] as const) : (['tokenDeposit', 'nativeWallet'] as const)
  const cause = { type: 'deposit', id: 'invoice' } as const
  await inTransaction(db, async (tx) => {
    const sides = { from: { system: 'SYS-DEPOSIT', asset }, to: { owner: member.id, kind: to }, amount } as const
    const { transfers } = await post(tx, { kind, cause, at, key: `chain:${key}`, transfers: [sides] })
    await tx
      .insertInto('invoice_transfer')
      .values({
        transfer_key: key,
        deposit_id: deposit,
        asset,
        amount,
        tx_hash: key,
        block_time: at,
        confirmations: 12,
        credited_at: at,
        usd_amount: 0n,
        transfer_id: transfers[0]?.id ?? null,
      })
      .execute()
  })
}

it('[I8] the ledger owes the payments of chain and provider; a payment on one side only is reported', async () => {
  expect(await differences()).toEqual([])
  await credited('COIN', 5n * ONE, await receive(COIN, 5n * ONE))
  // The transfer is too young to compare, but is credited already.
  await credited('USD', 7n * ONE, await receive(USD, 7n * ONE, { block_time: clock.now() }))
  expect(await differences()).toEqual([])
  const uncredited = await receive(COIN, 2n * ONE)
  expect(await differences()).toEqual([['SYS-DEPOSIT COIN', 7n * ONE, 5n * ONE]])
  // The transfer awaits a staff decision.
  const values = { held: 'TOO_LATE', held_at: clock.now(), usd_amount: 0n }
  await db
    .insertInto('invoice_transfer')
    .values({
      transfer_key: uncredited,
      deposit_id,
      asset: 'COIN',
      amount: 2n * ONE,
      tx_hash: '',
      block_time: clock.now(),
      confirmations: 12,
      ...values,
    })
    .execute()
  expect(await differences()).toEqual([])
  // Ignored transfers: dust, another chain or token, not final, or too young.
  await receive(COIN, ONE / 100n - 1n)
  await receive(COIN, ONE, { chain_id: 2n })
  await receive('0xf0', ONE)
  await receive(COIN, ONE, { state: 'SEEN' })
  await receive(COIN, ONE, { state: 'GONE' })
  await receive(COIN, ONE, { block_time: clock.now() })
  expect(await differences()).toEqual([])
  await credited('USD', 3n * ONE, 'never:on:the:chain:0')
  expect(await differences()).toEqual([['SYS-DEPOSIT USD', 7n * ONE, 10n * ONE]])
  await db
    .updateTable('chain_transfer')
    .set({ amount: 10n * ONE })
    .where('token', '=', USD)
    .execute()
  expect(await differences()).toEqual([])
})

it('[I8] credits of the demo story from before the chain count only beside a dev chain', async () => {
  const { id } = await db
    .insertInto('deposit')
    .values({ public_id: 'demo', member_id: member.id, address: '0xb2', ...invoice })
    .returning('id')
    .executeTakeFirstOrThrow()
  await credited('COIN', 11n * ONE, 'demo:0', id)
  expect([await differences(true), await differences()]).toEqual([[], [['SYS-DEPOSIT COIN', 5n * ONE, 16n * ONE]]])
  await db
    .updateTable('deposit')
    .set({ address: address.replace('1', '3') })
    .where('id', '=', id)
    .execute()
  await db.insertInto('chain_address').values({ address: '0xa3', key_index: 1n, invoice_id: 'demo' }).execute()
  expect(await differences(true)).toHaveLength(1)
  await receive(COIN, 11n * ONE, { address: '0xa3' })
  expect(await differences()).toEqual([])
})

it('[I7] outflows of the ledger equal manual payouts plus chain payouts under way or arrived', async () => {
  const balance = (account: string, asset: string, amount: bigint) =>
    sql`update ledger_account set balance = balance + ${amount} where id = (select id from ledger_account
      where owner_id is null and kind = ${account} and asset = ${asset} order by id limit 1)`.execute(db)
  let requests = 0
  const payout = async (kind: string, received: bigint, status = 'APPROVED') => {
    const public_id = `payout-${(requests += 1)}`
    await inTransaction(db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      const at = clock.now()
      await sql`insert into payout_request (public_id, member_id, kind, amount, platform_fee, network_fee, received, address, network, hold_id,
          status, settings_version, created_at, confirm_by, confirmed_at, confirmed_how, decided_at, decided_by, reason, owner_mac)
        values (${public_id}, ${member.id}, ${kind}, ${received}, 0, 0, ${received}, '0x1', 0, ${requests}, ${status}, 1, ${at}, ${at}, ${at},
          'book', ${at}, ${member.id + 1n}, 'seen', '')`.execute(tx)
    })
    return (await db.selectFrom('payout_request').select('id').where('public_id', '=', public_id).executeTakeFirstOrThrow()).id
  }
  await payout('withdrawal', 40n * ONE)
  expect(await differences()).toEqual([['SYS-WITHDRAW USD', 40n * ONE, 0n]])
  await balance('SYS-WITHDRAW', 'USD', 40n * ONE)
  await payout('withdrawal', 9n * ONE, 'REJECTED')
  expect(await differences()).toEqual([])
  const over = await payout('withdrawal', 3n * ONE)
  const bridged = await payout('bridge', 4n * ONE)
  await balance('SYS-WITHDRAW', 'USD', 3n * ONE)
  await balance('SYS-BRIDGE', 'COIN', 4n * ONE)
  expect(await differences()).toEqual([])
  const send = (request_id: bigint, token: string, exact_amount: string) =>
    db
      .insertInto('payout_sending')
      .values({ request_id, chain_id: 1n, token, to_address: '0x1', exact_amount, approval_mac: Buffer.of(), queued_at: clock.now() })
      .execute()
  await send(over, USD, '3000001')
  await send(bridged, COIN, `4${'0'.repeat(18)}`)
  expect(await differences()).toEqual([['SYS-WITHDRAW USD', 43n * ONE + 100n, 43n * ONE]])
  await db.updateTable('payout_sending').set({ exact_amount: '3000000' }).where('request_id', '=', over).execute()
  expect(await differences()).toEqual([])
  // A reversed payout leaves no difference.
  await db
    .updateTable('payout_sending')
    .set({ state: 'CANCELLED', cancel_asked_at: clock.now(), ended_at: clock.now() })
    .where('request_id', '=', bridged)
    .execute()
  expect(await differences()).toEqual([['SYS-BRIDGE COIN', 0n, 4n * ONE]])
})
