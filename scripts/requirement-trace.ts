import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { testFiles, testSources } from './test-files.ts'

/**
 * Compares the requirements with the reports of the test runners. A requirement is proven if the title of a passed test contains
 * the requirement's id. Ids in a `describe` title do not count.
 */

const ID = String.raw`[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d{2,3}`
const BRACKETED = new RegExp(String.raw`\[(${ID})\]`, 'g')
/** Id in brackets, or quoted in a table of cases: `'AA-01'`, `'AA-01] [AA-02'`. */
const BRACKETED_OR_QUOTED = new RegExp(String.raw`(?<=['"\x60[])(${ID})(?=['"\x60\]])`, 'g')
const TITLE_IDS = new RegExp(String.raw`(?<=['"\x60])(?:\[${ID}\]\s*)+`, 'g')
const DESCRIBE_ID = new RegExp(String.raw`\bdescribe(?:\.\w+)*\((?:[^()'"\x60]*\)\()?\s*(['"\x60])(?:(?!\1).)*\[${ID}\]`, 'g')
const COMMENT = /^\s*(?:\/\/|\*|\/\*).*$/gm

/** Maximum number of ids per title. With more ids, a failed test would not show which requirement is broken. */
const MAX_IDS = 5

/** Steps with a report. */
const REPORTS = ['packages', 'server', 'server-embedded', 'web-unit', 'web', 'journeys', 'programs']

/** `short`: `npm test`; `added`: additional tests of `--all` after a short run; `all`: everything in one run. */
export const EXTENTS = ['short', 'added', 'all'] as const
type Extent = (typeof EXTENTS)[number]

export interface TestResult {
  /** Path from the repository root. */
  file: string
  title: string
  groups: readonly string[]
  outcome: 'passed' | 'failed' | 'skipped'
}

/** Kind of problem, and the ids, titles or files with this problem. */
type Problem = readonly [what: string, cases: readonly string[]]

export interface Trace {
  rows: readonly string[]
  /** Files with tests that prove the requirement (by id). Without reports: files that contain the id. */
  files: ReadonlyMap<string, ReadonlySet<string>>
  reasons: ReadonlyMap<string, string>
  /** Requirements named only by tests of the full run. */
  later: readonly string[]
  problems: readonly Problem[]
}

interface VitestReport {
  testResults: { name: string; assertionResults: { title: string; ancestorTitles: string[]; status: string }[] }[]
}
interface PlaywrightSuite {
  title: string
  file: string
  specs?: { title: string; tests: { status: string }[] }[]
  suites?: PlaywrightSuite[]
}
interface PlaywrightReport {
  config: { rootDir: string }
  suites: PlaywrightSuite[]
}

const idsIn = (text: string): string[] => [...text.matchAll(BRACKETED)].map((match) => match[1] ?? '')
const relative = (root: string, file: string): string => path.relative(root, file).split(path.sep).join('/')

/** Returns the ids of the rows in docs/requirements.md. */
function requirements(root: string): string[] {
  const text = readFileSync(path.join(root, 'docs/requirements.md'), 'utf8')
  return [...text.matchAll(new RegExp(String.raw`^\| (${ID}) \|`, 'gm'))].map((match) => match[1] ?? '')
}

/** Parses the list `- ID: text` below a heading of docs/spec-untested.md. */
export function explained(root: string, heading: string): Map<string, string> {
  const text = readFileSync(path.join(root, 'docs/spec-untested.md'), 'utf8')
  const section = text.split(/^#+ /m).find((part) => part.startsWith(heading)) ?? ''
  return new Map([...section.matchAll(new RegExp(`^- (${ID}): (.+)$`, 'gm'))].map((match) => [match[1] ?? '', match[2] ?? '']))
}

function vitestResults(report: VitestReport, root: string): TestResult[] {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, ancestorTitles, status }) => ({
      file: relative(root, name),
      title,
      groups: ancestorTitles,
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  )
}

function playwrightResults(report: PlaywrightReport, root: string): TestResult[] {
  const outcome = (statuses: readonly string[]) => {
    if (statuses.includes('unexpected')) return 'failed'
    return statuses.length === 0 || statuses.includes('skipped') ? 'skipped' : 'passed'
  }
  // Reports the file that Playwright opened, because the test's code may be in a shared file.
  const flatten = (file: string, suite: PlaywrightSuite, groups: readonly string[]): TestResult[] => [
    ...(suite.specs ?? []).map(
      ({ title, tests }) =>
        ({
          file,
          title,
          groups,
          outcome: outcome(tests.map(({ status }) => status)),
        }) satisfies TestResult,
    ),
    ...(suite.suites ?? []).flatMap((inner) => flatten(file, inner, [...groups, inner.title])),
  ]
  return report.suites.flatMap((suite) => flatten(relative(root, path.join(report.config.rootDir, suite.file)), suite, []))
}

