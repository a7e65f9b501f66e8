import { type Browser, type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { readExtent } from '../test/extent.ts'
import { complaints } from './browser-helpers.ts'
import { signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

/** Screen tests cover every form; these run against the real product. */
const extended = { tag: '@extended' }

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const WALLETS = ['Deposit Wallet', 'Native Wallet', 'My Wallet', 'Stake Wallet', 'ICO Wallet', 'NFT Wallet', 'RCM Wallet'] as const
type Wallet = (typeof WALLETS)[number]

let stack: Stack
test.beforeAll(async () => {
  stack = await startStack(readExtent() === 'short' ? 'embedded' : 'postgres')
})
test.afterAll(({ browser }) => stack.stop(browser))

const contexts: BrowserContext[] = []
let found: string[] = []
test.beforeEach(() => {
  found = []
})
test.afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
  // The browser logs each response with status 400.
  expect(found.filter((text) => !/status of 400/.test(text))).toEqual([])
})

/** Opens a member's dashboard; `sent` collects calls that could move money. */
async function dashboardOf(browser: Browser, name: string): Promise<{ page: Page; sent: string[] }> {
  const context = await signedIn(browser, stack.url, name)
  contexts.push(context)
  const page = await context.newPage()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(`${new URL(request.url()).pathname.replace('/api/v1/', '')} ${request.postData() ?? ''}`)
  })
  found = complaints(page)
  await page.goto(`${stack.url}/dashboard`)
  await expect(card(page, 'Deposit Wallet')).toContainText(/\d\.\d\d/)
  return { page, sent }
}

const card = (page: Page, wallet: Wallet): Locator => page.getByRole('region', { name: wallet, exact: true })
const modal = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })
const press = (page: Page, wallet: Wallet, button: string) => card(page, wallet).getByRole('button', { name: button, exact: true }).click()

/** Returns a wallet card's balance in hundredths. */
async function holds(page: Page, wallet: Wallet): Promise<number> {
  const text = (await card(page, wallet).locator('h3 + p').textContent()) ?? ''
  return Math.round(Number((/-?[\d,]+\.\d\d/.exec(text)?.[0] ?? 'none').replaceAll(',', '')) * 100)
}

/** Runs an action and expects these changes on the cards without a reload; other cards stay. */
async function changes(page: Page, by: Partial<Record<Wallet, number>>, action: () => Promise<unknown>): Promise<void> {
  const shown = [] as Wallet[]
  for (const wallet of WALLETS) if ((await card(page, wallet).count()) > 0) shown.push(wallet)
  const all = () => Promise.all(shown.map((wallet) => holds(page, wallet)))
  const before = await all()
  await action()
  const expected = shown.map((wallet, index) => (before[index] ?? 0) + Math.round((by[wallet] ?? 0) * 100))
  // Shown balances have 2 decimals, so a difference may be off by 0.01.
  await expect
    .poll(async () => (await all()).every((value, index) => Math.abs(value - (expected[index] ?? 0)) <= 1), { message: JSON.stringify(by) })
    .toBe(true)
}

/** Expects a rejection popup with this title and text. */
async function expectRejection(page: Page, title: string, text: string | RegExp): Promise<void> {
  const box = page.getByRole('alertdialog')
  await expect(box.getByRole('heading', { name: title, exact: true })).toBeVisible()
  await expect(box).toContainText(text)
  await box.getByRole('button', { name: 'OK' }).click()
  await expect(box).toBeHidden()
}

/** Expects a success popup with the server's message (UI-M-COMMON-03). */
async function expectSuccess(page: Page, text: string): Promise<void> {
  const box = page.getByRole('alertdialog', { name: 'success', exact: true })
  await expect(box).toContainText(text)
  await box.getByRole('button', { name: 'OK' }).click()
}

const audit = (): void => {
  const { status, output } = stack.command('ledger-audit')
  expect(status, output).toBe(0)
}

