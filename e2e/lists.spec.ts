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

/** Row from the API; values are read by path. */
type Row = Record<string, unknown>

/** Returns the value at a path such as `dailyBonus.userStake.planName`. */
function at(row: Row, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), row)
}
const text =
  (path: string) =>
  (row: Row): string => {
    const value = at(row, path)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
/** A wire value's display text. */
const inWords =
  (path: string, words: Readonly<Record<string, string>>) =>
  (row: Row): string =>
    words[text(path)(row)] ?? ''
const KINDS = { dome: 'Dome', wagon: 'Wagon', hotelAndResort: 'Hotel And Resort', land: 'Land' }
const PAYERS = { depositwallet: 'Deposit Wallet', nativewallet: 'Native Wallet', mywallet: 'My Wallet' }
/** Formats a number with all sent decimals and grouped thousands. */
const figure =
  (path: string) =>
  (row: Row): string =>
    Number(at(row, path) ?? 0).toLocaleString('en-US', { maximumFractionDigits: 8 })
/** Formats an amount with its unit and two decimals, or all of them below 0.01. */
const amount =
  (path: string, unit: 'USD' | 'USDT' | 'TIZARA' = 'TIZARA') =>
  (row: Row): string => {
    const value = Number(at(row, path) ?? 0)
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: value !== 0 && Math.abs(value) < 0.01 ? 8 : 2 }
    return `${value.toLocaleString('en-US', digits)} ${unit}`
  }

const parts = (moment: unknown, options: Intl.DateTimeFormatOptions): Record<string, string> =>
  Object.fromEntries(
    new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Berlin', ...options })
      .formatToParts(new Date(String(moment)))
      .map(({ type, value }) => [type, value]),
  )
/** `05 Nov 2026` in the browser's time zone. */
const date =
  (path = 'createdAt') =>
  (row: Row): string => {
    if (at(row, path) === null) return ''
    const { day, month, year } = parts(at(row, path), { day: '2-digit', month: 'short', year: 'numeric' })
    return `${day} ${month} ${year}`
  }
/** `05 Nov 2026, 02:07 PM`. */
const time = (row: Row): string => {
  const { hour, minute, dayPeriod } = parts(row['createdAt'], { hour: '2-digit', minute: '2-digit', hour12: true })
  return `${date()(row)}, ${hour}:${minute} ${dayPeriod}`
}
const number = (_: Row, index: number): string => String(index + 1)
const lines =
  (...cells: ((row: Row) => string)[]) =>
  (row: Row): string =>
    cells.map((cell) => cell(row)).join('')
/** An unpaid reward's amount prefix. */
const reward =
  (path: string, unit?: 'USD') =>
  (row: Row): string =>
    `${{ held: 'Held', owed: 'Owed' }[String(row['status'])] ?? ''}${amount(path, unit)(row)}`

interface List {
  id: string
  path: string
  heading: string
  call: string
  columns: readonly (readonly [header: string, cell: (row: Row, index: number) => string])[]
}

const stakeColumns: List['columns'] = [
  ['SL NO', number],
  ['Date', date()],
  ['Plan Name', text('planName')],
  ['Wallet', text('wallet')],
  ['Amount', amount('stakeAmount')],
  ['Duration', (row) => `${text('duration')(row)}D`],
  ['APY %', figure('apy')],
  ['Daily Reward', amount('dailyRoy')],
  ['Start date', date('startDate')],
  ['Status', text('status')],
]
const staked = (row: Row): string => `${text('dailyBonus.userStake.planName')(row)} ${text('dailyBonus.userStake.duration')(row)}D`
const person = lines(text('dailyBonus.userStake.user.email'), text('dailyBonus.userStake.user.name'))
const months =
  (path: string) =>
  (row: Row): string =>
    `${text(path)(row)} months`

