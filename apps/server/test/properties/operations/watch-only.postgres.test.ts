import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HDKey } from '@scure/bip32'
import { afterAll, expect, it } from 'vitest'
import { startApiProcess } from '../../api-process.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, TEST_PASSWORD } from '../../members.ts'
import { beginAt } from '../../../src/gateways/chain/chain-cursor.ts'
import { openGeneration } from '../../../src/gateways/chain/address-generations.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'watch-only-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Module hook that records each loaded module. */
const NOTES = (file: string) => `
  import { appendFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(file)}, url + '\\n'), next(url, context)) })`

it('opens invoices and accepts payouts without a private key, and without loading code that reads one', async () => {
  const { db, url } = await testDatabase()
  const loaded = path.join(folder, 'loaded')
  const branch = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'")
  const api = await startApiProcess({
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    NODE_ENV: 'test',
    DATABASE_URL: url,
    DATA_DIR: folder,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NOTES(loaded))}`,
    CHAIN_ID: '56',
    // No node listens there, because web processes query none.
    CHAIN_RPC_URL: 'http://127.0.0.1:9',
    CHAIN_TOKEN: `0x${'7'.repeat(40)}`,
    CHAIN_USD_TOKEN: `0x${'8'.repeat(40)}`,
    CHAIN_XPUB: branch.publicExtendedKey,
    PAYOUTS: 'automatic',
  })
  const header = { number: 1, hash: '0x01', parentHash: '0x00', time: new Date() }
  await inTransaction(db, async (tx) => {
    await beginAt(tx, 56, header, new Date())
    await openGeneration(tx, new Date())
  })
  const { email } = await createTestMember(db)
  const call = async (route: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token }
    const answer = await fetch(`${api.url}/api/v1${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { data: { token: string } }
  }
  const { token } = (await call('/auth/login', { email, password: TEST_PASSWORD })).data
  await call('/autoPayRoutes/create-invoice', { amount: 10 }, token)
  const { address } = await db.selectFrom('chain_address').select('address').executeTakeFirstOrThrow()
  expect(address).toMatch(/^0x[0-9a-f]{40}$/)
  api.child.kill('SIGTERM')
  await api.ended
  const modules = readFileSync(loaded, 'utf8')
  expect(modules).toContain('gateways/chain/deposit-address.ts')
  expect(modules).not.toMatch(/keystore|scrypt|bip39/)
})
