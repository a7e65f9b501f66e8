import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { browserArgs, findBrowser } from '../test/browser.ts'
import { readExtent } from '../test/extent.ts'

const results = process.env['RESULTS_DIR']
/** Tests with this tag run only with `npm test -- --all`. */
const EXTENDED = /@extended/
const selection = { short: { grepInvert: EXTENDED }, added: { grep: EXTENDED }, all: {} }[readExtent()]

export default defineConfig({
  ...selection,
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: './seeded-database.ts',
  workers: 2,
  fullyParallel: false,
  timeout: 120_000,
  // The runner reports a test that passes on retry as flaky.
  retries: 1,
  expect: { timeout: 15_000 },
  outputDir: '../test-results',
  reporter: [['list'], ...(results === undefined ? [] : [['json', { outputFile: path.join(results, 'journeys.json') }] as const])],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    launchOptions: { executablePath: await findBrowser(), args: browserArgs },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
