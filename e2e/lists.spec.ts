import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { complaints } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { signedIn } from './session.ts'
import type { Stack } from './stack.ts'

let stack: Stack
let page: Page
let token: string
test.beforeAll(async ({ browser, stack: shared }) => {
  stack = shared
  const context = await signedIn(browser, stack.url, 'amara', { acceptDownloads: true })
  page = await context.newPage()
  const { origins } = await context.storageState()
  token = origins[0]?.localStorage.find(({ name }) => name === 'tizaraUserToken')?.value ?? ''
})
test.afterAll(() => page.context().close())

/** Row from the API. */
type Row = Record<string, unknown>

/** Returns the text at a path such as `userStake.planName`. */
function text(row: Row, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((one, key) => (typeof one === 'object' && one !== null ? Reflect.get(one, key) : undefined), row)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Lists with their calls. Screen tests check the columns of each list with typed responses. */
const lists = [
  ['/my-referrals', 'My Referrals', 'profile/my-team'],
  ['/history/transaction-history', 'Transaction History', 'transaction-history'],
  ['/buy-token-history', 'Buy token history', 'buy-token'],
  ['/profit-bounty-history', 'Profit Bounty History', 'profit-bounty/my-bounty-historys'],
  ['/history/transfer-history', 'Transfer to My wallet History', 'exchange-settings/get-exchagne-history'],
  ['/roi-history', 'Reward History', 'roy-bonus-historys'],
  ['/my-stack-coin', 'My Staked', 'stack-now'],
  ['/my-stack-logs', 'My Staked Logs', 'stake-logs'],
  ['/stake-reward', 'Stake Level Reward', 'stack-bonus-history'],
  ['/store-nft/nft-level-bonus', 'NFT Level Bonus History', 'nft-level-bonus'],
  ['/store-nft/nft-roi-profit-bounty', 'NFT Profit Bounty History', 'nft-monthly-roi-history/my-profit-bounty-history'],
  ['/history/withdraw-history', 'Swap History', 'withdrow-request/get-my-withdraw-history'],
  ['/deposit-wallet-history', 'Payment History', 'pay/get-my-depsit'],
  ['/history/usd-transfer-history', 'USD Withdraw History', 'deposit-wallet/transfer-history'],
  ['/logs-profit-bounty-history', 'Stake Logs Profit Bounty', 'stake-logs/my-bounty-historys'],
  ['/rank-bonus', 'Rank Bonus History', 'rank/my-ranked-bonus'],
  ['/stake-logs-roi', 'Stake log Rewards', 'stake-logs/reward-history'],
  ['/store-nft/nft-roi', 'NFT ROI History', 'nft-monthly-roi-history'],
  ['/store-nft/nft-histor_y', 'NFT History', 'nft-purchese/history'],
] as const

/** Requests a list's rows like the screen does, at any nesting. */
async function rowsOf(call: string, number_ = 1): Promise<Row[]> {
  const reply = await page.request.get(`${stack.url}/api/v1/${call}?page=${number_}&limit=25`, { headers: { authorization: token } })
  let found: unknown = await reply.json()
  while (typeof found === 'object' && found !== null && !Array.isArray(found)) found = Reflect.get(found, 'data')
  return Array.isArray(found) ? (found as Row[]) : []
}

const extended = { tag: '@extended' }

for (const [path, heading, call] of lists)
  test(`[LS-10] ${path} shows its heading, each row of the server and a receipt`, extended, async () => {
    const found = complaints(page)
    await page.goto(stack.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    const rows = await rowsOf(call)
    expect(rows, 'there are rows to look at').not.toEqual([])
    await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(rows.length)
    if (path !== '/my-referrals') {
      await page.getByRole('button', { name: 'Open receipt 1', exact: true }).click()
      const drawer = page.getByRole('dialog', { name: 'Receipt' })
      await expect(drawer.getByText('Report a problem')).toBeVisible()
      // A receipt must add source, destination, and the rule or remaining balance.
      for (const words of ['From', 'To', /Rule|Balance after|Transfer|Source/]) await expect(drawer).toContainText(words)
    }
    expect(found).toEqual([])
    page.removeAllListeners()
  })

test('[LS-03] [LS-04] [LS-05] [LS-09] [API-08] pages by 25 rows, numbers rows across pages and requests page and limit', async () => {
  await page.goto(`${stack.url}/stake-logs-roi`)
  const table = page.getByRole('table')
  await expect(table.locator('tbody tr')).toHaveCount(25)
  const pages = page.getByRole('navigation', { name: /Pages/ })
  await expect(pages.getByRole('button', { name: /^Page \d+$/ })).toHaveText(['1', '2'])
  const nextRequest = page.waitForRequest((request) => request.url().includes('/stake-logs/reward-history'))
  await pages.getByRole('button', { name: 'Page 2', exact: true }).click()
  const { searchParams } = new URL((await nextRequest).url())
  expect(Object.fromEntries(searchParams)).toMatchObject({ page: '2', limit: '25' })
  await expect(table.locator('tbody tr').first().locator('td').first()).toContainText('26')
  const second = await rowsOf('stake-logs/reward-history', 2)
  await expect(table.locator('tbody tr')).toHaveCount(second.length)
  await page.reload()
  await expect(table.locator('tbody tr').first().locator('td').first()).toContainText('26')
})

test('exports all pages of a list as CSV', async () => {
  await page.goto(`${stack.url}/stake-logs-roi`)
  const [first, second] = [await rowsOf('stake-logs/reward-history', 1), await rowsOf('stake-logs/reward-history', 2)]
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^stake-log-rewards-\d{4}-\d\d-\d\d\.csv$/)
  const written = readFileSync(await file.path(), 'utf8')
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
  expect(written).toEqual([
    'SL NO,Date,Plan Name,Stake Amount,APY,Daily Token',
    ...[...first, ...second].map((row, index) =>
      [
        index + 1,
        row['createdAt'],
        text(row, 'userStake.planName'),
        text(row, 'userStake.stakeAmount'),
        `${text(row, 'userStake.apy')}%`,
        text(row, 'dailyRoy'),
      ].join(','),
    ),
  ])
})

test('shows both wallets on the receipt of a row', async () => {
  await page.goto(`${stack.url}/my-stack-coin`)
  await page.getByRole('button', { name: 'Open receipt 1', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Receipt' })
  await expect(drawer.getByText('Report a problem')).toBeVisible()
  for (const word of ['From', 'To', 'Rule']) await expect(drawer).toContainText(word)
})

test('[LS-02] [ER-66] shows a new member `Data Not Found` in every list', extended, async ({ browser }) => {
  const context = await signedIn(browser, stack.url, 'nova')
  const newcomer = await context.newPage()
  const problems: string[] = []
  for (const [path] of lists) {
    await newcomer.goto(stack.url + path)
    await newcomer
      .getByText('Data Not Found', { exact: true })
      .waitFor()
      .catch(() => problems.push(path))
  }
  expect(problems).toEqual([])
  await context.close()
})

test('[LS-32] [UI-M-DEPOSIT-01] opens the deposit form from Payment History', extended, async () => {
  await page.goto(`${stack.url}/deposit-wallet-history`)
  await page.getByRole('button', { name: 'Deposit', exact: true }).first().click()
  await expect(page.getByRole('dialog', { name: 'Deposit' }).getByLabel('Amount')).toBeVisible()
})
