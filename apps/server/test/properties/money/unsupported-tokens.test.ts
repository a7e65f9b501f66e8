import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { startTestChain } from '../../../../../test/chain/test-chain.ts'
import { tamperingNode } from '../../../../../test/chain/tampering-node.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember } from '../../members.ts'
import { unknownTokenJob } from '../../../src/gateways/chain/index.ts'
import { paymentsOf } from '../../../src/modules/deposits/index.ts'
import { inTransaction, type Tx } from '../../../src/platform/db/database.ts'

const { db } = await testDatabase()
const chain = await startTestChain()
const node = tamperingNode(chain.url)
afterAll(async () => {
  node.close()
  await chain.stop()
})
const { chainId, token, url: rpcUrl } = { ...chain, url: node.url }
const job = unknownTokenJob({ chainId, token, decimals: 18, rpcUrl, xpub: '', startBlock: undefined, secondRpcUrl: undefined })
const look = () => job.run({ inTransaction: <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work), read: (work) => work(db) })
const [ours, other, foreign] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]
/** Mines and finalizes all blocks up to the head. */
async function settled(): Promise<void> {
  await chain.mine()
  const head = Number(await chain.call<string>('eth_blockNumber'))
  await sql`
    insert into chain_cursor (chain_id, block, block_hash, block_time, final_block, seen_at) values (${chainId}, ${head}, '0x', now(), ${head}, now())
    on conflict (chain_id) do update set final_block = excluded.final_block`.execute(db)
}
const named = async () =>
  (
    await sql<{ address: string; token: string; transfers: bigint }>`
    select address, token, transfers from chain_unknown_token order by address, token`.execute(db)
  ).rows.map((row) => Object.values(row))

it('lists transfers of other contracts to deposit addresses without their self-reported names, up to a limit', async () => {
  for (const [index, address] of [ours, other].entries())
    await db
      .insertInto('chain_address')
      .values({ address, key_index: BigInt(index), invoice_id: `invoice-${index}` })
      .execute()
  const { id: member_id } = await createTestMember(db)
  const times = { created_at: new Date(), expires_at: new Date(), watched_until: new Date() }
  const invoice = { method: 'chain', asset: 'COIN', description: 'coin', amount: ONE, usd_amount: 0n, state: 'awaiting', address: ours }
  await db
    .insertInto('deposit')
    .values({ public_id: 'invoice-0', member_id, ...invoice, ...times })
    .execute()
  const fakes: string[] = []
  for (let made = 0; made < 8; made += 1) fakes.push((await chain.deployToken()).toLowerCase())
  await settled()
  expect(await look()).toBe(0)
  const [fake = ''] = fakes
  for (const [to, of] of [
    [ours, fake],
    [ours, fake],
    [foreign, fake],
    [ours, token],
  ] as const)
    await chain.send(to, 5n, of)
  await settled()
  expect(await look()).toBe(1)
  expect(await named()).toEqual([[ours, fake, 2n]])
  expect(await look()).toBe(0)
  expect(await paymentsOf(db, 'invoice-0')).toMatchObject([
    {
      status: '2 transfers',
      currency: 'of another token',
      paid: 0n,
      credited: 0n,
      review: `Contract ${fake} is not a token of the platform, regardless of its name`,
    },
  ])
  // Native coin that the hourly comparison found at the address.
  await sql`insert into chain_difference (kind, subject, expected, found, first_seen_at, last_seen_at)
    values ('NATIVE', ${`${ours} native`}, 1, ${String(3n * 10n ** 17n + 1n)}::numeric, now(), now())`.execute(db)
  expect((await paymentsOf(db, 'invoice-0')).find(({ currency }) => currency === 'native coin')).toMatchObject({
    id: ours,
    paid: 30_000_000n,
    credited: 0n,
    review: 'The native coin of the chain is not a token of the platform',
  })
  // Sends from many contracts.
  for (const of of fakes) await chain.send(ours, 5n, of)
  await chain.send(other, 5n, fake)
  await settled()
  await look()
  const flooded = await named()
  expect(flooded.filter(([address]) => address === ours)).toHaveLength(5)
  expect(flooded).toContainEqual([ours, fake, 3n])
  expect(flooded).toContainEqual([other, fake, 1n])
  // The job skips blocks that a node refuses, and asks again after an outage.
  const refused = (text: string) => () => {
    throw new Error(text)
  }
  node.tamper = null
  await chain.send(other, 5n, fakes[1] ?? '')
  await settled()
  await expect(look()).rejects.toThrow('the node did not answer')
  node.tamper = ({ method }) => (method === 'eth_getLogs' ? refused('more than 10000 results')() : undefined)
  expect(await look()).toBe(0)
  node.tamper = undefined
  expect(await look()).toBe(0)
  expect(await named()).toEqual(flooded)
  await chain.send(other, 5n, fakes[1] ?? '')
  await settled()
  expect(await look()).toBe(1)
})