const SEEN = [
  ['amara', '[GN-12] [GN-13] [GN-14] [GN-15] [GN-16]'],
  ['rafael', '[GN-18] [GN-19] [RO-10] [UI-DASH-10]'],
] as const
for (const [name, ids] of SEEN)
  test(`${ids} shows ${name} each wallet with name and unit, and the RCM Wallet to special members only`, async ({ browser }) => {
    const { page } = await dashboardOf(browser, name)
    const token = await page.evaluate(() => localStorage.getItem('tizaraUserToken') ?? '')
    const reply = await page.request.get(`${stack.url}/api/v1/user-wallet`, { headers: { authorization: token } })
    const { data } = (await reply.json()) as { data: Record<string, number> }
    const fields: Record<Wallet, [field: string, unit: string]> = {
      'Deposit Wallet': ['depositWallet', 'USD'],
      'Native Wallet': ['nativeWallet', 'TIZARA'],
      'My Wallet': ['icoWallet', 'TIZARA'],
      'Stake Wallet': ['stakeWallet', 'TIZARA'],
      'ICO Wallet': ['newIcoWallet', 'TIZARA'],
      'NFT Wallet': ['nftWallet', 'USD'],
      'RCM Wallet': ['rcmWallet', 'TIZARA'],
    }
    for (const wallet of WALLETS) {
      if (wallet === 'RCM Wallet' && name === 'amara') {
        await expect(card(page, wallet)).toHaveCount(0)
        continue
      }
      const [field, unit] = fields[wallet]
      expect(Math.abs((await holds(page, wallet)) - (data[field] ?? Number.NaN) * 100), wallet).toBeLessThan(1.01)
      await expect(card(page, wallet).locator('h3 + p')).toContainText(unit)
    }
  })

test('[UI-M-WITHDRAW-01] [UI-M-WITHDRAW-02] [UI-M-WITHDRAW-03] [UI-M-WITHDRAW-04] [UI-M-WITHDRAW-05] withdraws USD less 7 %, and rejects too little, too much and an invalid address', async ({
  browser,
}) => {
  const { page, sent } = await dashboardOf(browser, 'amara')
  await page.getByRole('main').getByRole('button', { name: 'Withdraw', exact: true }).click()
  const form = modal(page, 'Withdraw Deposit Wallet (Bep 20)')
  const send = form.getByRole('button', { name: 'Withdraw', exact: true })
  await form.getByLabel('Amount').fill('9.99')
  await send.click()
  await expect(form.getByText('Minimum amount is 10')).toBeVisible()
  await expect(form.getByText('This field is required')).toBeVisible()
  await form.getByLabel('Amount').fill('1000000')
  await form.getByLabel('Wallet Address (Bep 20)').fill('0x1234')
  await send.click()
  await expectRejection(page, 'Failed', 'Insufficient Deposit Wallet')
  expect(sent).toEqual([])
  await form.getByLabel('Amount').fill('100')
  for (const line of [/Platform fee 5 %\s*5\.00/, /Network fee 2 %\s*2\.00/, /Receive amount\s*93\.00/])
    await expect(form).toContainText(line)
  await send.click()
  await expectRejection(page, 'Failed', 'Invalid wallet address')
  await expect(form).toBeVisible()
  await form.getByLabel('Wallet Address (Bep 20)').fill(ADDRESS)
  await changes(page, { 'Deposit Wallet': -100 }, async () => {
    await send.click()
    await expectSuccess(page, 'Withdraw request success')
    await expect(form).toBeHidden()
  })
  expect(sent.at(-1)).toBe(`deposit-wallet/transfer-deposit-wallet ${JSON.stringify({ amount: 100, address: ADDRESS })}`)
  audit()
})

