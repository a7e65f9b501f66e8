/**
 * `npm run bench -- web`: measures every visitor and member page in Chromium, on a phone and on a desktop window, against a product
 * instance with demo data. Per page: the largest contentful paint (LCP) of a cold load, the layout shift (CLS), and the slowest of a
 * few interactions (INP): keys, the theme switch, and the first buttons of the page. Takes the median of the runs. The last line is
 * `ratio: X`: the goal divided by the worst figure; 1 or more passes. Options: `--runs 3`, `--only PART` of a path, `--width 390`.
 */
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { memberRoutes, publicRoutes } from '../apps/web/src/app/page-routes.ts'
import { measurePage, type PageFigures } from '../e2e/page-figures.ts'
import { signedIn } from '../e2e/session.ts'
import { startStack } from '../e2e/stack.ts'
import { browserArgs, findBrowser } from '../test/browser.ts'
import { reportMachine } from './lib/quiet-machine.ts'

/** LCP and INP in ms; CLS is a share. */
const GOALS = { lcp: 1_000, inp: 200, cls: 0.05 } as const
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 1440: 900 }

const { values } = readArguments(import.meta.url, {
  runs: { type: 'string', default: '3' },
  only: { type: 'string', default: '' },
  width: { type: 'string', default: '' },
})
const runs = Number(values.runs)
const widths = Object.keys(HEIGHTS).filter((width) => values.width === '' || width === values.width)

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Returns the address of a member page; a ticket page shows the member's first ticket. */
async function pathsOf(context: BrowserContext, url: string): Promise<string[]> {
  const page = await context.newPage()
  await page.goto(`${url}/support`)
  const ticket = await page.locator('a[href^="/ticket/show/"]').first().getAttribute('href')
  await page.close()
  return memberRoutes.map(({ path }) => (path.includes(':id') ? (ticket ?? path) : path))
}

async function measureAll(browser: Browser, url: string, width: number): Promise<number[]> {
  const options = { viewport: { width, height: HEIGHTS[width] ?? 900 }, locale: 'en-GB' }
  const visitor = await browser.newContext(options)
  const member = await signedIn(browser, url, 'amara', options)
  const pages = [
    ...publicRoutes.map(({ path }) => ({ path, context: visitor })),
    ...(await pathsOf(member, url)).map((path) => ({ path, context: member })),
  ].filter(({ path }) => path.includes(values.only))
  const shares: number[] = []
  for (const { path, context } of pages) {
    const found: PageFigures[] = []
    for (let run = 0; run < runs; run += 1) found.push(await measurePage(context, url + path))
    const medianOf = (name: keyof PageFigures) => median(found.map((one) => one[name]))
    const figures: PageFigures = { lcp: medianOf('lcp'), inp: medianOf('inp'), cls: medianOf('cls') }
    const share = Math.min(GOALS.lcp / figures.lcp, GOALS.inp / figures.inp, GOALS.cls / figures.cls)
    shares.push(share)
    console.log(
      `${String(width).padStart(4)} px  LCP ${figures.lcp.toFixed(0).padStart(5)} ms  INP ${figures.inp.toFixed(0).padStart(4)} ms  CLS ${figures.cls.toFixed(3)}  ${path}${share < 1 ? '  above a goal' : ''}`,
    )
  }
  await visitor.close()
  await member.close()
  return shares
}

await reportMachine()
const stack = await startStack('embedded')
const browser = await chromium.launch({ executablePath: await findBrowser(), args: browserArgs })
const shares: number[] = []
try {
  for (const width of widths) shares.push(...(await measureAll(browser, stack.url, Number(width))))
} finally {
  await browser.close()
  await stack.stop(undefined)
}
if (shares.length === 0) {
  console.error(`No page has ${values.only} in its path`)
  process.exit(2)
}
const lowest = Math.min(...shares)
console.log(`${shares.length} loads of pages; goals: LCP ${GOALS.lcp} ms, INP ${GOALS.inp} ms, CLS ${GOALS.cls}`)
console.log(`ratio: ${lowest.toFixed(2)}`)
process.exitCode = lowest < 1 ? 1 : 0
