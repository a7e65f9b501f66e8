import { type Browser, expect, type Page, request, test } from '@playwright/test'
import { accessibilityViolations, PASSWORD, signedIn, sidewaysScroll } from './session.ts'
import { type Stack, startStack } from './stack.ts'

/** Runs only with `npm test -- --all`. */
const extended = { tag: '@extended' }

let stack: Stack
let ada: Page
let otto: Page
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  ada = await entered(browser, 'admin')
  otto = await entered(browser, 'checker')
})
test.afterAll(({ browser }) => stack.stop(browser))
test.describe.configure({ mode: 'serial' })

/** Opens a staff page with a session. */
async function entered(browser: Browser, name: string): Promise<Page> {
  const context = await signedIn(browser, stack.url, name, { viewport: { width: 1440, height: 900 } })
  return context.newPage()
}

interface Caller {
  get(path: string): Promise<{ data: Record<string, number>[] }>
  post(path: string, data: object): Promise<unknown>
}
/** Returns a caller with a member's session. */
async function asMember(name: string): Promise<Caller> {
  const caller = await request.newContext()
  const reply = await caller.post(`${stack.url}/api/v1/auth/user-login`, { data: { email: `${name}@example.com`, password: PASSWORD } })
  const { data } = (await reply.json()) as { data: { token: string } }
  const ask = async (method: 'GET' | 'POST', path: string, input?: object) => {
    const answer = await caller.fetch(`${stack.url}/api/v1${path}`, {
      method,
      headers: { authorization: data.token },
      ...(input === undefined ? {} : { data: input }),
    })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
    return ((await answer.json()) as { data: never }).data
  }
  return { get: (path) => ask('GET', path), post: (path, input) => ask('POST', path, input) }
}

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

test('[RW-02] [I17] pays new stakes by the proposed programme after another person approves it', extended, async () => {
  await ada.getByLabel('Reason').fill('More for the first level')
  await ada.getByRole('button', { name: 'Propose', exact: true }).click()
  await expect(ada.getByText('Another person has to approve this.')).toBeVisible()
  await otto.goto(ada.url())
  await expect(otto.getByText(/^Run .* ago by Ada Admin/)).toBeVisible()
  await expect(otto.getByText('Would have come to').first()).toBeVisible()
  expect(await accessibilityViolations(otto)).toEqual([])
  await otto.getByRole('button', { name: /^Approve, effective immediately/ }).click()
  await expect(otto.getByText('The change is now in effect')).toBeVisible()

  const [bruno, amara] = [await asMember('bruno'), await asMember('amara')]
  const held = async () => (await amara.get('/stack-bonus-history?limit=100')).data.length
  const before = await held()
  const plans = (await bruno.get('/stack-coin-settings?limit=100')).data as unknown as {
    id: string
    planName: string
    duration: number
    apy: number
    minimum: number
    omega?: boolean
  }[]
  const plan = plans.filter((one) => one.omega !== true).toSorted((a, b) => b.duration - a.duration)[0]
  if (plan === undefined) throw new Error('no plan')
  const stakeAmount = plan.minimum
  const dailyRoy = Math.floor(((stakeAmount / 100) * plan.apy * 1e8) / plan.duration) / 1e8
  await bruno.post('/stack-now', {
    dailyRoy,
    planName: plan.planName,
    duration: plan.duration,
    apy: plan.apy,
    stakeAmount,
    planId: plan.id,
    wallet: 'nativewallet',
  })
  await expect.poll(held).toBe(before + 1)
  const rows = (await amara.get('/stack-bonus-history?limit=100')).data
  expect(rows[0]?.['bonusAmount']).toBeCloseTo((stakeAmount * 0.06 * Math.min(plan.duration, 365)) / 365, 6)
})
