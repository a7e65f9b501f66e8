import { getInvoice, getPaymentStatus } from '@tizara/contract/deposits'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { announceWallet, walletError } from '../test/browser-wallets.ts'
import { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { mount } from '../test/mount.tsx'
import InvoiceScreen from './invoice.screen.tsx'

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'
const TOKEN = '0x55d398326f99059ff775485246999027b3197955'
const ACCOUNT = '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const HASH = `0x${'ab'.repeat(32)}`
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
const word = (value: bigint) => value.toString(16).padStart(64, '0')
let api: FakeApi

const invoice = () => ({
  wallet_address: ADDRESS,
  amount: 250.5,
  token_name: 'USDT',
  created_at: new Date().toISOString(),
  chain_id: 56,
  token_address: TOKEN,
  token_decimals: 18,
})
const pending = { status: false, payment_status: 'pending' }
const open = () => mount(<InvoiceScreen />, '/invoice?id=inv1')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const alert = () => page.getByRole('alert')

/** Answers of a wallet on the invoice's chain with 300 tokens. */
const answers = () => ({
  eth_requestAccounts: () => [ACCOUNT],
  eth_accounts: () => [ACCOUNT],
  eth_chainId: () => '0x38',
  eth_call: () => `0x${word(300n * 10n ** 18n)}`,
  eth_sendTransaction: (): unknown => HASH,
})

beforeEach(() => {
  api = new FakeApi().reply(getInvoice, invoice()).reply(getPaymentStatus, pending)
})

it('sends exactly the token transfer, and shows the hash as a hint that stays after a reload', async () => {
  const wallet = announceWallet(answers(), { icon: PIXEL })
  const screen = await open()
  await button('Test Wallet').click()
  await expect.element(page.getByText('Your wallet shows the payment. Confirm it there.')).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await button('Pay 250.5 USDT').click()
  await expect.element(page.getByText('Your wallet has sent the payment')).toBeVisible()
  await expect.element(page.getByText(HASH)).toBeVisible()
  expect(wallet.calls.filter(({ method }) => method === 'eth_sendTransaction')).toEqual([
    {
      method: 'eth_sendTransaction',
      params: [
        {
          from: ACCOUNT.toLowerCase(),
          to: TOKEN,
          value: '0x0',
          data: `0xa9059cbb${ADDRESS.slice(2).toLowerCase().padStart(64, '0')}${word(2505n * 10n ** 17n)}`,
          chainId: '0x38',
        },
      ],
    },
  ])
  // The invoice stays unpaid until the watcher sees the payment.
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Waiting for payment' })).toHaveAttribute('aria-current', 'step')
  await screen.unmount()
  await open()
  await expect.element(page.getByText(HASH)).toBeVisible()
  await expect.element(button('Test Wallet')).not.toBeInTheDocument()
  await button('The payment failed, pay again').click()
  await expect.element(button('Test Wallet')).toBeVisible()
})

it('leaves the invoice unpaid when the wallet reports the hash of another transaction', async () => {
  announceWallet(answers())
  await open()
  await button('Test Wallet').click()
  await button('Pay 250.5 USDT').click()
  await expect.element(page.getByText(HASH)).toBeVisible()
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Waiting for payment' })).toHaveAttribute('aria-current', 'step')
  // The platform never hears the hash, so that none can be credited.
  const asked = api.calls(getPaymentStatus).map(({ body, params, query }) => [body, params, String(query)])
  expect(asked.length).toBeGreaterThan(0)
  expect(JSON.stringify(asked)).not.toContain(HASH)
  await button('The payment failed, pay again').click()
  await expect.element(button('Test Wallet')).toBeVisible()
})

it('pays the missing amount when less has arrived', async () => {
  const wallet = announceWallet(answers())
  api.reply(getPaymentStatus, { ...pending, received: 100.25 })
  await open()
  await expect.element(page.getByText('Still to pay')).toBeVisible()
  await button('Test Wallet').click()
  await button('Pay 150.25 USDT').click()
  await expect.element(page.getByText(HASH)).toBeVisible()
  const [sent] = wallet.calls.flatMap(({ method, params }) => (method === 'eth_sendTransaction' ? [params[0] as { data: string }] : []))
  expect(sent?.data.endsWith(word(15025n * 10n ** 16n))).toBe(true)
})

it('switches the chain, and adds it to a wallet that does not know it', async () => {
  let chain = '0x1'
  const wallet = announceWallet({
    ...answers(),
    eth_chainId: () => chain,
    wallet_switchEthereumChain: () => {
      throw Object.assign(walletError(-32_603), { data: { originalError: { code: 4902 } } })
    },
    wallet_addEthereumChain: () => ((chain = '0x38'), null),
  })
  await open()
  await button('Test Wallet').click()
  await expect.element(button('Pay 250.5 USDT')).toBeVisible()
  const [added] = wallet.calls.flatMap(({ method, params }) => (method === 'wallet_addEthereumChain' ? [params[0]] : []))
  expect(added).toMatchObject({ chainId: '0x38', chainName: 'BNB Smart Chain' })
})

const refuse = (code: number, message?: string) => () => {
  throw walletError(code, message)
}
it.each([
  ['the payer rejects the payment', { eth_sendTransaction: refuse(4001) }, 'You rejected the request in your wallet. Nothing was sent.'],
  ['the account changed meanwhile', { eth_accounts: () => [ADDRESS] }, 'The account in your wallet changed. Choose the wallet again.'],
  [
    'the account holds less',
    { eth_call: () => `0x${word(250n * 10n ** 18n)}` },
    'The account holds too little of the token. Nothing was sent.',
  ],
  [
    'the wallet reports no hash',
    { eth_sendTransaction: () => ({ hash: 1 }) },
    'Your wallet reported no transaction. Check in your wallet whether it was sent before you pay again.',
  ],
  ['the wallet fails', { eth_sendTransaction: refuse(-32_000, 'gas\u202E too low') }, 'Your wallet reported an error: gas too low'],
])('says why, and shows no payment as sent, when %s', async (_, changed, expected) => {
  announceWallet({ ...answers(), ...changed })
  await open()
  await button('Test Wallet').click()
  await button('Pay 250.5 USDT').click()
  await expect.element(alert()).toHaveTextContent(expected)
  await expect.element(button('Test Wallet')).toBeVisible()
  await expect.element(page.getByText('Your wallet has sent the payment')).not.toBeInTheDocument()
})

it.each([
  ['the payer rejects the connection', { eth_requestAccounts: refuse(4001) }, 'You rejected the request in your wallet. Nothing was sent.'],
  [
    'the wallet already shows a request',
    { eth_requestAccounts: refuse(-32_002) },
    'Your wallet already shows a request. Open your wallet and answer it.',
  ],
  ['the wallet names no account', { eth_requestAccounts: () => ['0x12'] }, 'Your wallet named no account.'],
  [
    'the wallet stays on another chain',
    { eth_chainId: () => '0x1', wallet_switchEthereumChain: () => null },
    'Your wallet uses another chain. Switch it there, and try again.',
  ],
  [
    'the payer rejects the chain',
    { eth_chainId: () => '0x1', wallet_switchEthereumChain: refuse(4001) },
    'You rejected the request in your wallet. Nothing was sent.',
  ],
])('offers no payment when %s', async (_, changed, expected) => {
  const wallet = announceWallet({ ...answers(), ...changed })
  await open()
  await button('Test Wallet').click()
  await expect.element(alert()).toHaveTextContent(expected)
  await expect.element(button('Pay 250.5 USDT')).not.toBeInTheDocument()
  expect(wallet.calls.map(({ method }) => method)).not.toContain('eth_sendTransaction')
})

it('does not add a chain that the page has no public node of', async () => {
  api.reply(getInvoice, { ...invoice(), chain_id: 31_337 })
  announceWallet({ ...answers(), wallet_switchEthereumChain: refuse(4902) })
  await open()
  await button('Test Wallet').click()
  await expect.element(alert()).toHaveTextContent('Your wallet does not know the chain 31337. Add it there, and try again.')
})

it('tells wallets of one name apart, and shows only images as icons', async () => {
  announceWallet(answers(), { rdns: 'one.example', icon: 'javascript:alert(1)' })
  announceWallet(answers(), { rdns: 'two.example', icon: 'https://example.com/track.png' })
  announceWallet(answers(), { name: 'A\u202Ecb', icon: PIXEL })
  announceWallet(answers(), { name: '', icon: PIXEL })
  announceWallet(answers(), { name: 7 })
  await open()
  for (const name of ['Test Wallet (one.example)', 'Test Wallet (two.example)', 'Acb']) await expect.element(button(name)).toBeVisible()
  const section = page.getByRole('region', { name: 'Pay from a wallet in this browser' })
  await expect.poll(() => section.getByRole('button').elements()).toHaveLength(3)
  await expect.poll(() => [...section.element().querySelectorAll('img')].map((image) => image.src)).toEqual([PIXEL])
})

it('shows nothing when the browser has no wallet, or the invoice names no token', async () => {
  const screen = await open()
  await expect.element(page.getByText('250.50')).toBeVisible()
  await expect.element(page.getByText('Pay from a wallet in this browser')).not.toBeInTheDocument()
  await screen.unmount()
  announceWallet(answers())
  const { token_address: _, ...rest } = invoice()
  api.reply(getInvoice, rest)
  await mount(<InvoiceScreen />, '/invoice?id=inv2')
  await expect.element(page.getByText('250.50')).toBeVisible()
  await expect.element(page.getByText('Pay from a wallet in this browser')).not.toBeInTheDocument()
})
