import { type BrowserContext, expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { asStaff, memberId, signedIn } from './session.ts'
import type { Stack } from './stack.ts'

let stack: Stack
test.beforeAll(({ stack: shared }) => {
  stack = shared
})

const contexts: BrowserContext[] = []
test.afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))

async function open(browser: Parameters<typeof signedIn>[0], name: string, path: string): Promise<Page> {
  const context = await signedIn(browser, stack.url, name)
  contexts.push(context)
  const page = await context.newPage()
  await page.goto(stack.url + path)
  return page
}

/** Grants special status, which takes two admins, or removes it, which takes one. */
async function setSpecial(name: string, isSpecialRcm: boolean): Promise<void> {
  const [admin, checker] = [await asStaff(stack.url, 'admin'), await asStaff(stack.url, 'checker')]
  const path = `/staff/members/${await memberId(admin, name)}/special-rcm`
  const filed = (await admin('POST', path, { data: { isSpecialRcm, reason: 'requested by a test' } })) as { proposalId: string } | null
  expect(filed === null).toBe(!isSpecialRcm)
  if (filed !== null) await checker('POST', `/staff/changes/${filed.proposalId}/approve`, { data: {} })
}

test('[UI-RCM-01] [UI-RCM-02] [UI-RCM-03] [UI-RCM-04] [LS-45] shows a new special member the team’s figures and the last referrals', async ({
  browser,
}) => {
  const page = await open(browser, 'amara', '/special-rcm')
  await expect(page.getByText('Data Not Found')).toBeVisible()
  const entry = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Special Rcm' })
  await expect(entry).toHaveCount(0)
  await setSpecial('amara', true)
  await page.reload()
  await entry.click()
  const headers = { authorization: await page.evaluate(() => localStorage.getItem('tizaraUserToken') ?? '') }
  const { data } = (await (await page.request.get(`${stack.url}/api/v1/special-rcm/get-total-team-stake`, { headers })).json()) as {
    data: Record<string, number>
  }
  // The demo's last 45 days span at most three months, so both sums cannot be 0.
  expect((data['lastMonthStakeSumTotal'] ?? 0) + (data['currentMonthStakeSumTotal'] ?? 0)).toBeGreaterThan(0)
  for (const [label, field] of [
    ['Last month team stake', 'lastMonthStakeSumTotal'],
    ['Current month team stake', 'currentMonthStakeSumTotal'],
    ['Last month NFT purchases', 'lastMonthNFTSum'],
    ['Current month NFT purchases', 'currentMonthNFTSum'],
  ] as const) {
    const figure = (data[field] ?? Number.NaN).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    await expect(page.getByRole('main')).toContainText(new RegExp(`${label}\\s*${figure}`))
  }
  await expect(page.getByRole('table').locator('thead th').filter({ hasNotText: 'Details' })).toHaveText([
    'Name',
    'Email',
    'Join Date',
    'Deposits',
  ])
  const rows = page.getByRole('table').locator('tbody tr')
  await expect(rows).toHaveCount(3)
  // Newest first: Rafael joined after Chiara, Chiara after Bruno.
  for (const [index, text] of [
    /Rafael Costa.*rafael@example\.com.*600/,
    /Chiara Rossi.*chiara@example\.com.*900/,
    /Bruno Keller.*bruno@example\.com.*2,400/,
  ].entries()) {
    await expect(rows.nth(index)).toContainText(text)
  }
  // Other tests expect her to be an ordinary member.
  await setSpecial('amara', false)
})
