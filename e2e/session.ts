import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, request } from '@playwright/test'
import type { Stack } from './stack.ts'

/** Password of every demo account, and of every member that a test registers. */
export const PASSWORD = 'Play-money-2026'

const addressOf = (name: string): string => (name.includes('@') ? name : `${name}@example.com`)

/**
 * Registers a member through the API, for a test that changes what other tests must not see.
 * @param options `isVerified: false` leaves out the confirmation by mail
 * @returns the member's address, for {@link signedIn}
 */
export async function registerMember(stack: Stack, { isVerified = true } = {}): Promise<string> {
  const email = `member.${randomUUID().slice(0, 8)}@gmail.com`
  const caller = await request.newContext()
  const post = async (path: string, data: object, token = ''): Promise<string> => {
    const reply = await caller.post(`${stack.url}/api/v1/limit/auth/${path}`, { headers: { authorization: token }, data })
    if (!reply.ok()) throw new Error(`${path}: ${reply.status()} ${await reply.text()}`)
    return ((await reply.json()) as { data: { token: string } }).data.token
  }
  const token = await post('register', { name: 'Newcomer Nell', email, phone: '+12025550143', password: PASSWORD })
  if (isVerified) {
    const code = /\b\d{6}\b/.exec(await stack.mailed(email, /: confirm your registration$/))?.[0] ?? ''
    await post('verify-token', { token: code }, token)
  }
  await caller.dispose()
  return email
}

/**
 * Opens a browser context that holds a member's session, signed in through the API and not through the screen.
 * @param name first part of a demo account's address such as `amara`, or a whole address
 * @param options further settings of the browser's context; `stored` are further keys of its storage
 */
export async function signedIn(
  browser: Browser,
  url: string,
  name: string,
  { stored = {}, ...options }: BrowserContextOptions & { stored?: Readonly<Record<string, string>> } = {},
): Promise<BrowserContext> {
  const caller = await request.newContext()
  const reply = await caller.post(`${url}/api/v1/auth/login`, { data: { email: addressOf(name), password: PASSWORD } })
  const { data } = (await reply.json()) as { data: { token: string } }
  const { cookies } = await caller.storageState()
  await caller.dispose()
  const localStorage = Object.entries({ tizaraUserToken: data.token, accessToken: data.token, userStatus: 'true', ...stored })
  const origins = [{ origin: url, localStorage: localStorage.map(([key, value]) => ({ name: key, value })) }]
  return browser.newContext({ ...options, storageState: { cookies, origins } })
}

/**
 * Somebody of the staff who came in through the sign-in of staff; the stack has to run with STAFF_SECOND_FACTOR=off.
 * @param name first part of the address, `admin` for one
 */
export async function enteredAsStaff(browser: Browser, url: string, name: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.goto(`${url}/auth-admin`)
  await page.getByLabel('Email').fill(`${name}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(/\/staff/)
  return page
}

/** A call of staff, with the session of one of them. */
export type StaffCall = (
  method: 'GET' | 'POST',
  path: string,
  input?: { data?: object; multipart?: Record<string, string> },
) => Promise<unknown>

/**
 * Lets somebody of the staff make calls; the stack has to run with STAFF_SECOND_FACTOR=off.
 * @param name first part of the address, `admin` for one
 */
export async function asStaff(url: string, name: string): Promise<StaffCall> {
  const caller = await request.newContext()
  const reply = await caller.post(`${url}/api/v1/auth/user-login`, { data: { email: `${name}@example.com`, password: PASSWORD } })
  const { data } = (await reply.json()) as { data: { token: string } }
  return async (method, path, input) => {
    const answer = await caller.fetch(`${url}/api/v1${path}`, { method, headers: { authorization: data.token }, ...input })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
    return ((await answer.json()) as { data: unknown }).data
  }
}

/** Lets another admin approve the only proposal that waits. */
export async function approveWaiting(url: string): Promise<void> {
  const checker = await asStaff(url, 'checker')
  const { data } = (await checker('GET', '/staff/changes')) as { data: { id: string; status: string }[] }
  const waiting = data.filter((one) => one.status === 'PENDING')
  if (waiting.length !== 1) throw new Error(`${waiting.length} proposals wait`)
  await checker('POST', `/staff/changes/${waiting[0]?.id}/approve`, { data: {} })
}

/** The id of a member of the demo cast, as staff find it. */
export async function memberId(staff: StaffCall, name: string): Promise<string> {
  const found = (await staff('GET', `/staff/members?q=${name}@example.com`)) as { data: { id: string }[] }
  const [member] = found.data
  if (member === undefined) throw new Error(`staff find no ${name}`)
  return member.id
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe has to say about the page: one line for each kind of fault, with the first places. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  // Colours are on their way for a moment after a change of theme; what counts is where they end.
  await page.evaluate(async () => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets = [still]
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
  })
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => node.target.join(' '))
          .join(' | ')} (${nodes.length})`,
    )
  })
}

/** By how many pixels the page scrolls sideways; 0 when it fits. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

declare global {
  interface Window {
    axe: { run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> }
  }
}
