/**
 * `npm run pictures`: takes the pictures of the README anew. It starts the built product on a demo house of its own, signs the
 * demo leader in and photographs the dashboard in both themes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { startStack } from '../e2e/stack.ts'
import { browserArgs, findBrowser } from '../test/browser.ts'
import { DEMO_PASSWORD } from '../apps/server/src/main/demo/cast.ts'

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url))

mkdirSync(folder, { recursive: true })
const stack = await startStack('embedded', 'fresh')
const browser = await chromium.launch({ executablePath: await findBrowser(), args: browserArgs })
try {
  const answer = await fetch(`${stack.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'amara@example.com', password: DEMO_PASSWORD }),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  for (const theme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce', locale: 'en-GB' })
    await context.addInitScript(
      ([token, wanted]) => {
        for (const key of ['tizaraUserToken', 'accessToken']) localStorage.setItem(key, token ?? '')
        localStorage.setItem('userStatus', 'true')
        localStorage.setItem('color-theme', wanted ?? '')
      },
      [data.token, theme],
    )
    const page = await context.newPage()
    await page.goto(`${stack.url}/dashboard`)
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
    const devtools = await context.newCDPSession(page)
    const { data: picture } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 82 })
    writeFileSync(`${folder}dashboard-${theme}.webp`, Buffer.from(picture, 'base64'))
    await context.close()
  }
} finally {
  await browser.close()
  await stack.stop()
}
