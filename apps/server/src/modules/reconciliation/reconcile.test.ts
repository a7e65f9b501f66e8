import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestChain } from '../../../../../test/chain/test-chain.ts'
import { tamperingNode } from '../../../../../test/chain/tampering-node.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { runJob } from '../../jobs/job.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { BATCH } from './check-addresses.ts'
import { confirmedDifferences } from '../../gateways/chain/confirmed-differences.ts'
import { lastReconciled } from './differences.queries.ts'
import { everySource } from './every-source.ts'
import { batchesOf, reconcileJob } from './reconcile.job.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log: createLog('silent') }
const chain = await startTestChain({ at: clock.now() })
const node = tamperingNode(chain.url)
afterAll(async () => {
  node.close()
  await chain.stop()
})
const { chainId, token } = chain
const compared = { chainId, tokens: [{ asset: 'COIN' as const, token, decimals: 18 }], paidTokens: [token], rpcUrl: node.url }
const job = reconcileJob(compared)
const round = async () => {
  clock.advance(3_600_000)
  await runJob(db, deps, job, 'worker')
}
const exact = (coin: bigint) => coin * 10n ** 18n
const addressAt = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
const insertAddress = (index: number) =>
  db
    .insertInto('chain_address')
    .values({ address: addressAt(index), key_index: BigInt(index), invoice_id: `invoice-${index}` })
    .execute()
const watched = (index: number, coin: bigint, state = 'FINAL') =>
  db
    .insertInto('chain_transfer')
    .values({
      chain_id: BigInt(chainId),
      tx_hash: `0x${index}`,
      address: addressAt(index),
      ordinal: 0,
      token,
      exact_amount: String(exact(coin)),
      amount: coin * ONE,
      block: 1n,
      block_time: clock.now(),
      state,
    })
    .execute()
const named = async () =>
  (await confirmedDifferences(db)).flatMap(({ kind, subject }) => (kind === 'UNSEEN' || kind === 'UNCREDITED' ? [[kind, subject]] : []))
const incidents = async () => await db.selectFrom('chain_incident').select(['kind', 'transfers']).orderBy('id').execute()

