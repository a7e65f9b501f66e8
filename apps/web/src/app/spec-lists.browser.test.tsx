import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, signedIn } from '../test/open-app.tsx'
import { specPage } from '../test/spec-page.ts'

let at: ReturnType<typeof specPage>

beforeEach(() => {
  at = specPage()
})

const stakeCells = (status: string) => [
  '1',
  '05 Mar 2026',
  'Gold',
  'mywallet',
  '1,000.00 TIZARA',
  '365D',
  '120',
  '3.29 TIZARA',
  '05 Mar 2026',
  status,
]
const nft = (name: string, status: string) => [
  name,
  'Dome',
  '250.00 USD',
  'Deposit Wallet',
  '12 months',
  '40',
  '8.33 USD',
  '100.00 USD',
  '05 Mar 2026',
  status,
]

for (const { ids, path, call, title, rows } of [
  {
    ids: '[RT-48] [LS-11] [API-56] [EN-20]',
    path: '/my-referrals',
    call: 'GET /profile/my-team',
    title: 'My Referrals',
    rows: [['1', 'Bo Li', 'bo@gmail.com', 'CODEbo', '05 Mar 2026']],
  },
  {
    ids: '[RT-35] [LS-13] [API-62] [EN-22]',
    path: '/history/transaction-history',
    call: 'GET /transaction-history',
    title: 'Transaction History',
    rows: [['1', '5.00 TIZARA', 'Reward from bo@gmail.com', '05 Mar 2026, 02:07 PM']],
  },
  {
    ids: '[RT-45] [LS-14] [API-65] [EN-23]',
    path: '/buy-token-history',
    call: 'GET /buy-token',
    title: 'Buy token history',
    rows: [['1,000.50 TIZARA', '0.008 USD', '8.00 USD', '05 Mar 2026, 02:07 PM']],
  },
  {
    ids: '[RT-32] [LS-15] [API-63] [EN-34]',
    path: '/profit-bounty-history',
    call: 'GET /profit-bounty/my-bounty-historys',
    title: 'Profit Bounty History',
    rows: [['05 Mar 2026', '0.33 TIZARA', '1', 'bo@gmail.comBo Li', 'Gold 365D', '3.29 TIZARA']],
  },
  {
    ids: '[RT-38] [LS-16] [API-52] [EN-17] [EN-18]',
    path: '/history/transfer-history',
    call: 'GET /exchange-settings/get-exchagne-history',
    title: 'Transfer to My wallet History',
    rows: [['05 Mar 2026', 'amara@gmail.com', '123.46 TIZARA']],
  },
  {
    ids: '[RT-30] [LS-17] [API-64] [EN-32] [EN-33]',
    path: '/roi-history',
    call: 'GET /roy-bonus-historys',
    title: 'Reward History',
    rows: [['05 Mar 2026', 'Gold', '1,000.00 TIZARA', '120', '3.29 TIZARA']],
  },
  {
    ids: '[RT-28] [LS-18] [LS-22] [API-66] [EN-31]',
    path: '/my-stack-coin',
    call: 'GET /stack-now',
    title: 'My Staked',
    rows: [stakeCells('ACTIVE')],
  },
  {
    ids: '[RT-29] [LS-19] [LS-22] [API-80] [EN-31]',
    path: '/my-stack-logs',
    call: 'GET /stake-logs',
    title: 'My Staked Logs',
    rows: [stakeCells('COMPLETED')],
  },
  {
    ids: '[RT-34] [LS-24] [API-61] [EN-24]',
    path: '/stake-reward',
    call: 'GET /stack-bonus-history',
    title: 'Stake Level Reward',
    rows: [['50.50 TIZARA', 'bo@gmail.com', '3', '05 Mar 2026, 02:07 PM']],
  },
  {
    ids: '[RT-22] [LS-25] [API-71] [API-12] [EN-40]',
    path: '/store-nft/nft-level-bonus',
    call: 'GET /nft-level-bonus',
    title: 'NFT Level Bonus History',
    rows: [['1', '05 Mar 2026', 'Bonus from bo@gmail.com', '25.00 USD', 'level 2', '12 months', '40']],
  },
  {
    ids: '[RT-26] [LS-26] [LS-28] [API-72] [EN-41]',
    path: '/store-nft/nft-roi-profit-bounty',
    call: 'GET /nft-monthly-roi-history/my-profit-bounty-history',
    title: 'NFT Profit Bounty History',
    rows: [['1', '05 Mar 2026', 'bo@gmail.com', 'Lake Dome 36.00 USD', '0.83 USD', '1', '12 months', '40']],
  },
  {
    ids: '[RT-36] [LS-29] [API-73] [EN-42]',
    path: '/history/withdraw-history',
    call: 'GET /withdrow-request/get-my-withdraw-history',
    title: 'Swap History',
    rows: [
      ['1', '05 Mar 2026', '0x9f1a...7560Cc', '12.50 TIZARA', '0.25', 'Pending'],
      ['2', '05 Mar 2026', 'T12345678901', '3.00 TIZARA', '0', 'Success'],
    ],
  },
  {
    ids: '[RT-43] [LS-31] [API-74] [API-75] [EN-43]',
    path: '/deposit-wallet-history',
    call: 'GET /pay/get-my-depsit',
    title: 'Payment History',
    rows: [['1', '05 Mar 2026', 'Amara Obi', 'order-77', '250.00 USD', '249.90 USDT', 'USDT', 'APPROVE']],
  },
  {
    ids: '[RT-39] [LS-35] [API-77] [EN-45]',
    path: '/history/usd-transfer-history',
    call: 'GET /deposit-wallet/transfer-history',
    title: 'USD Withdraw History',
    rows: [['1', '05 Mar 2026', 'amara@gmail.com', '100.00 USD', '5.00 USD', '93.00 USD', 'PENDING']],
  },
  {
    ids: '[RT-33] [LS-38] [API-78] [EN-35]',
    path: '/logs-profit-bounty-history',
    call: 'GET /stake-logs/my-bounty-historys',
    title: 'Stake Logs Profit Bounty',
    rows: [['1', '05 Mar 2026', '0.33 TIZARA', '1', 'bo@gmail.comBo Li', 'Gold 365D', '3.29 TIZARA']],
  },
  {
    ids: '[RT-46] [LS-39] [API-81] [EN-46]',
    path: '/rank-bonus',
    call: 'GET /rank/my-ranked-bonus',
    title: 'Rank Bonus History',
    rows: [['1', '05 Mar 2026', 'amara@gmail.com', 'SILVER', '2,500.00 TIZARA', 'Rank reached']],
  },
  {
    ids: '[RT-31] [LS-40] [API-79] [EN-33]',
    path: '/stake-logs-roi',
    call: 'GET /stake-logs/reward-history',
    title: 'Stake log Rewards',
    rows: [['1', '05 Mar 2026', 'Gold', '1,000.00 TIZARA', '120%', '3.29 TIZARA']],
  },
  {
    ids: '[RT-25] [LS-41] [LS-42] [API-70] [EN-37]',
    path: '/store-nft/nft-roi',
    call: 'GET /nft-monthly-roi-history',
    title: 'NFT ROI History',
    rows: [['1', '05 Mar 2026', 'Lake Dome', 'Dome', '250.00 USD', '12 months', '40', '8.33 USD']],
  },
  {
    ids: '[RT-23] [LS-43] [API-69] [EN-36] [EN-38]',
    path: '/store-nft/nft-histor_y',
    call: 'GET /nft-purchese/history',
    title: 'NFT History',
    rows: [
      ['1', '–', ...nft('Lake Dome', 'Runing')],
      ['2', '–', ...nft('Old Dome', 'Closed')],
    ],
  },
]) {
  it(`${ids} ${path} lists the rows of a server that implements only the specification`, async () => {
    await openApp(path, signedIn)
    await expect.element(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect.poll(() => document.querySelectorAll('tbody tr').length).toBe(rows.length)
    await at.expectSound()
    const cells = [...document.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((cell) => (cell.lastElementChild ?? cell).textContent.trim().replaceAll(/\s+/g, ' ')),
    )
    expect(cells.map((row, index) => row.slice(0, rows[index]?.length))).toEqual(rows)
    // Without a receipt, the drawer shows the row itself.
    if (path !== '/my-referrals') {
      await page.getByRole('button', { name: 'Open receipt 1', exact: true }).click()
      await expect.element(page.getByRole('dialog', { name: 'Receipt' }).getByText('Report a problem')).toBeVisible()
      await at.expectSound()
    }
    const request = at.server.asked.find((one) => one.call === call)
    expect([request?.query.get('page'), request?.query.get('limit'), request?.headers.get('authorization')]).toEqual(['1', '25', 'token'])
    expect(request?.query.get('userId')).toBe(call === 'GET /pay/get-my-depsit' ? 'member-1' : null)
    // Every list requests the page in the URL (API-09, API-75).
    await openApp(`${path}?page=2`, signedIn)
    await expect.poll(() => at.server.asked.findLast((one) => one.call === call)?.query.get('page')).toBe('2')
  })
}

it('[CO-45] rounds an amount in a list, and shows it exactly in the details of the row', async () => {
  await openApp('/history/transfer-history', signedIn)
  await expect.element(page.getByRole('cell', { name: '123.46 TIZARA' })).toBeVisible()
  await page.getByRole('button', { name: 'Open receipt 1', exact: true }).click()
  await expect.element(page.getByRole('dialog', { name: 'Receipt' }).getByText('123.4567', { exact: true })).toBeVisible()
})
