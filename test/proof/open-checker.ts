import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { buildChecker } from '../../apps/web/scripts/build-checker.mjs'
import { browserArgs, findBrowser } from '../browser.ts'

/** The proof checker, opened from a local file in Chromium without a network. */
export interface OpenChecker {
  /** Chooses files in the page, and returns the line of each result. */
  check(proofs: readonly string[], options?: { history?: string; member?: string }): Promise<string[]>
  /** Checks one file several times. Returns the duration of each, from the choice of the file to its result, in ms. */
  time(proof: string, times: number): Promise<number[]>
  /** Addresses that the page requested, other than its own file. */
  requests: string[]
  close(): Promise<void>
}

/** Script in the page: checks the chosen file COUNT times. */
const TIME_CHECKS = `(async () => {
  const [input, results] = [document.getElementById('proofs'), document.getElementById('results')]
  const durations = []
  for (let index = 0; index < COUNT; index += 1) {
    const start = performance.now()
    const shown = new Promise((resolve) => new MutationObserver(resolve).observe(results, { childList: true }))
    input.dispatchEvent(new Event('change'))
    await shown
    durations.push(performance.now() - start)
  }
  return durations
})()`

/**
 * Builds the proof checker, and opens it from a folder.
 * @param folder receives the file
 */
export async function openChecker(folder: string): Promise<OpenChecker> {
  const file = path.join(folder, 'proof-checker.html')
  writeFileSync(file, await buildChecker())
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: browserArgs })
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(file).href) requests.push(request.url())
  })
  return {
    async check(proofs, { history, member = '' } = {}) {
      // A fresh page holds no result of an earlier check.
      await page.goto(pathToFileURL(file).href)
      await page.getByLabel('Your member id').fill(member)
      await page.getByLabel('History').setInputFiles(history ?? [])
      await page.getByLabel('Proofs').setInputFiles([...proofs])
      const lines = page.getByRole('listitem').and(page.locator('#results > li'))
      await lines.first().waitFor({ timeout: 200_000 })
      return await lines.allTextContents()
    },
    async time(proof, times) {
      await page.goto(pathToFileURL(file).href)
      await page.getByLabel('Proofs').setInputFiles(proof)
      return await page.evaluate<number[]>(TIME_CHECKS.replace('COUNT', String(times)))
    },
    requests,
    close: () => browser.close(),
  }
}