describe('hourly comparison of chain and ledger', () => {
  it('reports native coin at an address beyond the gas that the platform sent, after all other differences', async () => {
    await insertAddress(900)
    const gas = async (id: number, wei: bigint, state: string, more: { kind?: string; address?: string } = {}) => {
      const { kind = 'GAS', address = addressAt(900) } = more
      const ended = state === 'SIGNED' ? null : clock.now()
      await sql`insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at, ended_at)
        values (${chainId}, ${kind}, ${`0xg${id}`}, 0, ${address}, ${address}, ${kind === 'GAS' ? null : token}, ${String(wei)}::numeric, ${state},
          ${clock.now()}, ${ended})`.execute(db)
    }
    await gas(1, 5n * 10n ** 15n, 'DONE')
    await gas(2, 2n * 10n ** 15n, 'SIGNED')
    await gas(3, 10n ** 18n, 'FAILED')
    await gas(4, 10n ** 18n, 'DONE', { kind: 'SWEEP' })
    const hold = (wei: bigint) => chain.call('anvil_setBalance', addressAt(900), `0x${wei.toString(16)}`)
    const native = async () => (await confirmedDifferences(db)).filter(({ kind }) => kind === 'NATIVE')
    await hold(8n * 10n ** 15n - 1n)
    for (let rounds = 0; rounds < 2; rounds += 1) await round()
    expect(await native()).toEqual([])
    await hold(8n * 10n ** 15n)
    for (let rounds = 0; rounds < 2; rounds += 1) await round()
    const expected = {
      kind: 'NATIVE',
      subject: `${addressAt(900)} native`,
      expected: String(7n * 10n ** 15n),
      found: String(8n * 10n ** 15n),
    }
    expect(await native()).toEqual([expect.objectContaining(expected)])
    await sql`insert into chain_difference (kind, subject, expected, found, first_seen_at, last_seen_at)
      select 'UNSEEN', 'later ' || n, 1, 2, now(), now() + interval '1 hour' from generate_series(1, 10) n`.execute(db)
    expect(await native()).toEqual([])
    await sql`delete from chain_difference where subject like 'later %'`.execute(db)
    await hold(0n)
    await round()
    expect(await native()).toEqual([])
    await sql`delete from chain_move`.execute(db)
    await db.deleteFrom('chain_address').where('address', '=', addressAt(900)).execute()
  })

  it('reports unseen money at an address from the second finding until the watcher has seen it', async () => {
    for (const index of [1, 2, 3]) await insertAddress(index)
    await watched(2, 5n, 'SEEN')
    await chain.send(addressAt(1), exact(7n))
    await chain.send(addressAt(2), exact(5n))
    await chain.mine()
    await round()
    expect(await named()).toEqual([])
    await round()
    expect(await confirmedDifferences(db)).toMatchObject([
      { kind: 'UNSEEN', subject: `${addressAt(1)} COIN`, expected: '0', found: String(exact(7n)) },
    ])
    await watched(1, 7n, 'SEEN')
    await round()
    expect(await named()).toEqual([])
    // Transfers removed by a reorganisation do not count. Without token sweeps, a lower balance is no difference.
    await watched(3, 9n, 'GONE')
    await round()
    await round()
    expect(await named()).toEqual([])
  })

  it('reports a transfer that is final for an hour and not credited', async () => {
    await insertAddress(4)
    await watched(4, 3n)
    // Within an hour a transfer may be in transit. Afterwards two rounds must find it.
    await round()
    await round()
    expect(await named()).toEqual([])
    await round()
    expect(await named()).toEqual([['UNCREDITED', `${addressAt(4)} COIN`]])
    // Excludes credits in another token and transfers without a decision. Includes held transfers.
    const { id: member_id } = await createTestMember(db)
    const { id: deposit_id } = await db
      .insertInto('deposit')
      .values({
        public_id: 'invoice-4',
        member_id,
        method: 'chain',
        asset: 'COIN',
        description: 'coin',
        amount: 3n * ONE,
        usd_amount: 0n,
        created_at: clock.now(),
        address: addressAt(4),
        expires_at: clock.now(),
        watched_until: clock.now(),
        state: 'awaiting',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const arrived = (transfer_key: string, more: object) =>
      db
        .insertInto('invoice_transfer')
        .values({
          transfer_key,
          deposit_id,
          asset: 'COIN',
          amount: 3n * ONE,
          tx_hash: '0x4',
          block_time: clock.now(),
          confirmations: 12,
          ...more,
        })
        .execute()
    await arrived('other', { asset: 'USD', credited_at: clock.now(), usd_amount: 3n * ONE })
    await arrived('waits', {})
    await round()
    expect(await named()).toEqual([['UNCREDITED', `${addressAt(4)} COIN`]])
    await arrived('asked', { held: 'TOO_LATE', held_at: clock.now(), usd_amount: 0n })
    await round()
    expect(await named()).toEqual([])
    await db.deleteFrom('invoice_transfer').where('transfer_key', '=', 'asked').execute()
    await round()
    await round()
    expect(await named()).toEqual([['UNCREDITED', `${addressAt(4)} COIN`]])
    await db.updateTable('chain_transfer').set({ state: 'GONE' }).where('address', '=', addressAt(4)).execute()
    await round()
    expect(await named()).toEqual([])
  })

  it.each([0, 120_000, 120_001, 1_000_000])('compares %i addresses within the 24 rounds of a day', (addresses) => {
    expect(batchesOf(addresses) * BATCH * 24).toBeGreaterThanOrEqual(addresses)
    // One round stays short: no more than its share, or 25 batches.
    expect(batchesOf(addresses)).toBeLessThanOrEqual(Math.max(25, addresses / BATCH / 24 + 1))
  })

  it('processes all addresses in batches and starts again; an interruption repeats one batch', async () => {
    await sql`insert into chain_address (address, key_index, invoice_id)
      select '0x' || lpad(to_hex(n), 40, '0'), n, 'invoice-' || n from generate_series(100, 700) n`.execute(db)
    await chain.send(addressAt(700), exact(1n))
    await chain.mine()
    for (let attempt = 0; attempt < 6; attempt += 1) {
      let left = attempt
      node.tamper = () => {
        left -= 1
        if (left < 0) throw new Error('cut')
        return undefined
      }
      await round().catch(() => undefined)
    }
    node.tamper = undefined
    await round()
    await round()
    expect(await named()).toEqual([['UNSEEN', `${addressAt(700)} COIN`]])
    expect(await lastReconciled(db, chainId)).toEqual(clock.now())
    const requestCount = node.asked.length
    await runJob(db, deps, job, 'worker')
    expect(node.asked.length).toBe(requestCount)
  })

  it('reports an outflow of the hot wallet without a payout, but no payout, delayed record or refill', async () => {
    const wallet = chain.holder.toLowerCase()
    await db
      .insertInto('hot_wallet')
      .values({ chain_id: BigInt(chainId), address: wallet, next_nonce: 0n })
      .execute()
    // Refills the gas paid by the sender.
    const full = await chain.call<string>('eth_getBalance', wallet, 'latest')
    const leave = async (coin: bigint) => {
      await chain.send(addressAt(9), exact(coin))
      await chain.mine()
      await chain.call('anvil_setBalance', wallet, full)
    }
    await round()
    const pay = async (request: number, coin: bigint, state: string) =>
      inTransaction(db, async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql`insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at, state, wallet, nonce, signed_at, ended_at)
          values (${request}, ${chainId}, ${token}, ${addressAt(9)}, ${String(exact(coin))}::numeric, '', ${clock.now()}, ${state}, ${wallet}, ${request}, ${clock.now()},
            ${state === 'DONE' ? clock.now() : null})`.execute(tx)
      })
    // The payout is paid before the books record it, and then they do.
    await pay(1, 40n, 'SIGNED')
    await leave(40n)
    await round()
    await db.updateTable('payout_sending').set({ state: 'DONE', ended_at: clock.now() }).execute()
    await round()
    await round()
    expect(await incidents()).toEqual([])
    await leave(2n)
    await round()
    await round()
    expect(await incidents()).toEqual([{ kind: 'WALLET_SPENT', transfers: [{ wallet, token, lacks: String(exact(2n)) }] }])
    // Native coin: payout gas may leave, and nothing else.
    await db.deleteFrom('chain_incident').execute()
    const gas = async (request_id: bigint, facts: object) =>
      db
        .insertInto('signed_transaction')
        .values({
          hash: `0xgas${request_id}`,
          request_id,
          purpose: 'PAYMENT',
          raw: '',
          gas_price: '1000000000000',
          made_at: clock.now(),
          ...facts,
        })
        .execute()
    const spend = async (wei: bigint) => {
      const left = BigInt(await chain.call<string>('eth_getBalance', wallet, 'latest')) - wei
      await chain.call('anvil_setBalance', wallet, `0x${left.toString(16)}`)
      await round()
    }
    await gas(1n, { block: 1n, block_hash: '0x1', gas_used: 50_000n, gas_paid: String(50_000n * 10n ** 12n) })
    await spend(50_000n * 10n ** 12n)
    expect(await incidents()).toEqual([])
    // A signed payout may use its full gas limit, and no wei more.
    await pay(2, 1n, 'SIGNED')
    await gas(2n, {})
    await spend(120_000n * 10n ** 12n)
    expect(await incidents()).toEqual([])
    await spend(1n)
    expect(await incidents()).toEqual([{ kind: 'WALLET_SPENT', transfers: [{ wallet, token: 'native', lacks: '1' }] }])
    // Tokens beyond the signed amount are an incident, even across rounds.
    await db.deleteFrom('chain_incident').execute()
    for (const found of [[], [{ kind: 'WALLET_SPENT', transfers: [{ wallet, token, lacks: String(exact(1n)) }] }]]) {
      await leave(1n)
      await round()
      expect(await incidents()).toEqual(found)
    }
  })

  it('[I8] detects money at an address and an outflow of a wallet that one of two sources hides', async () => {
    await insertAddress(800)
    await chain.send(addressAt(800), exact(3n))
    await chain.mine()
    const of = (address: string) => address.slice(2).toLowerCase()
    node.tamper = ({ method, params }) =>
      method === 'eth_call' && JSON.stringify(params).includes(of(addressAt(800))) ? `0x${'0'.repeat(64)}` : undefined
    const hidden = async () => (await named()).some(([, subject]) => subject === `${addressAt(800)} COIN`)
    for (let turn = 0; turn < 2; turn += 1) await round()
    expect(await hidden()).toBe(false)
    const both = reconcileJob({ ...compared, secondRpcUrl: chain.url })
    for (let turn = 0; turn < 2; turn += 1) {
      clock.advance(3_600_000)
      await runJob(db, deps, both, 'worker')
    }
    expect(await hidden()).toBe(true)
    const [tokens, wei] = [
      await everySource([chain.url]).tokenOf(token, chain.holder),
      BigInt(await chain.call<string>('eth_getBalance', chain.holder, 'latest')),
    ]
    node.tamper = ({ method }) => (/eth_(call|getBalance)/.test(method) ? `0x${'f'.repeat(64)}` : undefined)
    const balances = everySource([node.url, chain.url])
    expect([await balances.tokenOf(token, chain.holder), await balances.nativeBalanceOf(chain.holder)]).toEqual([tokens, wei])
    node.tamper = undefined
  })

  it('[I8] reports a final payment whose receipt has another amount three days later, until both agree', async () => {
    await db.deleteFrom('chain_transfer').execute()
    await insertAddress(810)
    await chain.send(addressAt(810), exact(1n))
    await chain.mine()
    const { transactions } = await chain.call<{ transactions: string[] }>('eth_getBlockByNumber', 'latest', false)
    await watched(810, 2n)
    const hash = transactions[0] ?? ''
    await db.updateTable('chain_transfer').set({ tx_hash: hash }).execute()
    const reported = async () => (await confirmedDifferences(db)).filter(({ kind }) => kind === 'RECEIPT').map(({ subject }) => subject)
    clock.advance(3 * 86_400_000)
    await round()
    await round()
    expect(await reported()).toEqual([`${hash} ${addressAt(810)}`])
    await db
      .updateTable('chain_transfer')
      .set({ exact_amount: String(exact(1n)), amount: ONE })
      .execute()
    await round()
    expect(await reported()).toEqual([])
  })
})
