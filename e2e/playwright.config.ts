import path from 'node:path'
import { defineConfig, type ReporterDescription } from '@playwright/test'
import { browserArgs, findBrowser } from '../test/browser.ts'
import { readExtent } from '../test/extent.ts'
import { WAIT_MS } from './wait-limit.ts'

/** Tests with this tag run only with `npm test -- --all`. */
const EXTENDED = /@extended/
const selection = { short: { grepInvert: EXTENDED }, added: { grep: EXTENDED }, all: {} }[readExtent()]

/** Specs that do not open the web app. After a change of the web app, `npm test` does not repeat them (programs.config.ts). */
export const PROGRAMS = ['crash', 'entry-points', 'generated-client', 'mails'].map((name) => `${name}.spec.ts`)

/** Reporters of a step; the JSON report is written if the step runs in `npm test`. */
export function reportersOf(step: string): ReporterDescription[] {
  const results = process.env['RESULTS_DIR']
  return [['list'], ...(results === undefined ? [] : [['json', { outputFile: path.join(results, `${step}.json`) }] as const])]
}

export default defineConfig({
  ...selection,
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: PROGRAMS,
  globalSetup: './seeded-database.ts',
  workers: 2,
  fullyParallel: false,
  // A test waits for several states.
  timeout: 3 * WAIT_MS,
  // The runner reports a test that passes on retry as flaky.
  retries: 1,
  expect: { timeout: WAIT_MS, toPass: { timeout: WAIT_MS } },
  outputDir: '../test-results',
  reporter: reportersOf('journeys'),
  use: {
    actionTimeout: WAIT_MS,
    navigationTimeout: WAIT_MS,
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    launchOptions: { executablePath: await findBrowser(), args: browserArgs },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
