import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HDKey } from '@scure/bip32'
import { ONE } from '@tizara/money'
import { expect, it } from 'vitest'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember } from '../../members.ts'
import { enqueueMail } from '../../../src/gateways/mailer/index.ts'
import { startWorker } from '../../../src/jobs/run-worker.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { allJobs } from '../../../src/main/jobs.ts'

const { db } = await testDatabase(20)

/** Maximum ms until every job has a turn, less than one upstream timeout. */
const MAX_WAIT_MS = 4_000

/** Paths requested from upstream services, without duplicates. */
const paths = (asked: ReadonlySet<string>) => [...new Set([...asked].map((path) => path.replace(/\?.*/, '')))].toSorted()

it('no due job waits for a slow node, provider or mail server', async () => {
  const requested = new Set<string>()
  const silent = createServer((request) => void requested.add(request.url ?? ''))
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const token = (digit: string) => `0x${digit.repeat(40)}`
  const instance = await testApp(db, {
    routes: () => undefined,
    env: {
      CHAIN_ID: '31337',
      CHAIN_RPC_URL: `${url}/node`,
      CHAIN_TOKEN: token('7'),
      CHAIN_USD_TOKEN: token('8'),
      CHAIN_XPUB: HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'").publicExtendedKey,
      PAYOUTS: 'automatic',
      PAYOUT_SIGNER_URL: `${url}/signer`,
      PAYOUT_SIGNER_ADDRESS: token('9'),
    },
  })
  const at = instance.clock.now()
  const { id: member_id } = await createTestMember(db)
  const order = { method: 'hosted', description: 'USDT', amount: ONE, usd_amount: ONE, created_at: at, provider_invoice_id: '1' }
  await db
    .insertInto('deposit')
    .values({ public_id: 'order', member_id, next_check_at: at, ...order })
    .execute()
  await db
    .insertInto('chain_address')
    .values({ address: token('a'), key_index: 0n, invoice_id: 'one' })
    .execute()
  await inTransaction(db, (tx) =>
    enqueueMail(tx, instance.deps, {
      to: 'a@example.org',
      template: 'passwordChanged',
      data: { name: 'A', at: new Date('2026-03-02T09:00:00Z'), how: 'reset' },
    }),
  )
  const mailer = { send: () => new Promise<never>(() => requested.add('mailer')) }
  const jobs = allJobs({ ...createPorts(instance.deps.config, `${url}/provider`), mailer })
  const turns = new Map<string, number>()
  const worker = startWorker(db, instance.deps, jobs, (name) => void turns.set(name, (turns.get(name) ?? 0) + 1))
  await expect.poll(() => paths(requested)).toEqual(['/node', '/provider/v1/payment/', 'mailer'])
  const before = new Map(turns)
  const due = jobs.filter(({ group, everySeconds }) => group === undefined && everySeconds <= 1).map(({ name }) => name)
  expect(due.length).toBeGreaterThan(0)
  const waiting = () => due.filter((name) => (turns.get(name) ?? 0) === (before.get(name) ?? 0))
  await expect.poll(waiting, { timeout: MAX_WAIT_MS }).toEqual([])
  silent.closeAllConnections()
  silent.close()
  await worker.stop()
})
