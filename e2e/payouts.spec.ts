import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { acknowledge, complaints } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { accessibilityViolations, asStaff, PASSWORD, signedIn, sidewaysScroll } from './session.ts'
import type { Stack } from './stack.ts'

const NEW = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'.toLowerCase()

let stack: Stack
test.beforeAll(({ stack: shared }) => {
  stack = shared
})

/** Checks a page in both themes. */
async function sound(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((dark) => document.body.classList.toggle('dark', dark), theme === 'dark')
    expect(await accessibilityViolations(page), theme).toEqual([])
  }
  expect(await sidewaysScroll(page)).toBe(0)
}

async function withdraw(page: Page, usd: string, proof: string): Promise<Locator> {
  await page.goto(`${stack.url}/dashboard?open=withdraw`)
  const form = page.getByRole('dialog')
  await form.getByLabel('Amount').fill(usd)
  await form.getByLabel('Wallet Address (Bep 20)').fill(NEW)
  await form.getByLabel('Password', { exact: true }).fill(proof)
  await form.getByRole('button', { name: 'Withdraw', exact: true }).click()
  return form
}

const CONFIRM = /: please confirm a withdrawal$/

/** Returns a payout email's confirmation link. */
async function mailedLink(address: string, usd: string): Promise<string> {
  const link = async () => {
    const mail = (await stack.mailsTo(address, CONFIRM)).find(({ text = '' }) => new RegExp(`of ${usd}(?:\\.00)? USD to `).test(text))
    return /https?:\/\/\S+\/payout#\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  }
  await expect.poll(link).not.toBe('')
  return link()
}

const rows = (page: Page) => page.getByRole('table').locator('tbody tr')
const waiting = (page: Page) => page.getByRole('button', { name: 'Confirm withdrawal' })

for (const { name, viewport, tag } of [
  { name: 'bruno', viewport: { width: 390, height: 844 }, tag: [] },
  { name: 'chiara', viewport: { width: 1440, height: 900 }, tag: '@extended' },
]) {
  test(
    `[LS-35] holds a payout until the member confirms it, enters a code or stops it, at ${viewport.width} px`,
    { tag },
    async ({ browser }) => {
      const email = `${name}@example.com`
      const context: BrowserContext = await signedIn(browser, stack.url, name, { viewport })
      const page = await context.newPage()
      const found = complaints(page)
      const staff = await asStaff(stack.url, 'admin')
      const inQueue = async (usd: number) => {
        const { data } = (await staff('GET', '/staff/queues/withdrawals?status=PENDING&limit=100')) as {
          data: { id: string; amount: number; member: { email: string } }[]
        }
        return data.filter((item) => item.member.email === email && item.amount === usd)
      }

      // Without proof, the server emails a link and hides the request from staff.
      await withdraw(page, '21', '')
      await acknowledge(page, 'One step left: confirm with the link in your mail')
      const link = await mailedLink(email, '21')
      expect(await inQueue(21)).toEqual([])
      await page.goto(`${stack.url}/history/usd-transfer-history`)
      await expect(waiting(page)).toHaveCount(1)
      await waiting(page).click()
      await expect(page.getByRole('dialog', { name: 'Confirm this payout' })).toBeVisible()
      await sound(page)
      await page.keyboard.press('Escape')

      // The link opens without a session elsewhere; viewing it changes nothing.
      const elsewhere = await browser.newContext({ viewport })
      const outside = await elsewhere.newPage()
      const messages = complaints(outside)
      await outside.goto(link)
      await expect(outside.getByRole('button', { name: 'Confirm payout' })).toBeVisible()
      await sound(outside)
      expect(outside.url()).toBe(`${stack.url}/payout`)
      expect(await inQueue(21)).toEqual([])
      await outside.getByRole('button', { name: 'Confirm payout' }).click()
      await expect(outside.getByText('This is confirmed.')).toBeVisible()
      const [item] = await inQueue(21)
      await staff('POST', `/staff/queues/withdrawals/${item?.id}/approve`, { data: { reason: 'checked' } })
      await page.reload()
      await expect(rows(page).first()).toContainText('APPROVE')

      // The form reports a wrong password; with the right one, staff see the payout at once.
      const form = await withdraw(page, '22', 'wrong-guess')
      await expect(form.getByText('The current password is not right')).toBeVisible()
      await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await form.getByRole('button', { name: 'Withdraw', exact: true }).click()
      await acknowledge(page, 'Withdraw request success')
      expect(await inQueue(22)).toHaveLength(1)

      // The owner cancels a payout in the history.
      await withdraw(page, '23', '')
      await acknowledge(page, 'One step left: confirm with the link in your mail')
      await page.goto(`${stack.url}/history/usd-transfer-history`)
      await waiting(page).click()
      await page.getByRole('button', { name: 'Cancel payout' }).click()
      await expect(waiting(page)).toHaveCount(0)
      await expect(rows(page).first()).toContainText('REJECT')

      // The profile shows the address book with a new address's delay.
      await page.goto(`${stack.url}/profile`)
      await page.getByRole('button', { name: 'Add address' }).click()
      const book = page.getByRole('dialog', { name: 'Add a payout address' })
      await book.getByLabel('Name').fill('New wallet')
      await book.getByLabel('Address', { exact: true }).fill(NEW)
      await book.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await book.getByRole('button', { name: 'Add address' }).click()
      await expect(page.getByText('Without a confirmation from')).toBeVisible()
      await sound(page)

      // A fraudulent request: one click stops all payouts and ends the sessions.
      await withdraw(page, '24', '')
      await acknowledge(page, 'One step left: confirm with the link in your mail')
      await outside.goto('about:blank')
      await outside.goto(await mailedLink(email, '24'))
      await outside.getByRole('button', { name: 'This was not me: stop payouts' }).click()
      await expect(outside.getByText('All payouts of this account are stopped')).toBeVisible()
      await sound(outside)
      await expect.poll(() => inQueue(22)).toEqual([])
      await page.goto(`${stack.url}/profile`)
      await expect(page).toHaveURL(`${stack.url}/`)
      expect(found.filter((text) => !/status of 40[01]/.test(text))).toEqual([])
      expect(messages).toEqual([])
      await elsewhere.close()
      await context.close()
    },
  )
}