test('[UI-M-U2U-01] [UI-M-U2U-02] [UI-M-U2U-07] sends USD to a member, and rejects the sender’s address and unknown addresses', async ({
  browser,
}) => {
  const { page, sent } = await dashboardOf(browser, 'bruno')
  const form = modal(page, 'User To User Transfer')
  const fill = async (amount: string, email: string): Promise<void> => {
    if (!(await form.isVisible())) await press(page, 'Deposit Wallet', 'User To User Transfer')
    await form.getByLabel('Transfer Amount (Min $5)').fill(amount)
    await form.getByLabel('Receiver Email').fill(email)
    await form.getByRole('button', { name: 'Transfer', exact: true }).click()
  }
  for (const [email, text] of [
    ['bruno@example.com', 'You cannot transfer to yourself'],
    ['nobody@example.com', 'User not found'],
  ] as const) {
    await fill('5', email)
    await expectRejection(page, 'Failed', text)
    await expect(form).toBeHidden()
  }
  await changes(page, { 'Deposit Wallet': -25.5 }, async () => {
    await fill('25.5', 'nova@example.com')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send', exact: true }).click()
    await expectSuccess(page, 'Successfully transferred')
  })
  expect(sent.at(-1)).toBe(`usd-transfer/user-to-user-deposit ${JSON.stringify({ amount: 25.5, email: 'nova@example.com' })}`)
  const { page: receiver } = await dashboardOf(browser, 'nova')
  await expect.poll(() => holds(receiver, 'Deposit Wallet')).toBe(2550)
  audit()
})

test('[GN-20] [GN-25] [UI-DASH-37] [UI-DASH-38] [UI-DASH-39] buys coin at the price of the coin panel', async ({ browser }) => {
  const { page, sent } = await dashboardOf(browser, 'rafael')
  const panel = page.getByRole('region', { name: 'TIZARA', exact: true })
  for (const text of ['BSC (Bep-20)', '15 B', '0.008']) await expect(panel).toContainText(text)
  await panel.getByRole('button', { name: 'Buy Now' }).click()
  const form = modal(page, 'Buy Token')
  const buy = form.getByRole('button', { name: 'Buy Now' })
  await expect(form.getByText(/Min 1 · Max 10(,000,000|M)/)).toBeVisible()
  await form.getByLabel('Coin Amount').fill('0.5')
  await buy.click()
  await expect(form.getByText('Minimum amount is 1')).toBeVisible()
  await form.getByLabel('Coin Amount').fill('9000000')
  await buy.click()
  await expectRejection(page, 'Error!', 'Insufficient balance')
  await expect(form).toBeVisible()
  await form.getByLabel('Coin Amount').fill('1234.5')
  await expect(form.getByLabel('Total Price')).toHaveValue('9.88')
  await changes(page, { 'Deposit Wallet': -9.88, 'ICO Wallet': 1234.5 }, async () => {
    await buy.click()
    await expectSuccess(page, 'Successfully purchased')
  })
  expect(sent.at(-1)).toBe(`buy-token ${JSON.stringify({ coinPrice: 0.008, coinAmount: 1234.5, totalPrice: 9.88 })}`)
  audit()
})

/** Forms that move money: ids, member, paying wallet, button, title, submit button, field, amount, receiving wallet, received amount. */
const moves = [
  ['[UI-M-CONVERT-01]', 'amara', 'NFT Wallet', 'Convart', 'Convert to My Wallet', 'Convert', 'USD', 10.5, 'My Wallet', 1312.5],
  ['[UI-M-SWAP-01]', 'amara', 'Native Wallet', 'Swap', 'Swap', 'Swap', 'Amount', 1200.5, 'My Wallet', 1200.5],
  ['[UI-M-NFT2DEP-01]', 'amara', 'NFT Wallet', 'Transfer', 'Transfer to Deposit', 'Transfer', 'Amount', 15, 'Deposit Wallet', 15],
  ['[UI-M-MY2DEP-01]', 'amara', 'My Wallet', 'Swap to USD', 'My Wallet to Deposit Wallet', 'Swap', 'Amount', 2000, 'Deposit Wallet', 16],
  ['[UI-M-RCM-01]', 'rafael', 'RCM Wallet', 'Withdraw', 'RCM Wallet to Deposit Wallet', 'Withdraw', 'Amount', 1000, 'Deposit Wallet', 8],
] as const
for (const [id, name, from, button, title, submit, field, amount, to, received] of moves)
  test(`${id} [GN-23] moves money with the form ${title}`, extended, async ({ browser }) => {
    const { page } = await dashboardOf(browser, name)
    await press(page, from, button)
    const form = modal(page, title)
    await form.getByLabel(field).fill(String(amount))
    await changes(page, { [from]: -amount, [to]: received }, async () => {
      await form.getByRole('button', { name: submit, exact: true }).click()
      await expectSuccess(page, 'Successfully')
      await expect(form).toBeHidden()
    })
    audit()
  })

