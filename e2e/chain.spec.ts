import { type Browser, expect, type Page, test } from '@playwright/test'
import { complaints } from './browser-helpers.ts'
import { accessibilityViolations, asStaff, PASSWORD, sidewaysScroll, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

const ELSEWHERE = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'.toLowerCase()

/** Runs only with `npm test -- --all`. */
const extended = { tag: '@extended' }

let stack: Stack
test.beforeAll(async () => {
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
})
test.afterAll(({ browser }) => stack.stop(browser))

async function open(browser: Browser, name: string, viewport: { width: number; height: number }) {
  const page = await (await signedIn(browser, stack.url, name, { viewport })).newPage()
  return { page, found: complaints(page) }
}

async function sound(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((dark) => document.body.classList.toggle('dark', dark), theme === 'dark')
    // Waits for colour transitions and dialogs.
    await expect.poll(() => accessibilityViolations(page), { message: theme }).toEqual([])
  }
  expect(await sidewaysScroll(page)).toBe(0)
}

const LINK = 'a[href*="/sandbox/chain/tx/0x"]'

/** Opens the newest row's receipt and waits until it has loaded. */
async function details(page: Page): Promise<void> {
  await page.getByRole('table').locator('tbody tr').first().getByRole('button').last().click()
  await expect(page.getByRole('dialog')).toContainText('Rule')
}

/** Reloads until the newest row's receipt shows its transaction. */
const hashShown = (page: Page) =>
  expect
    .poll(
      async () => {
        await page.reload()
        await details(page)
        return page.getByRole('dialog').locator(LINK).count()
      },
      { intervals: [3_000] },
    )
    .toBeGreaterThan(0)

/** Opens the row's transaction in the explorer and returns its text. */
async function onTheChain(page: Page): Promise<string> {
  await details(page)
  const link = page.getByRole('dialog').locator(LINK).first()
  const href = await link.getAttribute('href')
  const other = await page.context().newPage()
  await other.goto(href ?? '')
  const text = (await other.getByRole('main').textContent()) ?? ''
  await other.close()
  return text
}

for (const { name, viewport } of [
  { name: 'amara', viewport: { width: 390, height: 844 } },
  { name: 'bruno', viewport: { width: 1440, height: 900 } },
]) {
  test(
    `[MF-01] [MF-02] [MF-03] [MF-04] credits an invoice and sends a payout on a real chain at ${viewport.width} px`,
    extended,
    async ({ browser }) => {
      test.setTimeout(400_000)
      const { page, found } = await open(browser, name, viewport)
      const staff = await asStaff(stack.url, 'admin')

      // Two on-chain payments arrive in coin.
      await page.goto(`${stack.url}/dashboard?open=payment`)
      await page.getByRole('dialog').getByLabel('Amount').fill('40')
      await page.getByRole('dialog').getByRole('button', { name: 'Deposit', exact: true }).click()
      await expect(page).toHaveURL(/\/invoice\?id=./)
      const sandboxReply = page.waitForResponse((reply) => reply.url().includes('/sandbox/invoices/'))
      await sound(page)
      await page.getByRole('button', { name: 'Two payments' }).click()
      expect((await sandboxReply).ok()).toBe(true)
      // The page asks every 15 s, and may meet the payment only when all its confirmations are there.
      const arrived = page.getByText('The payment has arrived').or(page.getByRole('heading', { name: 'Payment Success' }))
      await expect(arrived).toBeVisible()
      await expect(page).toHaveURL(/\/pay\/success$/)

      // A USD deposit arrives at its own address.
      await page.goto(`${stack.url}/dashboard?open=deposit`)
      await page.getByRole('dialog').getByLabel('Amount').fill('25')
      await page.getByRole('dialog').getByRole('radio', { name: 'From your own wallet' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Deposit', exact: true }).click()
      await expect(page).toHaveURL(/\/invoice\?id=./)
      await page.getByRole('button', { name: 'Exact amount' }).click()
      await expect(page).toHaveURL(/\/pay\/success$/)
      await page.goto(`${stack.url}/deposit-wallet-history`)
      const dollars = await onTheChain(page)
      for (const part of ['succeeded', 'Transfer of USDT']) expect(dollars).toContain(part)

      // A withdrawal and a bridge are sent on-chain.
      const asking = async (kind: 'withdrawals' | 'bridges', amount: number) => {
        const waits = async () => {
          const { data } = (await staff('GET', `/staff/queues/${kind}?status=PENDING&limit=100`)) as {
            data: { id: string; amount: number; member: { email: string } }[]
          }
          return data.find((item) => item.member.email === `${name}@example.com` && item.amount === amount)?.id
        }
        await expect.poll(waits).toBeDefined()
        await staff('POST', `/staff/queues/${kind}/${await waits()}/approve`, { data: { reason: 'checked' } })
      }
      await page.goto(`${stack.url}/dashboard?open=withdraw`)
      const form = page.getByRole('dialog')
      await form.getByLabel('Amount').fill('31')
      await form.getByLabel('Wallet Address (Bep 20)').fill(ELSEWHERE)
      await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await form.getByRole('button', { name: 'Withdraw', exact: true }).click()
      await asking('withdrawals', 31)
      await page.goto(`${stack.url}/history/usd-transfer-history`)
      await hashShown(page)
      await sound(page)
      await page.keyboard.press('Escape')
      const text = await onTheChain(page)
      for (const part of ['succeeded', 'Transfer of USDT', ELSEWHERE]) expect(text).toContain(part)

      // Bridged coin is sent too.
      await page.goto(`${stack.url}/dashboard?open=bridge`)
      await form.getByLabel('Address').fill(ELSEWHERE)
      await form.getByLabel('Amount').fill('500')
      await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await form.getByRole('button', { name: 'Bridge', exact: true }).click()
      await page.getByRole('alertdialog', { name: 'Bridge', exact: true }).getByRole('button', { name: 'Yes' }).click()
      await asking('bridges', 500)
      await page.goto(`${stack.url}/history/withdraw-history`)
      await hashShown(page)
      await page.keyboard.press('Escape')
      const coins = await onTheChain(page)
      for (const part of ['succeeded', ELSEWHERE]) expect(coins).toContain(part)

      // The worker publishes the digest of the day within seconds. The page checks the signed reserves.
      await expect(async () => {
        const history = await fetch(`${stack.url}/api/v1/trust/history`)
        expect(await history.text()).toContain('"onChain":{')
      }).toPass()
      await page.goto(`${stack.url}/trust`)
      await expect(page.getByRole('region', { name: 'What is on the chain' })).toBeVisible()
      await expect(page.getByText(/This device has checked the signature/)).toBeVisible()
      await expect(page.getByLabel(/Transaction in block \d+ of chain 31337/)).toBeVisible()
      await sound(page)
      expect(found).toEqual([])
    },
  )
}
