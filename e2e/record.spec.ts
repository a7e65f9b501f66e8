import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { accessibilityFaults, enteredAsStaff } from './session.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
let ada: Page
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  ada = await enteredAsStaff(browser, stack.url, 'admin')
})
test.afterAll(({ browser }) => stack.stop(browser))
test.describe.configure({ mode: 'serial' })

/** Looks at the view as it stands, in both themes. */
async function isSound(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((dark) => document.body.classList.toggle('dark', dark), theme === 'dark')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath(`${name}-${theme}.png`) })
  }
}

test('leads from a wallet to the transfer and to what came from outside, and back', async () => {
  await ada.getByRole('link', { name: 'Ledger', exact: true }).click()
  await ada.getByRole('button', { name: /^SYS-SALES .*USD/ }).click()
  await ada
    .getByRole('button', { name: /^Coin purchase/ })
    .first()
    .click()
  await expect(ada).toHaveURL(/\/staff\/ledger\/-6100\/\d+$/)
  const pane = ada.getByRole('complementary', { name: 'Transfer' })
  await expect(pane.getByText('Why it happened')).toBeVisible()
  await expect(pane.getByText('Transfers of the same cause')).toBeVisible()
  await isSound(ada, 'ledger')
  await pane.getByRole('button', { name: /Deposit Wallet/ }).click()
  await expect(ada.getByRole('heading', { name: 'Deposit Wallet' })).toBeVisible()
  await ada.getByLabel('Kind').selectOption({ label: 'Coin purchase' })
  await expect(ada).toHaveURL(/kind=buyToken/)
  await expect(ada.getByRole('button', { name: /^Coin purchase/ }).first()).toBeVisible()
})

test('[I17] checks the chain of the log, and takes the log along as a file', async () => {
  await ada.getByRole('link', { name: 'Audit log', exact: true }).click()
  await ada.getByRole('button', { name: 'Check now' }).click()
  await expect(ada.getByText('The chain is unbroken')).toBeVisible({ timeout: 30_000 })
  await expect(ada.getByText(/row \d+, matches/)).toBeVisible({ timeout: 30_000 })
  await ada.getByRole('button', { name: 'audit.check' }).first().click()
  await isSound(ada, 'audit')
  await ada.getByRole('button', { name: 'Export' }).click()
  const download = ada.waitForEvent('download')
  await ada.getByRole('button', { name: 'Download audit.csv' }).click({ timeout: 30_000 })
  const file = await (await download).path()
  expect(readFileSync(file, 'utf8')).toContain('Previous hash')
})