test('[UI-DASH-02] [UI-M-BRIDGE-01] [UI-M-BRIDGE-05] bridges after the address is confirmed', extended, async ({ browser }) => {
  const { page } = await dashboardOf(browser, 'amara')
  await page.getByRole('main').getByRole('button', { name: 'Bridge', exact: true }).click()
  const form = modal(page, 'Bridge')
  await form.getByLabel('Address').fill(ADDRESS)
  await form.getByLabel('Amount').fill('500')
  await changes(page, { 'My Wallet': -500 }, async () => {
    await form.getByRole('button', { name: 'Bridge', exact: true }).click()
    await page.getByRole('alertdialog', { name: 'Bridge', exact: true }).getByRole('button', { name: 'Yes' }).click()
    await expectSuccess(page, 'Bridged Request success')
  })
  await page.goto(`${stack.url}/history/withdraw-history`)
  await expect(page.getByRole('table').locator('tbody tr').first()).toContainText(/500.*Pending/)
  audit()
})

test('[UI-M-EXCHANGE-01] moves the allowed share of the ICO Wallet', extended, async ({ browser }) => {
  const { page } = await dashboardOf(browser, 'bruno')
  const share = (await holds(page, 'ICO Wallet')) / 100
  await press(page, 'ICO Wallet', 'Transfer to My Wallet')
  const form = modal(page, 'Transfer to My Wallet')
  await expect(form.getByLabel('Amount')).toHaveValue(share.toFixed(2))
  await changes(page, { 'ICO Wallet': -share, 'My Wallet': share }, async () => {
    await form.getByRole('button', { name: 'Transfer', exact: true }).click()
    await expectSuccess(page, 'Successfully transferred to my wallet')
  })
  audit()
})

test('[GN-21] [UI-STAKE-05] [UI-M-STAKE-01] stakes coin in a plan', extended, async ({ browser }) => {
  const { page } = await dashboardOf(browser, 'rafael')
  await page.goto(`${stack.url}/stack-coin`)
  await page.getByRole('region', { name: 'Bronze', exact: true }).getByRole('button', { name: 'Stake Now' }).click()
  const form = modal(page, 'Stake Now')
  await form.getByRole('radio', { name: /Native Wallet/ }).check()
  await form.getByLabel('Stake Amount').fill('9000')
  // 9000 / 100 × 4 / 90
  await expect(form).toContainText(/Daily reward\s*4\.00/)
  await form.getByRole('button', { name: 'Stake Now', exact: true }).click()
  await expectSuccess(page, 'Successfully staked amount')
  await page.goto(`${stack.url}/my-stack-coin`)
  await expect(page.getByRole('table').locator('tbody tr').first()).toContainText(/Bronze.*nativewallet.*9,000.*90D.*ACTIVE/)
  await page.goto(`${stack.url}/dashboard`)
  await expect(card(page, 'Native Wallet')).toContainText('11,000.00')
  await expect(card(page, 'Stake Wallet')).toContainText('9,000.00')
  audit()
})

test('[UI-M-NFT-01] buys an NFT', extended, async ({ browser }) => {
  const { page } = await dashboardOf(browser, 'rafael')
  await page.goto(`${stack.url}/store-nft/buy-nft`)
  await page.getByRole('region', { name: 'Land', exact: true }).getByRole('button', { name: 'Buy Now' }).click()
  const form = modal(page, 'Purchase NFT')
  await form.getByRole('radio', { name: /Deposit Wallet/ }).check()
  await form.getByRole('button', { name: 'Buy Now', exact: true }).click()
  await expectSuccess(page, 'Successfully purchased')
  await page.goto(`${stack.url}/store-nft/nft-histor_y`)
  await expect(page.getByRole('table').locator('tbody tr').first()).toContainText(/Land.*120.*Deposit Wallet.*Runing/)
  await page.goto(`${stack.url}/dashboard`)
  await expect(page.getByRole('region', { name: 'Land', exact: true })).toContainText('109,997 left of 110,000')
  audit()
})

