import { Client } from 'pg'
import { expect, type Page, test } from '@playwright/test'
import { asStaff, enteredAsStaff, memberId } from './session.ts'
import { open } from './staff-desk.ts'
import { type Stack, startStack } from './stack.ts'

/** Runs only with `npm test -- --all`. */
const extended = { tag: '@extended' }

let stack: Stack
let ada: Page
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  ada = await enteredAsStaff(browser, stack.url, 'admin')
})
test.afterAll(({ browser }) => stack.stop(browser))

/** Reverses text, breaks lines, and contains an image with a script. */
const EVIL = 'Ann\u202Egnp.exe\u0007\u2028\u200F<img src=x onerror="window.ran=1">'
/** Characters that reverse, hide or break text. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

test('renders texts of members as plain text on every page of the console', extended, async () => {
  const client = new Client({ host: stack.dataDir, user: 'postgres' })
  await client.connect()
  await client.query('update member set name = $1 where email = $2', [EVIL, 'amara@example.com'])
  await client.query('update ticket set title = $1, description = $1', [EVIL])
  await client.query('update ticket_message set message = $1', [EVIL])
  await client.end()
  const admin = await asStaff(stack.url, 'admin')
  const member = `members/${await memberId(admin, 'amara')}`
  const { data: tickets } = (await admin('GET', '/staff/tickets')) as { data: { id: string }[] }
  const { data: payouts } = (await admin('GET', '/staff/queues/payouts')) as { data: { id: string }[] }
  const tabs = ['timeline', 'ledger', 'purchases', 'rewards', 'team', 'sessions', 'tickets', 'notes'].map((tab) => `${member}/${tab}`)
  const views = [
    '',
    'payouts',
    'tickets',
    'changes?for=all',
    'members',
    'linked-accounts',
    'rewards',
    'ledger',
    'audit',
    'catalogue',
    'health',
    'hot-wallet',
    'payout-rules',
    'api-keys',
    'webhooks',
    'roles',
  ]
  const items = [`tickets/${tickets[0]?.id}`, `payouts/${payouts[0]?.id}`]
  for (const path of [...views, ...tabs, ...items]) {
    await open(ada, path)
    await expect(ada.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(ada.getByRole('heading').first()).toBeVisible()
    const said = await ada.evaluate(() => [
      document.body.innerText,
      document.title,
      ...[...document.querySelectorAll('[title], [aria-label], [placeholder]')].flatMap((one) =>
        ['title', 'aria-label', 'placeholder'].map((name) => one.getAttribute(name) ?? ''),
      ),
    ])
    expect([path, said.filter((text) => UNSEEN.test(text))]).toEqual([path, []])
    expect([path, await ada.evaluate(() => 'ran' in window)]).toEqual([path, false])
  }
})
