import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { complaints } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import type { Stack } from './stack.ts'
import { WAIT_MS } from './wait-limit.ts'
import { entryFile } from '../apps/server/src/cli/command-line.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = (name: string, env: Record<string, string>, args: string[] = []) =>
  spawnSync(process.execPath, [entryFile(name), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: WAIT_MS,
  })

let stack: Stack
test.beforeAll(({ stack: shared }) => {
  stack = shared
})

test('exits with a message when another server uses the data folder', () => {
  const second = run('serve', { DATA_DIR: stack.dataDir, PORT: '0', NODE_ENV: 'development' })
  expect(second.status).toBe(1)
  expect(second.stderr).toContain('is in use by process')
})

test('runs commands while the server runs', () => {
  const audit = stack.command('ledger-audit')
  expect(audit.status, audit.output).toBe(0)
  expect(audit.output).toMatch(/All \d+ checks hold/)
  expect(stack.command('worker', ['--once']).status).toBe(0)
})

test('answers health, metrics and the API page, unknown pages with the app, and unknown calls with an error', async ({ request }) => {
  for (const route of ['/health/live', '/health/ready', '/metrics', '/api/docs', '/api/openapi.json']) {
    expect((await request.get(`${stack.url}${route}`)).status(), route).toBe(200)
  }
  const page = await request.get(`${stack.url}/no/such/page`)
  expect(page.headers()['content-type']).toContain('text/html')
  expect(page.headers()['content-security-policy']).toContain("script-src 'self'")
  expect(page.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'")
  const call = await request.get(`${stack.url}/api/v1/no-such-call`)
  expect(call.status()).toBe(404)
  expect(await call.json()).toEqual({
    statusCode: 404,
    message: 'Not found',
    errorMessages: [{ path: '', message: 'Not found' }],
    success: false,
  })
})

test('sends calls from the API page as a demo account under a strict content security policy', async ({ page }) => {
  const problems = complaints(page)
  await page.goto(`${stack.url}/api/docs`)
  await page.getByRole('button', { name: 'Sign in to try the calls' }).click()
  await expect(page.locator('#session output')).toHaveText('200 Login successfull')
  const call = page.locator('#userWallet')
  await call.locator('summary').click()
  await call.getByRole('button', { name: 'Send' }).click()
  await expect(call.locator('form output')).toContainText('"depositWallet"')
  expect(problems).toEqual([])
})

test('refuses to start in production without secrets, with sandbox payments or with demo accounts', () => {
  const bare = run('serve', { NODE_ENV: 'production', DATA_DIR: stack.dataDir })
  expect(bare.status).toBe(2)
  for (const name of [
    'TOKEN_SECRET',
    'DATA_KEY',
    'PAYMENT_PROVIDER_SECRET',
    'PAYMENT_PROVIDER_KEY',
    'PAYMENT_INVOICE_HOSTS',
    'DATABASE_URL',
    'SMTP_URL',
    'MAIL_FROM',
    'PAYMENT_PROVIDER_URL',
    'PUBLIC_URL',
  ]) {
    expect(bare.stderr).toContain(name)
  }
  const full = {
    NODE_ENV: 'production',
    TOKEN_SECRET: 'x'.repeat(40),
    DATA_KEY: 'w'.repeat(40),
    PAYMENT_PROVIDER_SECRET: 'y'.repeat(40),
    PAYMENT_PROVIDER_KEY: 'z'.repeat(40),
    PAYMENT_INVOICE_HOSTS: 'pay.example',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'platform@platform.example',
    PAYMENT_PROVIDER_URL: 'https://pay.example',
    PUBLIC_URL: 'https://platform.example',
  }
  expect(run('serve', { ...full, SANDBOX: 'on' }).stderr).toContain('SANDBOX')
  expect(run('seed', full).status).toBe(2)
  expect(run('sandbox', full).status).toBe(2)
})

test('names a setting with an invalid value', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'faulty-'))
  const result = run('serve', { PORT: 'eighty', DATA_DIR: folder, NODE_ENV: 'development' })
  expect(result.status).toBe(2)
  expect(result.stderr).toContain('PORT: must be a port number')
  rmSync(folder, { recursive: true, force: true })
})
