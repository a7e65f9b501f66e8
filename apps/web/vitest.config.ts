import { playwright } from '@vitest/browser-playwright'
import { defineProject, mergeConfig } from 'vitest/config'
import { browserArgs, findBrowser } from '../../test/browser.ts'
import viteConfig from './vite.config.ts'

/** Component and screen tests, in a real browser: dialogs, popovers and canvas are its own. Node tests are project `web-unit`. */
// Nothing stands behind the pages: every call is answered inside them.
const { server: _proxied, ...app } = viteConfig

export default mergeConfig(
  app,
  defineProject({
    // Every dependency is known before the first test: one found in mid-run would reload the page with a second React.
    optimizeDeps: {
      entries: ['src/**/*.tsx'],
      include: ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'vitest-browser-react'],
    },
    test: {
      name: 'web',
      include: ['src/**/*.browser.test.tsx'],
      // Two pages at once: by itself a machine of two cores gets one.
      maxWorkers: 2,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // A crowded machine can starve a page of its time; a real fault fails three times.
      retry: 2,
      expect: { requireAssertions: true, poll: { timeout: 10_000 } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        viewport: { width: 1280, height: 900 },
        provider: playwright({
          launchOptions: { executablePath: await findBrowser(), args: browserArgs },
          contextOptions: { reducedMotion: 'reduce' },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  }),
)
