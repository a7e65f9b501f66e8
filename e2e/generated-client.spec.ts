import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from '@playwright/test'
import { signedHeaders, webhookSecret } from '../apps/server/src/gateways/webhooks/index.ts'
import { freePort } from '../test/postgres.ts'
import { test } from './fixtures.ts'
import { PASSWORD } from './session.ts'
import type { Stack } from './stack.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const EMAIL = 'client.cleo@gmail.com'

/** Smallest valid PNG. */
const IMAGE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

interface Reply<Data> {
  status: number
  data: { success: boolean; message: string; data: Data }
}
/** Invoice service reply, without an envelope. */
interface Bare<Data> {
  status: number
  data: Data
}
interface Money {
  idempotencyKey: string
}

interface Plan {
  id: string
  planName: string
  apy: number
  duration: number
}

/** Parts of the client used here; the contract defines the names. */
interface Client {
  defaults: { baseUrl: string; headers: Record<string, string> }
  register(body: object): Promise<Reply<{ token: string }>>
  verifyToken(body: { token: string }): Promise<Reply<{ token: string }>>
  login(body: { email: string; password: string }): Promise<Reply<{ token: string }>>
  createPayment(body: { amount: number }, key: Money): Promise<Reply<{ invoice_url: string }>>
  createInvoice(body: { amount: number }, key: Money): Promise<Reply<{ data: { invoice_id: string } }>>
  payInSandbox(id: string, body: { outcome: string }): Promise<Bare<{ ok: boolean }>>
  getPaymentStatus(id: string): Promise<Bare<{ state: string }>>
  generalSettings(): Promise<Reply<{ coinPrice: number }>>
  buyToken(body: object, key: Money): Promise<Reply<{ receipt: { id: string } }>>
  stakePlans(query?: object): Promise<Reply<{ data: Plan[] }>>
  openStake(body: object, key: Money): Promise<Reply<unknown>>
  withdrawDeposit(body: { amount: number; address: string }, key: Money): Promise<Reply<{ waitsUntil?: string }>>
  userWallet(): Promise<Reply<Record<string, number>>>
  createApiKey(body: object): Promise<Reply<{ key: string }>>
  createTicket(body: { title: string; description: string; image: Blob }): Promise<Reply<{ id: string }>>
}

let stack: Stack
const folder = mkdtempSync(path.join(tmpdir(), 'client-'))
test.beforeAll(({ stack: shared }) => {
  stack = shared
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program in the folder and returns its output. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } } as const
  const { status, stdout, stderr } = spawnSync(program, args, options)
  expect(status, `${program}: ${stdout}${stderr}`).toBe(0)
  return stdout
}
const binary = (name: string) => path.join(root, 'node_modules', '.bin', name)
const EXAMPLES = ['balance.ts', 'events.ts', 'webhooks.ts']
const examplesOf = (name: string) => path.join('node_modules/@tizara/client/examples', name)

