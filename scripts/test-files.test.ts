import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import {
  disabledTests,
  idleWaits,
  immediateChecks,
  serverWideReads,
  shortLimits,
  shortTestLimits,
  testSources,
  unlistedFiles,
} from './test-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Start of a top-level test, of a group, or of a loop over tests. */
const BEGINS_A_TEST = /^(it|test|describe|for)\b/m

// Vitest fails a project with a file without tests.
it('only files for PostgreSQL alone skip all of their tests on the other engine', () => {
  const files = globSync('apps/server/**/*.test.ts', { exclude: ['**/node_modules/**'] })
  expect(files.length).toBeGreaterThan(100)
  const hidden = files.filter((file) => !BEGINS_A_TEST.test(readFileSync(file, 'utf8')))
  expect(hidden.filter((file) => !file.endsWith('.postgres.test.ts'))).toEqual([])
})

it('a project of a test runner includes every test file', () => {
  expect(unlistedFiles(root)).toEqual([])
}, 60_000)

it('no test is skipped, focused or empty', () => {
  const sources = testSources(root).filter(({ file }) => file !== 'scripts/spec-trace.test.ts')
  expect(sources.length).toBeGreaterThan(300)
  expect(disabledTests(sources)).toEqual([])
})

it('no screen test reads a value at once that the page shows later', () => {
  const planted = [
    "  expect(location.pathname).toBe('/')",
    '  expect(document.activeElement).toBe(box)',
    '  expect(dialog.element().scrollTop).toBe(0)',
    '  ;(tree.element() as HTMLElement).focus()',
  ]
  expect(immediateChecks([{ file: 'a.browser.test.tsx', text: planted.join('\n') }])).toHaveLength(planted.length)
  expect(immediateChecks(testSources(root))).toEqual([])
})

it("no test reads another test's database", () => {
  const statement = 'select from pg_locks where not granted'
  expect(serverWideReads([{ file: 'a.test.ts', text: statement }])).toHaveLength(1)
  const sources = testSources(root).filter(({ file }) => file !== 'scripts/test-files.test.ts')
  expect(serverWideReads(sources)).toEqual([])
})

it('no test has less time than a busy machine needs', () => {
  const planted = ['  await expect.poll(state, { timeout: 20_000 }).toBe(1)', '}, 15_000)', '}, 120_000)'].join('\n')
  expect(shortLimits([{ file: 'a.test.ts', text: planted }])).toEqual(['a.test.ts:1 timeout: 20_000', 'a.test.ts:2 }, 15_000)'])
  const journey = ['  test.setTimeout(90_000)', '  await expect(a).toBeVisible({ timeout: 45_000 })', '  }).toPass({ timeout: 90_000 })']
  expect(shortLimits([{ file: 'e2e/a.spec.ts', text: journey.join('\n') }])).toHaveLength(2)
  const limits = ["it('ends', { timeout: 120_000 }, async () => {", '  { timeout: 300_000 },', '}, 120_000)', '}, 600_000)'].join('\n')
  expect(shortTestLimits([{ file: 'a.test.ts', text: limits }])).toHaveLength(3)
  const sources = testSources(root).filter(({ file }) => file !== 'scripts/test-files.test.ts')
  expect(shortLimits(sources)).toEqual([])
  expect(shortTestLimits(sources)).toEqual([])
})

it('no end-to-end test waits for an idle network', () => {
  const planted = "await page.goto('/')\nawait page.waitForLoadState('networkidle')"
  expect(idleWaits([{ file: 'a.spec.ts', text: planted }])).toEqual(['a.spec.ts:2'])
  const sources = testSources(root).filter(({ file }) => file !== 'scripts/test-files.test.ts')
  expect(idleWaits(sources)).toEqual([])
})
