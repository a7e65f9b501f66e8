import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from '@playwright/test'
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

/** Generated client parts used here; the document defines the names. */
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
  createTicket(body: { title: string; description: string; image: Blob }): Promise<Reply<{ id: string }>>
}

let stack: Stack
/** Inside the repository, because the generated client imports its runtime from the packages. */
let folder: string
test.beforeAll(({ stack: shared }) => {
  folder = mkdtempSync(path.join(root, 'node_modules', '.client-'))
  stack = shared
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a package's program and expects success. */
function run(program: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(path.join(root, 'node_modules', '.bin', program), args, { cwd: folder, encoding: 'utf8' })
  expect(status, `${program}: ${stdout}${stderr}`).toBe(0)
}

/** Writes the API document, lints it, generates a client and compiles it in strict mode. */
async function generateClient(): Promise<Client> {
  writeFileSync(path.join(folder, 'openapi.json'), await (await fetch(`${stack.url}/api/openapi.json`)).text())
  run('validate-api', 'openapi.json')
  run('oazapfts', 'openapi.json', 'client.ts')
  run('tsc', 'client.ts', '--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom', '--types', '')
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  return (await import(pathToFileURL(path.join(folder, 'client.js')).href)) as Client
}

/** Returns a successful call's data. */
async function done<Data>(call: Promise<Reply<Data>>): Promise<Data> {
  const { status, data } = await call
  expect([status, data.success], data.message).toEqual([200, true])
  return data.data
}

test('[GN-02] [API-06] runs a member’s main tasks with a client generated from openapi.json', async ({ request }) => {
  const client = await generateClient()
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
  await expect.poll(async () => (await client.getPaymentStatus(invoice_id)).data.state, { timeout: 60_000 }).toBe('settled')
  const wallet = async (name: string) => (await done(client.userWallet()))[name]
  await expect.poll(() => wallet('depositWallet'), { timeout: 30_000 }).toBe(500)
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
})