/** Packs the client like a release, installs it without a network, and compiles its examples in strict mode. */
async function installClient(): Promise<Client> {
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  run(process.execPath, [path.join(root, 'tools/client/make-client.ts'), folder])
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed[0]}`])
  // The example of webhooks needs this package of the product's tests.
  symlinkSync(path.join(root, 'node_modules/standardwebhooks'), path.join(folder, 'node_modules/standardwebhooks'))
  run(binary('validate-api'), ['node_modules/@tizara/client/openapi.json'])
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom']
  const types = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node']
  run(binary('tsc'), [...options, ...types, ...EXAMPLES.map(examplesOf)])
  return (await import(pathToFileURL(path.join(folder, 'node_modules/@tizara/client/dist/index.js')).href)) as Client
}

/** Returns a successful call's data. */
async function done<Data>(call: Promise<Reply<Data>>): Promise<Data> {
  const { status, data } = await call
  expect([status, data.success], data.message).toEqual([200, true])
  return data.data
}

const extended = { tag: '@extended' }

test('[GN-02] [API-06] runs a member’s main tasks with the packed client, and runs its examples', extended, async ({ request }) => {
  const client = await installClient()
  const signedIn = ({ token }: { token: string }) => (client.defaults.headers['Authorization'] = token)
  client.defaults.baseUrl = stack.url

  signedIn(await done(client.register({ name: 'Client Cleo', email: EMAIL, phone: '+12025550143', password: PASSWORD })))
  const code = /\b\d{6}\b/.exec(await stack.mailed(EMAIL, /: confirm your registration$/))?.[0] ?? ''
  signedIn(await done(client.verifyToken({ token: code })))
  signedIn(await done(client.login({ email: EMAIL, password: PASSWORD })))

  // USD is paid on the provider's page, outside the API; coin by our own invoice.
  const { invoice_url } = await done(client.createPayment({ amount: 500 }, { idempotencyKey: 'pay' }))
  await request.post(invoice_url, { form: { outcome: 'exact' } })
  const {
    data: { invoice_id },
  } = await done(client.createInvoice({ amount: 5000 }, { idempotencyKey: 'invoice' }))
  expect((await client.payInSandbox(invoice_id, { outcome: 'exact' })).status).toBe(200)
  await expect.poll(async () => (await client.getPaymentStatus(invoice_id)).data.state).toBe('settled')
  const wallet = async (name: string) => (await done(client.userWallet()))[name]
  await expect.poll(() => wallet('depositWallet')).toBe(500)
  expect(await wallet('nativeWallet')).toBe(5000)

  const { coinPrice } = await done(client.generalSettings())
  const order = { coinPrice, coinAmount: 20_000, totalPrice: 160 }
  const bought = await done(client.buyToken(order, { idempotencyKey: 'buy' }))
  expect(await done(client.buyToken(order, { idempotencyKey: 'buy' }))).toEqual(bought)
  const { data: plans } = await done(client.stakePlans())
  const plan = plans.find(({ planName }) => planName === 'Sprint')
  if (plan === undefined) throw new Error('there is no plan Sprint')
  const { id: planId, planName, apy, duration } = plan
  const stakeAmount = 1500
  const dailyRoy = (stakeAmount * apy) / 100 / duration
  const stake = { planId, planName, apy, duration, stakeAmount, dailyRoy, wallet: 'nativewallet' }
  await done(client.openStake(stake, { idempotencyKey: 'stake' }))
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  await done(client.withdrawDeposit({ amount: 50, address }, { idempotencyKey: 'withdraw' }))
  expect(await done(client.userWallet())).toMatchObject({ depositWallet: 290, newIcoWallet: 20_000, nativeWallet: 3500 })

  const image = new Blob([IMAGE], { type: 'image/png' })
  const ticket = await done(client.createTicket({ title: 'My first day', description: 'All of it went well.', image }))
  expect(ticket.id).toMatch(/./)

  // Node runs no TypeScript below node_modules.
  for (const name of EXAMPLES) copyFileSync(path.join(folder, examplesOf(name)), path.join(folder, name))
  const { key } = await done(client.createApiKey({ name: 'Reports', rights: ['userWallet'], networks: [], days: 30, password: PASSWORD }))
  const shown = run(process.execPath, ['balance.ts'], { TIZARA_URL: stack.url, TIZARA_KEY: key })
  expect(shown.split('\n')).toContain('depositWallet 290')

  const staff = await done(client.login({ email: 'admin@example.com', password: PASSWORD }))
  const cursor = path.join(folder, 'cursor.json')
  const env = { ...process.env, TIZARA_URL: stack.url, TIZARA_KEY: staff.token, CURSOR_FILE: cursor }
  const reader = spawn(process.execPath, ['events.ts'], { cwd: folder, env })
  let events = ''
  reader.stdout.on('data', (text) => (events += String(text)))
  await expect.poll(() => events).toContain('stake.created')
  await expect.poll(() => existsSync(cursor)).toBe(true)
  reader.kill()
  // A cursor of another restore, as after a restore of the platform: the program begins again and skips what it knows.
  const { after, known } = JSON.parse(readFileSync(cursor, 'utf8')) as { after: string; known: [string, string] }
  writeFileSync(cursor, JSON.stringify({ after: after.replace(/^\w+/, 'restored'), known: known.slice(1) }))
  const again = spawn(process.execPath, ['events.ts'], { cwd: folder, env })
  let repeated = ''
  again.stdout.on('data', (text) => (repeated += String(text)))
  await expect.poll(() => repeated).toContain(known[0])
  again.kill()
  expect(repeated).not.toContain(known[1])

  const secret = webhookSecret(Buffer.alloc(32, 7))
  const port = await freePort()
  const receiver = spawn(process.execPath, ['webhooks.ts'], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
  })
  let received = ''
  receiver.stdout.on('data', (text) => (received += String(text)))
  const body = JSON.stringify({ type: 'stake.created', timestamp: new Date().toISOString(), data: { id: 'stake-1' } })
  const post = async (signer: string) => {
    const headers = signedHeaders({ id: 'event-1', body, secrets: [signer], at: new Date() })
    return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).then(({ status }) => status, String)
  }
  await expect.poll(() => post(webhookSecret(Buffer.alloc(32, 8)))).toBe(400)
  expect([await post(secret), await post(secret)]).toEqual([204, 204])
  await expect.poll(() => received).toBe('event-1 stake.created stake-1\n')
  receiver.kill()
})