const lists: readonly List[] = [
  {
    id: '[LS-11] [LS-12]',
    path: '/my-referrals',
    heading: 'My Referrals',
    call: 'profile/my-team',
    columns: [
      ['SL NO', number],
      ['Name', text('name')],
      ['Email', text('email')],
      ['Refer-Code', text('myReferralCode')],
      ['Join date', date('updatedAt')],
    ],
  },
  {
    id: '[LS-13]',
    path: '/history/transaction-history',
    heading: 'Transaction History',
    call: 'transaction-history',
    columns: [
      ['SL NO', number],
      ['Amount', amount('amount')],
      ['Details', (row) => `Reward from ${text('bonusFrom')(row)}`],
      ['Time', time],
    ],
  },
  {
    id: '[LS-14] [LS-08]',
    path: '/buy-token-history',
    heading: 'Buy token history',
    call: 'buy-token',
    columns: [
      ['Coin Amount', amount('coinAmount')],
      ['Price', (row) => `${figure('coinPrice')(row)} USD`],
      ['Total Price', amount('totalPrice', 'USD')],
      ['Time', time],
    ],
  },
  {
    id: '[LS-15]',
    path: '/profit-bounty-history',
    heading: 'Profit Bounty History',
    call: 'profit-bounty/my-bounty-historys',
    columns: [
      ['Date', date()],
      ['Profit', amount('profit')],
      ['Level', figure('level')],
      ['User', person],
      ['Staked Plan', staked],
      ['Staked Bonus', amount('dailyBonus.dailyRoy')],
    ],
  },
  {
    id: '[LS-16]',
    path: '/history/transfer-history',
    heading: 'Transfer to My wallet History',
    call: 'exchange-settings/get-exchagne-history',
    columns: [
      ['Date', date()],
      ['Email', text('user.email')],
      ['Amount', amount('amount')],
    ],
  },
  {
    id: '[LS-17]',
    path: '/roi-history',
    heading: 'Reward History',
    call: 'roy-bonus-historys',
    columns: [
      ['Date', date()],
      ['Plan Name', text('userStake.planName')],
      ['Stake Amount', amount('userStake.stakeAmount')],
      ['APY', figure('userStake.apy')],
      ['Daily Token', amount('dailyRoy')],
    ],
  },
  { id: '[LS-18] [LS-21] [LS-22] [LS-23]', path: '/my-stack-coin', heading: 'My Staked', call: 'stack-now', columns: stakeColumns },
  { id: '[LS-19]', path: '/my-stack-logs', heading: 'My Staked Logs', call: 'stake-logs', columns: stakeColumns },
  {
    id: '[LS-24]',
    path: '/stake-reward',
    heading: 'Stake Level Reward',
    call: 'stack-bonus-history',
    columns: [
      ['Amount', reward('bonusAmount')],
      ['Reward From', text('email')],
      ['My Level', figure('level')],
      ['Time', time],
    ],
  },
  {
    id: '[LS-25] [LS-27]',
    path: '/store-nft/nft-level-bonus',
    heading: 'NFT Level Bonus History',
    call: 'nft-level-bonus',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['User', (row) => `Bonus from ${text('email')(row)}`],
      ['Amount', reward('bonusAmount', 'USD')],
      ['Level', (row) => `level ${text('level')(row)}`],
      ['Duration', months('duration')],
      ['Daily ROI', figure('dailyRoi')],
    ],
  },
  {
    id: '[LS-26] [LS-28]',
    path: '/store-nft/nft-roi-profit-bounty',
    heading: 'NFT Profit Bounty History',
    call: 'nft-monthly-roi-history/my-profit-bounty-history',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['From User', text('nftDailyRoiHistory.user.email')],
      ['Users NFT & Reward', (row) => `${text('nftDailyRoiHistory.myNft.name')(row)} ${amount('nftDailyRoiHistory.dailyRoi', 'USD')(row)}`],
      ['My Profit', reward('profit', 'USD')],
      ['My Level', figure('level')],
      ['Duration', months('duration')],
      ['Daily ROI', figure('dailyRoi')],
    ],
  },
  {
    id: '[LS-29] [LS-30] [ST-45]',
    path: '/history/withdraw-history',
    heading: 'Swap History',
    call: 'withdrow-request/get-my-withdraw-history',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['To', (row) => `${text('to')(row).slice(0, 6)}...${text('to')(row).slice(-6)}`],
      ['Amount', amount('amount')],
      ['Txn Fee', text('desc')],
      ['Status', (row) => (row['status'] === null ? 'Pending' : row['status'] === true ? 'Success' : 'Rejected')],
    ],
  },
  {
    id: '[LS-31] [LS-33] [LS-34] [ST-49]',
    path: '/deposit-wallet-history',
    heading: 'Payment History',
    call: 'pay/get-my-depsit',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['Name', text('user.name')],
      ['Order ID', text('orderId')],
      ['Amount', (row) => amount('priceAmount', row['desc'] === 'TIZARA' ? 'TIZARA' : 'USD')(row)],
      ['Paid', (row) => amount('payAmountNum', row['desc'] === 'TIZARA' ? 'TIZARA' : 'USDT')(row)],
      ['Type', (row) => (row['desc'] === 'TIZARA' ? 'TIZARA' : 'USDT')],
      ['Status', text('status')],
    ],
  },
  {
    id: '[LS-35] [LS-36] [LS-37]',
    path: '/history/usd-transfer-history',
    heading: 'USD Withdraw History',
    call: 'deposit-wallet/transfer-history',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['Email', text('user.email')],
      ['Amount', amount('amount', 'USD')],
      ['Fee 5 %', (row) => `${amount('fee', 'USD')(row)}+ ${amount('networkFee', 'USD')(row)} network fee`],
      ['Recived', amount('recived', 'USD')],
      ['Status', text('status')],
    ],
  },
  {
    id: '[LS-38]',
    path: '/logs-profit-bounty-history',
    heading: 'Stake Logs Profit Bounty',
    call: 'stake-logs/my-bounty-historys',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['Profit Amount', amount('profit')],
      ['MY Level', figure('level')],
      ['User', person],
      ['Staked Plan', staked],
      ['Staked Bonus', amount('dailyBonus.dailyRoy')],
    ],
  },
  {
    id: '[LS-39]',
    path: '/rank-bonus',
    heading: 'Rank Bonus History',
    call: 'rank/my-ranked-bonus',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['Email', text('user.email')],
      ['Rank', (row) => text('rank')(row).toUpperCase()],
      ['Amount', amount('bonus')],
      ['Description', text('desc')],
    ],
  },
  {
    id: '[LS-40]',
    path: '/stake-logs-roi',
    heading: 'Stake log Rewards',
    call: 'stake-logs/reward-history',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['Plan Name', text('userStake.planName')],
      ['Stake Amount', amount('userStake.stakeAmount')],
      ['APY', (row) => `${text('userStake.apy')(row)}%`],
      ['Daily Token', amount('dailyRoy')],
    ],
  },
  {
    id: '[LS-41] [LS-42]',
    path: '/store-nft/nft-roi',
    heading: 'NFT ROI History',
    call: 'nft-monthly-roi-history',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['NFT', text('myNft.name')],
      ['Kind', inWords('myNft.walletName', KINDS)],
      ['Price', amount('myNft.price', 'USD')],
      ['Duration', months('myNft.duration')],
      ['Total Reward %', figure('myNft.dailyRoi')],
      ['Monthly Reward', amount('myNft.monthlyRoi', 'USD')],
    ],
  },
  {
    id: '[LS-43] [LS-44] [ST-43]',
    path: '/store-nft/nft-histor_y',
    heading: 'NFT History',
    call: 'nft-purchese/history',
    columns: [
      ['SL NO', number],
      ['Date', date()],
      ['NFT', text('name')],
      ['Kind', inWords('walletName', KINDS)],
      ['Price', amount('price', 'USD')],
      ['Paid By', inWords('paidBy', PAYERS)],
      ['Duration', months('duration')],
      ['Total Reward %', figure('dailyRoi')],
      ['Monthly Reward', amount('monthlyRoi', 'USD')],
      ['Total Reward', amount('totalRoi', 'USD')],
      ['Last Distribution', (row) => date('lastDistributionDate')(row) || '–'],
      ['Status', (row) => (row['status'] === 'ACTIVE' ? 'Runing' : 'Closed')],
    ],
  },
]

