import { type BrowserContext, test as base } from '@playwright/test'
import { signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

type SessionOptions = Parameters<typeof signedIn>[3]

interface PerTest {
  /** Opens a browser context with a member's session, closed after the test. */
  memberContext: (name: string, options?: SessionOptions) => Promise<BrowserContext>
}

interface PerWorker {
  /**
   * Product on the embedded database with demo accounts and no second factor for staff. All spec files in a worker share it, so tests
   * move no clock and edit no shared account.
   */
  stack: Stack
}

/** Test with its worker's product. */
export const test = base.extend<PerTest, PerWorker>({
  memberContext: async ({ browser, stack }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (name, options) => {
      const context = await signedIn(browser, stack.url, name, options)
      contexts.push(context)
      return context
    })
    await Promise.all(contexts.map((context) => context.close()))
  },
  stack: [
    async ({ browser }, use) => {
      const stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
      await use(stack)
      await stack.stop(browser)
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})
