/*
 * Looks at the built gallery: pictures in both themes and sizes, axe, sideways scrolling, errors on the console.
 * Build first: vite build --config apps/web/src/ui/gallery/vite.config.ts; then: node apps/web/src/ui/gallery/shoot.mjs
 */
import chromium from '@sparticuz/chromium'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { chromium as playwright } from 'playwright-core'

const dist = join(tmpdir(), 'ui-gallery')
const shots = join(tmpdir(), 'ui-shots')
const TYPE = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2', '.svg': 'image/svg+xml' }
const CSP = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; require-trusted-types-for 'script'"
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args })
const views = (process.argv[2] ?? 'page,dialog,drawer,message,confirm,menu,toast').split(',')
const sizes = [
  [390, 844],
  [1440, 900],
  [360, 740],
  [820, 1100],
]

for (const [width, height] of sizes) {
  for (const theme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width, height }, bypassCSP: false, reducedMotion: 'reduce' })
    await context.route('**/*', async (route) => {
      const path = new URL(route.request().url()).pathname
      const file = path === '/' ? '/index.html' : path
      const body = await readFile(join(dist, file)).catch(() => null)
      if (!body) return route.fulfill({ status: 404 })
      return route.fulfill({ body, contentType: TYPE[extname(file)] ?? 'text/plain', headers: { 'content-security-policy': CSP } })
    })
    for (const view of views) {
      if (width !== 390 && width !== 1440 && view !== 'page') continue
      const page = await context.newPage()
      page.on('console', (line) => ['error', 'warning'].includes(line.type()) && console.log(view, theme, width, line.text()))
      page.on('pageerror', (error) => console.log(view, theme, width, error.message))
      await page.goto(`http://gallery.test/?${theme}#${view}`)
      await page.evaluate(() => document.fonts.ready)
      if (view === 'message' || view === 'confirm') await page.click(`#open-${view}`)
      if (view === 'menu') await page.getByRole('button', { name: 'Account' }).click()
      await page.waitForTimeout(250)
      await page.screenshot({ path: join(shots, `${view}-${theme}-${width}.png`), fullPage: view === 'page' })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      if (wide > 0) console.log(`${view} ${theme} ${width}: scrolls sideways by ${wide}px`)
      if (width === 390 || width === 1440) {
        // Through the protocol, which the page's policy does not govern.
        const session = await context.newCDPSession(page)
        await session.send('Runtime.evaluate', { expression: axe })
        const found = await session.send('Runtime.evaluate', {
          expression:
            'axe.run().then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes.slice(0, 4).map((n) => n.target.join(" ") + " :: " + n.failureSummary.split("\\n")[1])])))',
          awaitPromise: true,
          returnByValue: true,
        })
        const list = JSON.parse(found.result.value ?? '[]')
        for (const [id, nodes] of list) console.log(`axe ${view} ${theme} ${width}: ${id}\n   ${nodes.join('\n   ')}`)
      }
      await page.close()
    }
    await context.close()
  }
}
await browser.close()