/** Requests a list's rows like the screen does, at any nesting. */
async function rowsOf(call: string, number_ = 1): Promise<Row[]> {
  const reply = await page.request.get(`${stack.url}/api/v1/${call}?page=${number_}&limit=25`, { headers: { authorization: token } })
  let found: unknown = await reply.json()
  while (typeof found === 'object' && found !== null && !Array.isArray(found)) found = Reflect.get(found, 'data')
  return Array.isArray(found) ? (found as Row[]) : []
}

/** Returns every row's visible cells, without the receipt button. */
const cellsOf = (): Promise<string[][]> =>
  page
    .getByRole('table')
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')]
          .filter((cell) => cell.querySelector('button') === null)
          .map((cell) => cell.lastElementChild?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? ''),
      ),
    )

const extended = { tag: '@extended' }
/** Lists in the short run. Screen tests cover every list with typed responses. */
const chosen = ['/history/usd-transfer-history', '/store-nft/nft-histor_y', '/my-stack-coin']

for (const { id, path, heading, call, columns } of lists) {
  test(`${id} [LS-10] ${path} shows heading, columns and values`, chosen.includes(path) ? {} : extended, async () => {
    const found = complaints(page)
    await page.goto(stack.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByRole('table').getByRole('button').first()).toBeVisible()
    const heads = await page.getByRole('table').locator('thead th').allTextContents()
    expect(heads).toEqual([...columns.map(([header]) => header), 'Details'])
    const rows = await rowsOf(call)
    expect(rows, 'there are rows to look at').not.toEqual([])
    expect(await cellsOf()).toEqual(rows.map((row, index) => columns.map(([, cell]) => cell(row, index))))
    expect(found).toEqual([])
    page.removeAllListeners()
  })
}

