import { expect, type Page, test } from '@playwright/test'
import { accessibilityViolations, enteredAsStaff, sidewaysScroll } from './session.ts'
import { type Stack, startStack } from './stack.ts'

/** Runs only with `npm test -- --all`. */
const extended = { tag: '@extended' }

let stack: Stack
let ada: Page
let otto: Page
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  ada = await enteredAsStaff(browser, stack.url, 'admin')
  otto = await enteredAsStaff(browser, stack.url, 'checker')
})
test.afterAll(({ browser }) => stack.stop(browser))
test.describe.configure({ mode: 'serial' })

const share = (page: Page) => page.getByRole('textbox', { name: 'Level reward, level 1, percent' })

test('simulates 30 past days when a share is changed by keyboard', extended, async () => {
  await ada.goto(`${stack.url}/staff/programme`)
  await share(ada).focus()
  await ada.keyboard.press('ControlOrMeta+A')
  await ada.keyboard.type('6')
  await expect(ada.getByText('1 figure changed')).toBeVisible()
  await expect(ada.getByRole('button', { name: 'Propose', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await ada.getByRole('button', { name: 'Run the simulation' }).focus()
  await ada.keyboard.press('Enter')
  await expect(ada.getByText('Would have come to').first()).toBeVisible({ timeout: 60_000 })
  await expect(ada.getByRole('link', { name: 'Dev Patel' })).toBeVisible()
  await expect(ada.getByText(/in 30 days with all earnings reinvested/)).toBeVisible()
  const file = ada.waitForEvent('download')
  await ada.getByRole('button', { name: /CSV$/ }).click()
  expect((await file).suggestedFilename()).toMatch(/^simulation-.*\.csv$/)
})

for (const theme of ['light', 'dark'] as const)
  test(`passes axe with a draft and its simulation in the ${theme} theme`, extended, async () => {
    await ada.evaluate((value) => localStorage.setItem('color-theme', value), theme)
    await ada.reload()
    await expect(ada.getByText('Would have come to').first()).toBeVisible()
    expect(await accessibilityViolations(ada)).toEqual([])
    expect(await sidewaysScroll(ada)).toBe(0)
  })

test('[I17] shows the approver the simulation, and takes effect when another person approves', extended, async () => {
  await ada.getByLabel('Reason').fill('More for the first level')
  await ada.getByRole('button', { name: 'Propose', exact: true }).click()
  await expect(ada.getByText('Another person has to approve this.')).toBeVisible()
  await otto.goto(ada.url())
  await expect(otto.getByText(/^Run .* ago by Ada Admin/)).toBeVisible()
  await expect(otto.getByText('Would have come to').first()).toBeVisible()
  expect(await accessibilityViolations(otto)).toEqual([])
  await otto.getByRole('button', { name: /^Approve, effective immediately/ }).click()
  await expect(otto.getByText('The change is now in effect')).toBeVisible()
})
