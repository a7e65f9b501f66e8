import { HDKey } from '@scure/bip32'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { startChain } from '../../../../test/chain/anvil.ts'
import { tamperingNode } from '../../../../test/chain/tampering-node.ts'
import { testApp } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import { readConfig } from '../platform/config/config.ts'
import { createPorts, type Ports } from '../main/ports.ts'
import { allJobs } from '../main/jobs.ts'
import { rejectedTokens } from '../gateways/chain/index.ts'
import { platformAlerts } from '../modules/staff/operations/platform-alerts.ts'
import { chainFindings } from './chain.ts'

const { db } = await testDatabase()
const chain = await startChain({ chainId: 56 })
const node = tamperingNode(chain.url)
afterAll(async () => {
  node.close()
  await chain.stop()
})

const configured = (more: Record<string, string> = {}): Ports =>
  createPorts(
    readConfig({
      NODE_ENV: 'test',
      CHAIN_ID: String(chain.chainId),
      CHAIN_RPC_URL: node.url,
      CHAIN_SECOND_RPC_URL: chain.url,
      CHAIN_TOKEN: chain.token,
      CHAIN_XPUB: HDKey.fromMasterSeed(Buffer.alloc(32, 3)).publicExtendedKey,
      ...more,
    }),
    'http://127.0.0.1:9',
  )

it('reports a token whose balances do not follow its transfers until they do, and reads on', async () => {
  // The token is older than the checked blocks.
  await chain.mine(60)
  for (const letter of ['a', 'b', 'c']) await chain.send(`0x${letter.repeat(40)}`, 9n)
  await chain.mine(12)
  const ports = configured()
  const [watcher] = allJobs(ports).filter(({ name }) => name === 'chain-watcher')
  const { db: other } = await testDatabase()
  const instance = await testApp(other, { routes: () => undefined, jobs: watcher === undefined ? [] : [watcher] })
  // The balances of a token with a hidden fee grow less than its transfers.
  node.tamper = async ({ method, params: [call] }, answer) =>
    method === 'eth_call' && JSON.stringify(call).includes('0x70a08231')
      ? `0x${(BigInt(String(await answer())) / 2n).toString(16)}`
      : undefined
  const refused = `the balances of token ${chain.token} do not follow its transfers`
  await instance.runJobs()
  expect((await platformAlerts(other, instance.clock.now())).filter(({ name }) => name.startsWith('token:'))).toEqual([
    { name: `token:${chain.token}`, level: 'red', text: expect.stringContaining(refused), stops: false },
  ])
  expect([...(await rejectedTokens(other)).values()]).toEqual([expect.stringContaining(refused)])
  const findings = async () => (await chainFindings(other, ports, instance.clock.now())).map(({ state, what }) => `${state}: ${what}`)
  expect(await findings()).toEqual([expect.stringContaining(`bad: ${refused}`)])
  node.tamper = undefined
  instance.clock.advance(3_600_001)
  await instance.runJobs()
  expect((await rejectedTokens(other)).size).toBe(0)
  expect((await findings()).join()).not.toContain('do not follow')
  expect(await other.selectFrom('chain_cursor').select('chain_id').execute()).toHaveLength(1)
})

it('reports whether the node serves the configured chain, and whether the watcher reads it', async () => {
  const ports = configured()
  const instance = await testApp(db, { routes: () => undefined, jobs: allJobs(ports).filter(({ name }) => name === 'chain-watcher') })
  const what = async (with_ = ports) => (await chainFindings(db, with_, instance.clock.now())).map((one) => `${one.state}: ${one.what}`)
  expect(await what()).toEqual(['bad: has not been read yet'])
  await instance.runJobs()
  expect(await what()).toEqual([`good: chain ${chain.chainId} is read, and two sources agree`])
  expect(await what(configured({ CHAIN_SECOND_RPC_URL: '' }))).toEqual(['warning: transfers are confirmed by one source only'])
  instance.clock.advance(5 * 60_000)
  await sql`insert into chain_difference (kind, subject, expected, found, first_seen_at, last_seen_at)
    values ('UNSEEN', '0xa', 2, 9, '2026-03-01', '2026-03-02'), ('UNCREDITED', '0xb', 2, 1, '2026-03-02', '2026-03-02'),
      ('RECEIPT', '0xd 0xa', 5, 4, '2026-03-01', '2026-03-02'),
      ('NATIVE', '0xc native', 3, 9, '2026-02-01', '2026-03-02')`.execute(db)
  const address = `0x${'a'.repeat(40)}`
  await db.insertInto('chain_address').values({ address, key_index: 1n, invoice_id: 'unswept' }).execute()
  const since = new Date(instance.clock.now().getTime() - 3 * 3_600_000)
  const delayed = { chain_id: 56n, address, token: chain.token, problem: 'no gas', since, tried_at: instance.clock.now() }
  await db.insertInto('chain_sweep_problem').values(delayed).execute()
  const compared = new Date(instance.clock.now().getTime() - 4 * 3_600_000)
  await db.insertInto('chain_check').values({ chain_id: 56n, after_key_index: -1n, checked_at: compared }).execute()
  expect(await what()).toEqual([
    'bad: was last read 5 minutes ago: no invoice is opened',
    'warning: 1 token sweep is delayed for 3 hours: no gas',
    `bad: 0xa holds 9 on the chain (smallest units), but the watcher recorded 2, since 2026-03-01T00:00:00.000Z`,
    'bad: 0xd 0xa was final with 5 (smallest units), but three days later its receipt has 4, since 2026-03-01T00:00:00.000Z',
    'warning: 0xc native holds 9 wei, but the platform sent 3 as gas: a payer sent the wrong coin, since 2026-02-01T00:00:00.000Z',
    'warning: was last compared with the ledger 4 hours ago',
  ])
  node.tamper = ({ method }) => (method === 'eth_chainId' ? '0x1' : undefined)
  // A wrong or unreachable source hides no other finding.
  expect((await what())[0]).toBe(`bad: the node belongs to chain 1, not ${chain.chainId}`)
  expect(await what()).toHaveLength(7)
  expect(await what(createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9'))).toEqual([
    'good: not connected: deposits come from the provider, payouts are sent manually',
  ])
  expect(() => configured({ CHAIN_XPUB: '' })).toThrow('all of them, or none')
})
