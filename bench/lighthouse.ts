/**
 * `npm run bench -- lighthouse`: runs Lighthouse on the sign-in page and a member's dashboard, simulating a mobile phone (processor
 * 4 times slower, slow 4G). Takes the median of five runs after a warm-up, on a product instance started for it. The last line is
 * `ratio: X`: the lowest score divided by its goal; 1 or more passes. npm downloads Lighthouse (176 MB) at the first use. Options:
 * `--runs 5`, `--page sign-in`, `--keep FOLDER` for the reports.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium } from 'playwright-core'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { startStack } from '../e2e/stack.ts'
import { browserArgs, findBrowser } from '../test/browser.ts'
import { freePort } from '../test/postgres.ts'

const PASSWORD = 'Play-money-2026'
const LIGHTHOUSE = 'lighthouse@13.5.0'
const GOALS = { performance: 98, accessibility: 100, 'best-practices': 100 } as const
const CLS_GOAL = 0.05
const FIGURES = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  SI: 'speed-index',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
} as const

const pages = [
  { name: 'sign-in', path: '/', member: undefined },
  { name: 'dashboard', path: '/dashboard', member: 'amara@example.com' },
]

const { values } = readArguments(import.meta.url, {
  runs: { type: 'string', default: '5' },
  page: { type: 'string', default: '' },
  keep: { type: 'string' },
})
const runs = Number(values.runs)

type Category = keyof typeof GOALS

/** The used fields of a report. */
interface Report {
  /** Processor speed during the run. A quiet desktop has 2000 or more. */
  environment: { benchmarkIndex: number }
  categories: Record<Category, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null; numericValue?: number; details?: { items?: { transferSize?: number }[] } }>
}

const run = promisify(execFile)
const folder = mkdtempSync(path.join(tmpdir(), 'bench-lighthouse-'))
const keep = values.keep ?? folder
mkdirSync(keep, { recursive: true })

/** Opens a member's session in the browser, and clears the cache filled by this step. */
async function enter(context: BrowserContext, url: string, email: string): Promise<void> {
  const reply = await context.request.post(`${url}/api/v1/auth/login`, { data: { email, password: PASSWORD } })
  const { data } = (await reply.json()) as { data: { token: string } }
  const page = await context.newPage()
  await page.goto(`${url}/pay/success`)
  await page.evaluate((token) => {
    for (const [key, value] of Object.entries({ tizaraUserToken: token, accessToken: token, userStatus: 'true' }))
      localStorage.setItem(key, value)
  }, data.token)
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
  await page.goto('about:blank')
}

/** Runs Lighthouse in a new browser. */
async function measure(url: string, page: (typeof pages)[number], number: number): Promise<Report> {
  const port = await freePort()
  const profile = mkdtempSync(path.join(folder, 'profile-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findBrowser(),
    args: [...browserArgs, `--remote-debugging-port=${port}`],
  })
  try {
    if (page.member !== undefined) await enter(context, url, page.member)
    const file = path.join(keep, `${page.name}-${number}.json`)
    const options = [`--port=${port}`, '--output=json', `--output-path=${file}`, '--quiet', '--no-enable-error-reporting']
    if (page.member !== undefined) options.push('--disable-storage-reset')
    const categories = `--only-categories=${Object.keys(GOALS).join(',')}`
    await run('npm', ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url + page.path, categories, ...options])
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } finally {
    await context.close()
  }
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const scoreOf = (report: Report, category: Category) => Math.round(report.categories[category].score * 100)
const figureOf = (report: Report, audit: string) => report.audits[audit]?.numericValue ?? Number.NaN

/** Returns the audits that lowered the score of a category. */
function problems(report: Report, category: Category): string[] {
  return report.categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${category}: ${report.audits[id]?.title ?? id}`)
}

const stack = await startStack('embedded')
const shares: number[] = []
try {
  for (const page of pages.filter(({ name }) => name.includes(values.page))) {
    const reports: Report[] = []
    for (let number = 0; number <= runs; number += 1) {
      const report = await measure(stack.url, page, number)
      if (number > 0) reports.push(report)
    }
    console.log(`${page.name}, median of ${runs}; load of the machine: ${loadavg()[0]?.toFixed(1)}`)
    for (const [category, goal] of Object.entries(GOALS) as [Category, number][]) {
      const scores = reports.map((report) => scoreOf(report, category))
      shares.push(median(scores) / goal)
      console.log(`  ${category.padEnd(16)} ${median(scores)} (${scores.join(' ')}), goal ${goal}`)
    }
    for (const [name, audit] of Object.entries(FIGURES)) {
      const digits = name === 'CLS' ? 3 : 0
      const figures = reports.map((report) => figureOf(report, audit))
      console.log(`  ${name.padEnd(16)} ${median(figures).toFixed(digits)} (${figures.map((figure) => figure.toFixed(digits)).join(' ')})`)
    }
    const cls = median(reports.map((report) => figureOf(report, FIGURES.CLS)))
    if (cls > CLS_GOAL) shares.push(CLS_GOAL / cls)
    const speeds = reports.map((report) => Math.round(report.environment.benchmarkIndex))
    console.log(`  processor index  ${median(speeds)} (${speeds.join(' ')})`)
    const requests = reports.map((report) => report.audits['network-requests']?.details?.items ?? [])
    const bytes = (items: { transferSize?: number }[]) => items.reduce((sum, item) => sum + (item.transferSize ?? 0), 0)
    console.log(
      `  requests         ${median(requests.map((items) => items.length))}, ${(median(requests.map(bytes)) / 1000).toFixed(1)} kB`,
    )
    const found = new Set(reports.flatMap((report) => (Object.keys(GOALS) as Category[]).flatMap((category) => problems(report, category))))
    for (const problem of found) console.log(`  ${problem}`)
  }
} finally {
  await stack.stop(undefined)
  rmSync(folder, { recursive: true, force: true })
}
const lowest = Math.min(...shares)
console.log(`ratio: ${lowest.toFixed(2)}`)
process.exitCode = lowest < 1 ? 1 : 0
