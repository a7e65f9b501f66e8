import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { browserArgs, findBrowser } from '../test/browser.ts'

const results = process.env['RESULTS_DIR']

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: './seeded-house.ts',
  workers: 2,
  fullyParallel: false,
  timeout: 120_000,
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
