import { type BrowserContext, expect, type Page } from '@playwright/test'
import { complaints } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { accessibilityViolations, asStaff, registerMember, sidewaysScroll, signedIn } from './session.ts'
import type { Stack } from './stack.ts'

let stack: Stack
let context: BrowserContext
let page: Page
let found: string[]
test.beforeAll(async ({ browser, stack: shared }) => {
  stack = shared
  context = await signedIn(browser, stack.url, await registerMember(stack))
  page = await context.newPage()
  found = complaints(page)
})
test.afterAll(() => context.close())
test.describe.configure({ mode: 'serial' })

const TITLE = 'My deposit of Tuesday'
const file = async () => ({ name: 'screen.png', mimeType: 'image/png', buffer: await page.screenshot() })
const tooLarge = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(1_200_000, 1) }

test('[UI-NEWTICKET-01] [UI-NEWTICKET-02] [UI-NEWTICKET-03] [UI-NEWTICKET-04] [GN-29] opens a ticket with an image, and rejects a file above 1 MB', async () => {
  await page.goto(`${stack.url}/support`)
  await expect(page.getByText('Data Not Found')).toBeVisible()
  await page.getByRole('link', { name: 'Create Ticket', exact: true }).click()
  await expect(page).toHaveURL(/\/create-ticket$/)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Create Ticket' }).click()
  await expect(main.getByText('This field is required')).toHaveCount(3)
  await main.getByLabel('Ticket Title').fill(TITLE)
  await main.getByLabel('Description').fill('The amount has not arrived. This is what I see.')
  await main.locator('input[type=file]').setInputFiles(tooLarge)
  await expect(main.getByText('File size should be less than 1 MB')).toBeVisible()
  await main.locator('input[type=file]').setInputFiles(await file())
  await expect(main.getByText('File size should be less than 1 MB')).toBeHidden()
  await main.getByRole('button', { name: 'Create Ticket' }).click()
  await expect(page.getByText('Successfully ticket created')).toBeVisible()
  await expect(page).toHaveURL(/\/support$/)
  const row = page.getByRole('table').locator('tbody tr').first()
  await expect(row).toContainText(new RegExp(`${TITLE}.*The amount has not arrived.*OPEN`))
  const thumbnail = row.getByRole('img', { name: `Image of ${TITLE}` })
  await expect.poll(() => thumbnail.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))).toBeGreaterThan(0)
})

test('[RT-56] [UI-TICKETS-03] [UI-TICKET-01] [UI-TICKET-02] [UI-TICKET-03] shows the thread, the member left and support right, and accepts replies', async () => {
  await page.getByRole('table').getByRole('link', { name: TITLE, exact: true }).click()
  await expect(page).toHaveURL(/\/ticket\/show\/.+/)
  await expect(page).toHaveTitle('Ticket')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLE)
  await expect(page.getByRole('main').getByText('OPEN', { exact: true })).toBeVisible()
  const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  const support = await asStaff(stack.url, 'support')
  await support('POST', `/staff/tickets/${id}/reply`, { multipart: { message: 'It arrives today.' } })
  const reply = page.getByRole('region', { name: 'Reply' })
  await reply.getByRole('button', { name: 'Send' }).click()
  await expect(reply.getByText('This field is required')).toBeVisible()
  await reply.getByLabel('Message').fill('Thank you, here it is once more.')
  await reply.locator('input[type=file]').setInputFiles(tooLarge)
  await expect(reply.getByText('File size should be less than 1 MB')).toBeVisible()
  await reply.locator('input[type=file]').setInputFiles(await file())
  await reply.getByRole('button', { name: 'Send' }).click()
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await expect(messages).toHaveCount(3)
  for (const [index, text] of ['The amount has not arrived.', 'It arrives today.', 'Thank you, here it is once more.'].entries()) {
    await expect(messages.nth(index)).toContainText(text)
  }
  await expect(reply.getByLabel('Message')).toHaveValue('')
  // Each bubble's position: member at the left edge, support at the right.
  const edges = await messages.evaluateAll((items) =>
    items.map((item) => {
      const [line, bubble] = [item.getBoundingClientRect(), item.firstElementChild?.getBoundingClientRect()]
      return bubble === undefined
        ? ''
        : Math.abs(bubble.left - line.left) < 2
          ? 'left'
          : Math.abs(bubble.right - line.right) < 2
            ? 'right'
            : 'between'
    }),
  )
  expect(edges).toEqual(['left', 'right', 'left'])
  await expect(messages.nth(2).getByRole('img')).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => sidewaysScroll(page)).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('[ST-61] [ST-62] [ST-63] [UI-TICKET-06] [UI-TICKET-07] rejects replies after the ticket is closed', async () => {
  await page.getByRole('button', { name: 'Mark it close' }).click()
  await expect(page.getByText('Successfully closed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark it close' })).toHaveCount(0)
  await expect(page.getByRole('main').getByText('CLOSED', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  const token = await page.evaluate(() => localStorage.getItem('tizaraUserToken') ?? '')
  const refused = await page.request.post(`${stack.url}/api/v1/ticket/create-replay`, {
    headers: { authorization: token },
    multipart: { message: 'one more', ticketId: id },
  })
  expect(refused.status()).toBe(400)
  expect(await refused.json()).toMatchObject({ message: 'This ticket is closed' })
  await page.goto(`${stack.url}/support`)
  await expect(page.getByRole('table').locator('tbody tr').first()).toContainText('CLOSED')
})

test('hides the ticket from other members', async ({ browser }) => {
  const path = (await page.getByRole('table').getByRole('link', { name: TITLE, exact: true }).getAttribute('href')) ?? ''
  const other = await signedIn(browser, stack.url, 'felix')
  const stranger = await other.newPage()
  await stranger.goto(stack.url + path)
  await expect(stranger.getByText('Ticket not found.')).toBeVisible()
  await expect(stranger.getByText(TITLE)).toHaveCount(0)
  await other.close()
})

test('leaves no errors in the browser console', () => {
  expect(found).toEqual([])
})
