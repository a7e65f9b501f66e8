import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { startChain } from '../../../../../test/chain/anvil.ts'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { keySigner, readContent, chainNode } from '../../gateways/chain/index.ts'
import { runJob } from '../../jobs/job.ts'
import { runChecks } from '../../ledger/audit.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { hasWaitingDigest, trustChecks, trustJobs, trustRoutes } from './index.ts'

const GWEI = 1_000_000_000n
const STUCK_MS = 180_000

const { db } = await testDatabase()
const chain = await startChain()
afterAll(() => chain.stop())
const instance = await testApp(db, { routes: trustRoutes })
const signer = keySigner(randomBytes(32))
const fund = (wei: bigint) => chain.call('anvil_setBalance', signer.address, `0x${wei.toString(16)}`)
await fund(10n ** 18n)

/** Price that the node reports. */
let market = 2n * GWEI
const [balances, digests] = trustJobs(undefined, {
  chainId: chain.chainId,
  node: { ...chainNode(chain.url), gasPrice: () => Promise.resolve(market) },
  signer: () => Promise.resolve(signer),
  confirmations: 3,
  maxGasPrice: 20n * GWEI,
})
if (balances === undefined || digests === undefined) throw new Error('no jobs')
const run = () => runJob(db, instance.deps, digests, 'worker')
const publishDay = () => runJob(db, instance.deps, balances, 'worker')
const nextDay = async () => {
  instance.clock.advance(DAY_MS)
  await publishDay()
}
const newest = async () => (await instance.call('GET', '/trust/history')).body.data.at(-1)
const signed = async () =>
  (
    await sql<{ hash: string; nonce: number; number: number }>`
  select hash, nonce, number from trust_digest_transaction order by number, signed_at, gas_price`.execute(db)
  ).rows
const pending = async () => Number((await chain.call<{ pending: string }>('txpool_status')).pending)

it('[I21] publishes the digest of a day once, as the data of a transaction, and shows it once it is final', async () => {
  await run()
  expect(await signed()).toEqual([])
  await publishDay()
  for (let time = 0; time < 3; time += 1) await run()
  const [one, ...more] = await signed()
  expect(more).toEqual([])
  expect([await pending(), await hasWaitingDigest(db)]).toEqual([1, true])
  await chain.mine()
  await run()
  expect(await newest()).toMatchObject({ onChain: null })
  await chain.mine(2)
  await run()
  const row = await newest()
  expect(row.onChain).toEqual({ chainId: chain.chainId, hash: one?.hash, sender: signer.address, block: expect.any(Number) })
  const sent = await chain.call<{ input: string; from: string; to: string; value: string }>('eth_getTransactionByHash', one?.hash)
  expect(sent).toMatchObject({ input: `0x${row.digest}`, from: signer.address, to: signer.address, value: '0x0' })
  expect((await instance.call('GET', '/trust')).body.data.proof).toEqual(row)
  await run()
  expect(await signed()).toHaveLength(1)
  expect(await hasWaitingDigest(db)).toBe(false)
})

it('sends a transaction again that the node has lost', async () => {
  await nextDay()
  await run()
  const last = (await signed()).at(-1)
  await chain.call('anvil_dropTransaction', last?.hash)
  expect(await pending()).toBe(0)
  await run()
  expect(await pending()).toBe(1)
  expect((await signed()).at(-1)).toEqual(last)
  await chain.mine(3)
  await run()
  expect(await newest()).toMatchObject({ onChain: { hash: last?.hash } })
})

it('replaces a transaction with the same nonce when gas became dearer, and waits above the limit', async () => {
  await nextDay()
  await run()
  const before = await signed()
  market = 30n * GWEI
  instance.clock.advance(STUCK_MS)
  await run()
  expect(await signed()).toEqual(before)
  market = 3n * GWEI
  await run()
  const after = await signed()
  expect(after).toHaveLength(before.length + 1)
  expect(after.at(-1)?.nonce).toBe(before.at(-1)?.nonce)
  await chain.mine(3)
  await run()
  expect(await newest()).toMatchObject({ onChain: { hash: after.at(-1)?.hash } })
})

it('replaces the waiting transaction of an earlier day, whose digest the new one binds', async () => {
  await nextDay()
  await run()
  await nextDay()
  await run()
  const [earlier, later] = (await signed()).slice(-2)
  expect([earlier?.nonce, (earlier?.number ?? 0) + 1]).toEqual([later?.nonce, later?.number])
  await chain.mine(3)
  await run()
  const rows = (await instance.call('GET', '/trust/history')).body.data
  expect(rows.slice(-2)).toMatchObject([{ onChain: null }, { onChain: { hash: later?.hash } }])
})

it('signs again when another transaction has used the nonce', async () => {
  await nextDay()
  await run()
  const before = (await signed()).at(-1)
  await chain.call('anvil_dropTransaction', before?.hash)
  const other = { chainId: chain.chainId, from: signer.address, nonce: before?.nonce ?? 0, gasPrice: 4n * GWEI }
  await chainNode(chain.url).send([(await signer.sign(other)).raw])
  await chain.mine()
  instance.clock.advance(STUCK_MS)
  await run()
  const after = (await signed()).at(-1)
  expect(after?.nonce).toBe((before?.nonce ?? 0) + 1)
  await chain.mine(3)
  await run()
  expect(await newest()).toMatchObject({ onChain: { hash: after?.hash } })
})

it('fails with the address while it cannot pay the gas, and publishes once it can', async () => {
  await fund(0n)
  await nextDay()
  await expect(run()).rejects.toThrow(`the address ${signer.address} cannot pay the gas`)
  expect(await newest()).toMatchObject({ onChain: null })
  await fund(10n ** 18n)
  await run()
  await chain.mine(3)
  await run()
  expect(await newest()).toMatchObject({ onChain: { sender: signer.address } })
})

it('[I21] turns the audit red when a stored transaction does not contain the digest of its statement', async () => {
  const broken = async () => (await runChecks(db, trustChecks)).filter((one) => one.broken > 0).map(({ check }) => check.title)
  expect(await broken()).toEqual([])
  const order = { chainId: chain.chainId, from: signer.address, nonce: 99, gasPrice: GWEI, digest: 'ab'.repeat(32) }
  const { hash, raw } = await signer.sign(order)
  expect(readContent(raw)).toBeUndefined()
  await sql`insert into trust_digest_transaction (hash, number, chain_id, sender, nonce, gas_price, raw, signed_at)
    values (${hash}, 1, ${chain.chainId}, ${signer.address}, 99, 1, ${raw}, now())`.execute(db)
  expect(await broken()).toContainEqual(expect.stringMatching(/has the digest of its statement as data/))
})