/** Reads the reports of a run: `NAME.json` of each step, and `NAME.added.json` if the full run followed a short one. */
export function readReports(folder: string, root: string, extent: Extent): { results: TestResult[]; missing: string[] } {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && (extent === 'added' || !name.endsWith('.added.json')))
  const results = names.flatMap((name) => {
    const report = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Partial<VitestReport & PlaywrightReport>
    if (report.testResults !== undefined) return vitestResults(report as VitestReport, root)
    return report.suites === undefined ? [] : playwrightResults(report as PlaywrightReport, root)
  })
  return { results, missing: REPORTS.filter((name) => !names.includes(`${name}.json`)) }
}

/** Returns the requirement ids in each test file's titles and tables, without a test run. */
function namedIds(root: string): Map<string, { ids: Set<string>; code: string }> {
  return new Map(
    testSources(root).map(({ file, text }) => {
      const code = text.replaceAll(COMMENT, '')
      return [file, { ids: new Set([...code.matchAll(BRACKETED_OR_QUOTED)].map((match) => match[1] ?? '')), code }]
    }),
  )
}

function invert(pairs: Iterable<readonly [file: string, id: string]>, known: ReadonlySet<string>): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>()
  for (const [file, id] of pairs) if (known.has(id)) files.set(id, (files.get(id) ?? new Set()).add(file))
  return files
}

/** Builds the trace from a run's results, and lists its failures. */
export function traceResults(root: string, { results, missing }: ReturnType<typeof readReports>, extent: Extent): Trace {
  const rows = requirements(root)
  const reasons = explained(root, 'Requirements without a test')
  const known = new Set(rows)
  const passed = results.filter(({ outcome }) => outcome === 'passed')
  const files = invert(
    passed.flatMap(({ file, title }) => idsIn(title).map((id) => [file, id] as const)),
    known,
  )
  const opened = new Set(results.map(({ file }) => file))
  const extended = (file: string, code: string): boolean => !opened.has(file) || code.includes('@extended')
  const postponed =
    extent === 'short'
      ? invert(
          [...namedIds(root)].flatMap(([file, { ids, code }]) => (extended(file, code) ? [...ids].map((id) => [file, id] as const) : [])),
          known,
        )
      : new Map()
  const open = rows.filter((id) => !files.has(id) && !reasons.has(id))
  const titles = results.map(({ file, title }) => [file, title] as const)
  const problems: Problem[] = [
    ['Steps without a report', missing],
    ['Skipped tests', results.filter(({ outcome }) => outcome === 'skipped').map(({ file, title }) => `${file}: ${title}`)],
    ['Test files that no runner opened', extent === 'short' ? [] : testFiles(root).filter((file) => !opened.has(file))],
    [
      'Ids in the title of a group, where they prove nothing',
      results.flatMap(({ groups }) => groups.filter((group) => idsIn(group).length > 0)),
    ],
    [`Titles with more than ${MAX_IDS} ids`, titles.filter(([, title]) => idsIn(title).length > MAX_IDS).map((title) => title.join(': '))],
    ['Titles name requirements that do not exist', titles.flatMap(([, title]) => idsIn(title)).filter((id) => !known.has(id))],
    ['Neither proven by a test that passed nor explained in docs/spec-untested.md', open.filter((id) => !postponed.has(id))],
    ['Explained in docs/spec-untested.md, but proven', [...reasons.keys()].filter((id) => files.has(id))],
  ]
  return { rows, files, reasons, later: open.filter((id) => postponed.has(id)), problems: found(problems) }
}

/** Builds the trace from the test files' text, to find mistakes in ids without a run. */
export function traceTexts(root: string): Trace {
  const rows = requirements(root)
  const reasons = explained(root, 'Requirements without a test')
  const known = new Set(rows)
  const named = [...namedIds(root)]
  const files = invert(
    named.flatMap(([file, { ids }]) => [...ids].map((id) => [file, id] as const)),
    known,
  )
  const titles = named.flatMap(([file, { code }]) => [...code.matchAll(TITLE_IDS)].map(([ids]) => [file, idsIn(ids)] as const))
  const problems: Problem[] = [
    [
      'Ids in the title of a group, where they prove nothing',
      named.flatMap(([file, { code }]) => (code.match(DESCRIBE_ID) ?? []).map((text) => `${file}: ${text}`)),
    ],
    [
      `Titles with more than ${MAX_IDS} ids`,
      titles.filter(([, ids]) => ids.length > MAX_IDS).map(([file, ids]) => `${file}: ${ids.join(' ')}`),
    ],
    ['Titles name requirements that do not exist', titles.flatMap(([, ids]) => ids).filter((id) => !known.has(id))],
    ['No test names it, nor does docs/spec-untested.md explain it', rows.filter((id) => !files.has(id) && !reasons.has(id))],
    ['Explained in docs/spec-untested.md, but named by a test', [...reasons.keys()].filter((id) => files.has(id))],
  ]
  return { rows, files, reasons, later: [], problems: found(problems) }
}

const found = (problems: readonly Problem[]): Problem[] =>
  problems.map(([what, cases]) => [what, [...new Set(cases)]] as const).filter(([, cases]) => cases.length > 0)
