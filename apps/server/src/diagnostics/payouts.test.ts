import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { startChain } from '../../../../test/chain/anvil.ts'
import { testDatabase } from '../../test/database.ts'
import { createTestMember, fund, confirmPayoutAddress } from '../../test/members.ts'
import { testApp } from '../../test/app.ts'
import { requestBridge } from '../modules/withdrawals/index.ts'
import { inTransaction } from '../platform/db/database.ts'
import { readConfig } from '../platform/config/config.ts'
import { payoutFindings } from './payouts.ts'

const { db } = await testDatabase()
const chain = await startChain()
afterAll(() => chain.stop())
const token = chain.token.toLowerCase()
const config = readConfig({
  NODE_ENV: 'test',
  PAYOUTS: 'automatic',
  CHAIN_ID: String(chain.chainId),
  CHAIN_RPC_URL: chain.url,
  CHAIN_TOKEN: token,
  CHAIN_USD_TOKEN: (await chain.deployToken()).toLowerCase(),
  CHAIN_XPUB: 'unused here',
})
const NOT_BOOKED = 'warning: network costs are not booked'
const wallet = `0x${randomBytes(20).toString('hex')}`

it('reports missing settings of automatic payouts, and nothing when payouts are sent by hand', async () => {
  const instance = await testApp(db, { routes: () => undefined })
  const readTexts = async () => (await payoutFindings(db, config, instance.clock.now())).map((one) => `${one.state}: ${one.what}`)
  const costs = async () => (await readTexts()).filter((one) => one.includes('network fees'))
  const what = async () => (await readTexts()).filter((one) => !one.includes('network fees'))
  expect((await payoutFindings(db, readConfig({ NODE_ENV: 'test' }), instance.clock.now())).map(({ state }) => state)).toEqual(['good'])
  expect(await what()).toEqual(['warning: the worker has not opened a hot wallet yet'])
  await sql`insert into hot_wallet (chain_id, address, next_nonce) values (${chain.chainId}, ${wallet}, 0)`.execute(db)
  expect(await what()).toEqual([`warning: ${wallet} has gas for fewer than 50 payouts`])
  await chain.call('anvil_setBalance', wallet, '0xde0b6b3a7640000')
  expect(await what()).toEqual(['good: 0 in progress; the hot wallet has enough gas and tokens'])

  const member = await createTestMember(db)
  await fund(db, member.id, 'icoWallet', 100n * 10n ** 8n)
  await confirmPayoutAddress(db, member.id)
  const filed = await inTransaction(db, (tx) =>
    requestBridge(tx, instance.deps, {
      memberId: member.id,
      amount: 100n * 10n ** 8n,
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      network: 0,
    }),
  )
  await sql`
    insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at, problem)
    select id, ${chain.chainId}, ${token}, lower(address), received * 10000000000::numeric, '', created_at, 'the hourly limit is reached'
    from payout_request where public_id = ${filed.id}`.execute(db)
  await chain.call('anvil_setNonce', wallet, '0x2')
  expect(await what()).toEqual([
    'bad: 1 is stuck: the hourly limit is reached',
    `bad: ${wallet} sent 2 transactions that this database does not contain`,
    `warning: ${wallet} has less ${token} than the queued payouts need`,
  ])
  expect(await costs()).toEqual([
    "good: in 30 days 0 transactions cost 0 of the chain's native coin (0 USD as booked), and members paid 0 USD in network fees",
  ])
  await sql`update payout_sending set state = 'SIGNED', wallet = ${wallet}, nonce = 0, signed_at = ${instance.clock.now()}, problem = null`.execute(
    db,
  )
  instance.clock.advance(20 * 60_000)
  expect(await what()).toContain('warning: one was signed 20 minutes ago and is in no block')
  const booked = (hash: string, at: Date) =>
    sql`insert into network_cost (hash, source, wei, price, usd, ended_at, booked_at)
      values (${hash}, 'PAYOUT', 51504000000000, 60000000000, 3090240, ${at}, ${at})`.execute(db)
  await booked('0x1', instance.clock.now())
  await booked('0x3', new Date(instance.clock.now().getTime() - 31 * 86_400_000))
  expect(await costs()).toEqual([
    "good: in 30 days 1 transactions cost 0.000051504 of the chain's native coin (0.0309024 USD as booked), and members paid 0 USD in network fees",
  ])
  expect(await what()).not.toContain(NOT_BOOKED)
  await sql`update payout_sending set state = 'DONE', ended_at = ${instance.clock.now()}`.execute(db)
  await sql`insert into signed_transaction (hash, request_id, purpose, raw, gas_price, made_at, block, block_hash, gas_used, gas_paid)
    select '0x2', request_id, 'PAYMENT', '', 1, ${instance.clock.now()}, 1, '0x', 51504, 51504 from payout_sending`.execute(db)
  expect(await what()).toContain(NOT_BOOKED)
})
