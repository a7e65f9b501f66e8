import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { enteredAsStaff } from './session.ts'

let ada: Page
test.beforeAll(async ({ browser, stack }) => {
  ada = await enteredAsStaff(browser, stack.url, 'admin')
})
test.afterAll(() => ada.context().close())
test.describe.configure({ mode: 'serial' })

test('links a wallet to its transfer and to the external payment, and back', async () => {
  await ada.getByRole('link', { name: 'Ledger', exact: true }).click()
  await ada.getByRole('button', { name: /^SYS-SALES .*USD/ }).click()
  await ada
    .getByRole('button', { name: /^Coin purchase/ })
    .first()
    .click()
  await expect(ada).toHaveURL(/\/staff\/ledger\/-6100\/\d+$/)
  const pane = ada.getByRole('complementary', { name: 'Transfer' })
  await expect(pane.getByRole('heading', { name: 'Cause', exact: true })).toBeVisible()
  await expect(pane.getByText('Transfers of the same cause')).toBeVisible()
  await pane.getByRole('button', { name: /Deposit Wallet/ }).click()
  await expect(ada.getByRole('heading', { name: 'Deposit Wallet' })).toBeVisible()
  await ada.getByLabel('Kind').selectOption({ label: 'Coin purchase' })
  await expect(ada).toHaveURL(/kind=buyToken/)
  await expect(ada.getByRole('button', { name: /^Coin purchase/ }).first()).toBeVisible()
})

test('[I17] verifies the hash chain of the audit log, and downloads the log', async () => {
  await ada.getByRole('link', { name: 'Audit log', exact: true }).click()
  await ada.getByRole('button', { name: 'Check now' }).click()
  await expect(ada.getByText('The chain is unbroken')).toBeVisible()
  await expect(ada.getByText(/row \d+, matches/)).toBeVisible()
  await ada.getByRole('button', { name: 'Checked the hash chain' }).first().click()
  await ada.getByRole('button', { name: 'Export' }).click()
  const download = ada.waitForEvent('download')
  await ada.getByRole('button', { name: 'Download audit.csv' }).click()
  const file = await (await download).path()
  expect(readFileSync(file, 'utf8')).toContain('Previous hash')
})