test('[LS-03] [LS-04] [LS-05] [LS-09] [API-08] pages by 25 rows, numbers rows across pages and requests page and limit', async () => {
  await page.goto(`${stack.url}/stake-logs-roi`)
  const table = page.getByRole('table')
  await expect(table.locator('tbody tr')).toHaveCount(25)
  const pages = page.getByRole('navigation', { name: /Pages/ })
  await expect(pages.getByRole('button', { name: /^Page \d+$/ })).toHaveText(['1', '2'])
  const asked = page.waitForRequest((request) => request.url().includes('/stake-logs/reward-history'))
  await pages.getByRole('button', { name: 'Page 2', exact: true }).click()
  const { searchParams } = new URL((await asked).url())
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
        text('userStake.planName')(row),
        text('userStake.stakeAmount')(row),
        `${text('userStake.apy')(row)}%`,
        text('dailyRoy')(row),
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

test('shows a receipt for the first row of each list', extended, async () => {
  test.setTimeout(180_000)
  const problems: string[] = []
  const explained = lists.filter(({ path }) => path !== '/my-referrals')
  for (const { path } of explained) {
    await page.goto(stack.url + path)
    await page.getByRole('button', { name: 'Open receipt 1', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Receipt' })
    await expect(drawer.getByText('Report a problem')).toBeVisible()
    const words = (await drawer.textContent()) ?? ''
    // A receipt must add source, destination, and the rule or remaining balance.
    for (const word of ['From', 'To']) if (!words.includes(word)) problems.push(`${path} does not say ${word}`)
    if (!/Rule|Balance after|Transfer|Source/.test(words)) problems.push(`${path} does not say why`)
  }
  expect(problems).toEqual([])
})

test('[LS-02] [ER-66] shows a new member `Data Not Found` in every list', extended, async ({ browser }) => {
  test.setTimeout(180_000)
  const context = await signedIn(browser, stack.url, 'nova')
  const newcomer = await context.newPage()
  const problems: string[] = []
  for (const { path } of lists) {
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

test('[LS-01] [LS-06] [ER-67] shows a skeleton while a list loads, and the empty state when it fails', extended, async () => {
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/v1/buy-token?**', async (route) => {
    await seen.promise
    await route.fulfill({ status: 500, json: { success: false, statusCode: 500, message: 'out of order', errorMessages: [] } })
  })
  await page.goto(`${stack.url}/buy-token-history`)
  await expect(page.locator('section[aria-busy=true]')).toBeVisible()
  seen.resolve()
  await expect(page.getByText('Data Not Found')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('out of order')).toHaveCount(0)
  await page.unroute('**/api/v1/buy-token?**')
})
