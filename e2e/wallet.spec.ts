import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type BrowserContext, expect } from '@playwright/test'
import { addr, eip191Signer, Transaction } from 'micro-eth-signer'
import { complaints } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { accessibilityViolations, PASSWORD, registerMember, sidewaysScroll, signedIn } from './session.ts'
import type { Stack } from './stack.ts'

/** First account of every development chain. It owns the play tokens. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const ACCOUNT = addr.fromPrivateKey(KEY)

let stack: Stack
test.beforeAll(({ stack: shared }) => {
  stack = shared
})

/** Asks the node of the development chain. */
async function askNode(method: string, params: readonly unknown[]): Promise<unknown> {
  const { rpcUrl } = JSON.parse(readFileSync(path.join(stack.dataDir, 'sandbox/chain/running.json'), 'utf8')) as { rpcUrl: string }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const reply = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await reply.json()) as { result: unknown }).result
}

/** Signs and sends a transaction, as a wallet does. */
async function send({ to, data }: { to: string; data: string }): Promise<unknown> {
  const nonce = BigInt((await askNode('eth_getTransactionCount', [ACCOUNT, 'pending'])) as string)
  const prepared = Transaction.prepare({
    to: addr.addChecksum(to),
    data,
    nonce,
    value: 0n,
    gasLimit: 200_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    chainId: 31_337n,
  })
  return await askNode('eth_sendRawTransaction', [prepared.signBy(KEY).toHex()])
}

/** Answers of the wallet. It signs with the account's private key. */
async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      return [ACCOUNT]
    case 'personal_sign':
      return eip191Signer.sign(Buffer.from(String(params[0]).slice(2), 'hex').toString(), KEY)
    case 'eth_sendTransaction':
      return await send(params[0] as { to: string; data: string })
    default:
      return await askNode(method, params)
  }
}

/** Adds a wallet to the browser, as an extension does (EIP-6963). */
async function addWallet(context: BrowserContext): Promise<void> {
  await context.exposeFunction('askWallet', answer)
  await context.addInitScript(() => {
    const ask = (window as unknown as { askWallet: (method: string, params: readonly unknown[]) => Promise<unknown> }).askWallet
    const provider = { request: ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => ask(method, params) }
    const detail = { info: { uuid: crypto.randomUUID(), name: 'Journey Wallet', rdns: 'org.example.journey' }, provider }
    addEventListener('eip6963:requestProvider', () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })))
  })
}

test('[MF-02] a member pays an invoice and proves an address from the browser’s wallet', async ({ browser }) => {
  const context = await signedIn(browser, stack.url, await registerMember(stack), { viewport: { width: 390, height: 844 } })
  await addWallet(context)
  const page = await context.newPage()
  const found = complaints(page)

  await page.goto(`${stack.url}/dashboard?open=payment`)
  await page.getByRole('dialog').getByLabel('Amount').fill('40')
  await page.getByRole('dialog').getByRole('button', { name: 'Deposit', exact: true }).click()
  await expect(page).toHaveURL(/\/invoice\?id=./)
  await page.getByRole('button', { name: 'Journey Wallet' }).click()
  await page.getByRole('button', { name: /^Pay 40 / }).click()
  await expect(page.getByText('Your wallet has sent the payment')).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  // The watcher credits the payment after its confirmations.
  await expect(page).toHaveURL(/\/pay\/success$/)

  await page.goto(`${stack.url}/profile`)
  await page.getByRole('button', { name: 'Add address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Browser wallet')
  await dialog.getByLabel('Address', { exact: true }).fill(ACCOUNT)
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Add address' }).click()
  await page.getByRole('button', { name: 'Prove Browser wallet' }).click()
  await expect(dialog.getByRole('button', { name: 'Journey Wallet' })).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Journey Wallet' }).click()
  await expect(page.getByText('Proven by its key')).toBeVisible()
  expect(await sidewaysScroll(page)).toBe(0)
  expect(found).toEqual([])
  await context.close()
})
