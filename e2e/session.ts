import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, request } from '@playwright/test'
import type { Stack } from './stack.ts'

/** Password for demo accounts and for members registered by tests. */
export const PASSWORD = 'Play-money-2026'

const addressOf = (name: string): string => (name.includes('@') ? name : `${name}@example.com`)

/**
 * Registers a member through the API, to isolate a test's changes.
 * @param options `isVerified: false` skips the email confirmation
 * @returns the member's email, for {@link signedIn}
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
 * Opens a browser context with a member's session from the API.
 * @param name a demo account's email or its first part, such as `amara`
 * @param options further context settings; `stored` adds storage keys
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
 * Opens a staff session by the staff sign-in; requires STAFF_SECOND_FACTOR=off.
 * @param name the email's first part, for example `admin`
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

/** Sends a call with a staff session. */
export type StaffCall = (
  method: 'GET' | 'POST',
  path: string,
  input?: { data?: object; multipart?: Record<string, string> },
) => Promise<unknown>

/**
 * Returns a caller with a staff session; requires STAFF_SECOND_FACTOR=off.
 * @param name the email's first part, for example `admin`
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

/** Approves the only open proposal as another admin. */
export async function approveWaiting(url: string): Promise<void> {
  const checker = await asStaff(url, 'checker')
  const { data } = (await checker('GET', '/staff/changes')) as { data: { id: string; status: string }[] }
  const waiting = data.filter((one) => one.status === 'PENDING')
  if (waiting.length !== 1) throw new Error(`${waiting.length} proposals wait`)
  await checker('POST', `/staff/changes/${waiting[0]?.id}/approve`, { data: {} })
}

/** Returns a demo member's id from the staff search. */
export async function memberId(staff: StaffCall, name: string): Promise<string> {
  const found = (await staff('GET', `/staff/members?q=${name}@example.com`)) as { data: { id: string }[] }
  const [member] = found.data
  if (member === undefined) throw new Error(`staff find no ${name}`)
  return member.id
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the page's axe violations, one line per rule with the first elements. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  // Ends colour transitions after a theme switch, and waits until the page has reacted to its new size.
  await page.evaluate(async () => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets = [still]
    for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
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

/** Returns the page's horizontal overflow in pixels; 0 if none. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

/** Returns the words of headings, labels and buttons that break over two lines. An address has to break. */
export const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('h1, h2, h3, h4, button, dt, th, label, .font-semi')].flatMap((element) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const broken: string[] = []
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
          if (word.startsWith('0x')) continue
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
        }
      return broken
    }),
  )

declare global {
  interface Window {
    axe: { run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> }
  }
}
