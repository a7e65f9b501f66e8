import { playwright } from '@vitest/browser-playwright'
import { defineProject, mergeConfig } from 'vitest/config'
import { browserArgs, findBrowser } from '../../test/browser.ts'
import viteConfig from './vite.config.ts'

/** Component and screen tests in a real browser, for dialogs, popovers and canvas. Node tests are in project `web-unit`. */
// Tests have no server. Every call is answered in the page.
const { server: _proxied, ...app } = viteConfig

/** Time that a condition of the page may take on a busy machine, in ms. */
const WAIT_MS = 30_000

export default mergeConfig(
  app,
  defineProject({
    // Pre-bundles all dependencies. One found mid-run would reload the page with a second React.
    optimizeDeps: {
      entries: ['src/**/*.tsx'],
      include: ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'vitest-browser-react'],
    },
    test: {
      name: 'web',
      setupFiles: ['src/test/owner-stacks.ts', 'src/test/clean-up.ts'],
      restoreMocks: true,
      include: ['src/**/*.browser.test.tsx'],
      // Runs two pages at once. The default on two cores is one.
      maxWorkers: 2,
      testTimeout: 120_000,
      hookTimeout: 60_000,
      // As for the tests of the server: the run lists what passes only when repeated.
      retry: process.env['CI'] === undefined ? 0 : 1,
      expect: { requireAssertions: true, poll: { timeout: WAIT_MS } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        viewport: { width: 1280, height: 900 },
        provider: playwright({
          // Without this limit, an action or assertion that never succeeds waits until the time of its test is over.
          actionTimeout: WAIT_MS,
          launchOptions: { executablePath: await findBrowser(), args: browserArgs },
          contextOptions: { reducedMotion: 'reduce' },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  }),
)