test('[UI-DASH-01] [UI-DASH-03] [UI-M-DEPOSIT-06] [UI-M-TOKENDEP-01] [UI-INVOICE-09] deposits the token when the sandbox pays its invoice', async ({
  browser,
}) => {
  const { page, sent } = await dashboardOf(browser, 'chiara')
  const native = await holds(page, 'Native Wallet')
  await page.getByRole('main').getByRole('button', { name: 'Payment', exact: true }).click()
  const form = modal(page, 'Deposit TIZARA')
  await form.getByLabel('Amount').fill('750')
  await form.getByRole('button', { name: 'Deposit', exact: true }).click()
  await expect(page).toHaveURL(/\/invoice\?id=./)
  expect(sent[0]).toBe(`autoPayRoutes/create-invoice ${JSON.stringify({ amount: 750 })}`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Waiting for payment' })).toHaveAttribute('aria-current', 'step')
  await expect(page.getByRole('main')).toContainText('750.00 TIZARA')
  await page.getByRole('button', { name: 'Exact amount' }).click()
  await expect(page.getByText('Play money sent')).toBeVisible()
  await expect(page).toHaveURL(/\/pay\/success$/)
  await page.getByRole('link', { name: 'HOME', exact: true }).click()
  await expect.poll(() => holds(page, 'Native Wallet')).toBe(native + 75_000)
  await page.goto(`${stack.url}/deposit-wallet-history`)
  await expect(page.getByRole('table').locator('tbody tr').first()).toContainText(/750\.00.*TIZARA.*APPROVE/)
  audit()
})

test(
  '[UI-M-COMMON-04] closes every form of the dashboard with Escape and with its button, without a call',
  extended,
  async ({ browser }) => {
    const { page, sent } = await dashboardOf(browser, 'rafael')
    const openers: readonly [Locator, string][] = [
      ...(['Deposit', 'Bridge', 'Payment', 'Withdraw'] as const).map((name): [Locator, string] => [
        page.getByRole('main').getByRole('button', { name, exact: true }).first(),
        { Deposit: 'Deposit', Bridge: 'Bridge', Payment: 'Deposit TIZARA', Withdraw: 'Withdraw Deposit Wallet (Bep 20)' }[name],
      ]),
      [card(page, 'Deposit Wallet').getByRole('button').last(), 'User To User Transfer'],
      [card(page, 'Native Wallet').getByRole('button').last(), 'Swap'],
      [card(page, 'My Wallet').getByRole('button').last(), 'My Wallet to Deposit Wallet'],
      [card(page, 'Stake Wallet').getByRole('button').last(), 'Stake Now'],
      [card(page, 'ICO Wallet').getByRole('button').last(), 'Transfer to My Wallet'],
      [card(page, 'NFT Wallet').getByRole('button', { name: 'Transfer' }), 'Transfer to Deposit'],
      [card(page, 'NFT Wallet').getByRole('button', { name: 'Convart' }), 'Convert to My Wallet'],
      [card(page, 'RCM Wallet').getByRole('button').last(), 'RCM Wallet to Deposit Wallet'],
      [page.getByRole('region', { name: 'DOME' }).getByRole('button', { name: 'Buy Now' }), 'Purchase NFT'],
    ]
    for (const [opener, name] of openers) {
      await opener.click()
      await expect(modal(page, name)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(modal(page, name)).toBeHidden()
      await expect(opener).toBeFocused()
      await opener.click()
      await modal(page, name).getByRole('button', { name: 'Close' }).click()
      await expect(modal(page, name)).toBeHidden()
    }
    expect(sent).toEqual([])
  },
)
