import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { readReports, traceResults, traceTexts } from './requirement-trace.ts'
import { disabledTests, testSources, unlistedFiles } from './test-files.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const VITEST = path.join(repository, 'node_modules/vitest/vitest.mjs')
const STEPS = ['packages', 'server', 'server-embedded', 'web-unit', 'web', 'journeys', 'programs']

// Assembled at run time, because this repository's trace reads ids in a test's text.
const [ONE, TWO, THREE, NONE] = ['AA-01', 'AA-02', 'AA-103', 'AA-09']

let root = ''
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'trace-'))
  symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'))
  write('docs/requirements.md', `| ${ONE} | First |\n| ${TWO} | Second |\n| ${THREE} | Third |\n`)
  write('docs/spec-untested.md', `## Requirements without a test\n\n- ${TWO}: asks for nothing.\n`)
  write('vitest.config.ts', CONFIG)
})
afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}
const writeTests = (text: string, file = 'test/rows.test.ts'): void =>
  write(file, `import { describe, expect, it } from 'vitest'\n${text}\n`)
const PASSES = '() => { expect(1).toBe(1) }'
const CONFIG = "export default { test: { projects: [{ test: { name: 'packages', include: ['**/test/*.test.ts'] } }] } }"

/** Texts of test files, in order of their folders. One run of Vitest produces the reports of all, because each start takes half a second. */
const examples: string[] = []
const example = (text: string): string => {
  examples.push(text)
  return text
}
const BOTH = example(`it('[${ONE}] does one', ${PASSES}); it('[${THREE}] does another', ${PASSES})`)
const OTHER = example(`it('[${THREE}] does another', ${PASSES})`)
const IN_GROUP = example(`describe('[${ONE}] one', () => { ${BOTH} })`)
const SIX_IDS = `[${ONE}] [${TWO}] [${THREE}] [${NONE}] [${ONE}] [${ONE}] does all`
const SIX = example(`it('${SIX_IDS}', ${PASSES})`)

let folder = ''
let ran: { name: string }[] = []
beforeAll(() => {
  folder = root = mkdtempSync(path.join(tmpdir(), 'examples-'))
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  write('vitest.config.mjs', CONFIG)
  examples.forEach((text, index) => writeTests(text, `${index}/test/rows.test.ts`))
  const report = path.join(folder, 'report.json')
  spawnSync(process.execPath, [VITEST, 'run', '--reporter=json', `--outputFile=${report}`], { cwd: folder })
  ran = JSON.parse(readFileSync(report, 'utf8')).testResults
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes an example and traces its report. The reports of the other steps are empty. */
function traceRun(text: string, extent: 'short' | 'added' | 'all' = 'all') {
  writeTests(text)
  for (const step of STEPS) write(`reports/${step}.json`, '{"testResults":[]}')
  const own = path.join(folder, String(examples.indexOf(text)))
  const testResults = ran.filter(({ name }) => name.startsWith(own + path.sep))
  expect(testResults).toHaveLength(1)
  write('reports/packages.json', JSON.stringify({ testResults }).replaceAll(own, root))
  return traceReports(extent)
}
const traceReports = (extent: 'short' | 'added' | 'all') =>
  traceResults(root, readReports(path.join(root, 'reports'), root, extent), extent)

it('proves a requirement with a passed test, also with three digits', () => {
  const { files, problems } = traceRun(BOTH)
  expect(problems).toEqual([])
  expect([...files.keys()].toSorted()).toEqual([ONE, THREE])
})

it.each([
  ['it.skip', example(`it.skip('[${ONE}] does one', ${PASSES}); ${OTHER}`)],
  ['it.todo', example(`it.todo('[${ONE}] does one'); ${OTHER}`)],
  ['a skipped group', example(`describe.skip('one', () => { it('[${ONE}] does one', ${PASSES}) }); ${OTHER}`)],
])('fails when a test is disabled: %s', (_, text) => {
  expect(traceRun(text).problems).toEqual([
    ['Skipped tests', [`test/rows.test.ts: [${ONE}] does one`]],
    ['Neither proven by a test that passed nor explained in docs/spec-untested.md', [ONE]],
  ])
})

it.each([
  ['an empty group', example(`describe('[${ONE}] one', () => {})\n${OTHER}`)],
  ['a failing test', example(`it('[${ONE}] does one', () => { expect(1).toBe(2) })\n${OTHER}`)],
  ['a comment', example(`// [${ONE}] does one\n${OTHER}`)],
  ['a value', example(`it('does one', () => { expect('[${ONE}]').toBe('[${ONE}]') })\n${OTHER}`)],
])('does not count %s as proof', (_, text) => {
  expect(traceRun(text).problems).toContainEqual(['Neither proven by a test that passed nor explained in docs/spec-untested.md', [ONE]])
})

it('fails when a describe title has an id', () => {
  const problem = ['Ids in the title of a group, where they prove nothing', [`[${ONE}] one`]]
  expect(traceRun(IN_GROUP).problems).toEqual([problem])
  expect(traceTexts(root).problems.map(([what]) => what)).toEqual([problem[0]])
})

it('fails when no project includes a test file', () => {
  writeTests(BOTH)
  expect(unlistedFiles(root)).toEqual([])
  writeTests(BOTH, 'packages/lost.test.ts')
  writeTests(BOTH, 'e2e/more/lost.spec.ts')
  writeTests(BOTH, 'deploy/lost.test.ts')
  const lost = ['deploy/lost.test.ts', 'e2e/more/lost.spec.ts', 'packages/lost.test.ts']
  expect(unlistedFiles(root)).toEqual(lost)
  expect(traceRun(BOTH).problems).toEqual([['Test files that no runner opened', lost]])
})

it('fails when a step has no report', () => {
  traceRun(BOTH)
  rmSync(path.join(root, 'reports/web.json'))
  expect(traceReports('all').problems).toEqual([['Steps without a report', ['web']]])
})

it('postpones requirements in a short run when only files of the full run name them', () => {
  writeTests(`it('[${ONE}] does one', ${PASSES})`, 'test/long.spec.ts')
  const short = traceRun(OTHER, 'short')
  expect([short.problems, short.later]).toEqual([[], [ONE]])
  expect(traceReports('added').problems.map(([what]) => what)).toEqual([
    'Test files that no runner opened',
    'Neither proven by a test that passed nor explained in docs/spec-untested.md',
  ])
  const added = { config: { rootDir: path.join(root, 'test') }, suites: [suite('long.spec.ts', 'expected')] }
  write('reports/journeys.added.json', JSON.stringify(added))
  expect(traceReports('added').problems).toEqual([])
  expect(traceReports('short').later).toEqual([ONE])
})

const suite = (file: string, status: string) => ({
  title: file,
  file,
  suites: [{ title: 'a day', file, specs: [{ title: `[${ONE}] does one`, file: 'a-story.ts', tests: [{ status }] }] }],
})

it.each(['unexpected', 'skipped'])('does not count an end-to-end test that ended as %s', (status) => {
  traceRun(OTHER)
  write('reports/journeys.json', JSON.stringify({ config: { rootDir: path.join(root, 'e2e') }, suites: [suite('day.spec.ts', status)] }))
  expect(traceReports('all').problems.at(-1)?.[1]).toEqual([ONE])
})

it('fails on unknown ids, on more than five, and on a reason for a proven row', () => {
  const problems = [
    ['Titles with more than 5 ids', [`test/rows.test.ts: ${SIX_IDS}`]],
    ['Titles name requirements that do not exist', [NONE]],
    ['Explained in docs/spec-untested.md, but proven', [TWO]],
  ]
  expect(traceRun(SIX).problems).toEqual(problems)
  expect(traceTexts(root).problems.map(([what]) => what)).toEqual([
    problems[0]?.[0],
    problems[1]?.[0],
    'Explained in docs/spec-untested.md, but named by a test',
  ])
})

it('reads ids in titles and in tables without a run', () => {
  writeTests(`it.each([['${ONE}] [${THREE}', 1]])('[%s] does %i', ${PASSES})`)
  expect(traceTexts(root)).toMatchObject({ problems: [] })
  writeTests(`// [${ONE}]\nit('[${THREE}] does another', ${PASSES})`)
  expect(traceTexts(root).problems).toEqual([['No test names it, nor does docs/spec-untested.md explain it', [ONE]]])
})

it.each(['it.skip', 'it.only', 'it.todo', 'test.fixme', 'test.describe.only', 'describe.skip', 'it.skipIf(true)'])(
  'finds %s in the text',
  (call) => {
    writeTests(`${BOTH}\n${call}('does a third', ${PASSES})`)
    expect(disabledTests(testSources(root))).toHaveLength(1)
  },
)

it('finds a test without assertions', () => {
  writeTests(`${BOTH}\nit('does a third', async () => {\n})`)
  expect(disabledTests(testSources(root))).toEqual(["test/rows.test.ts:3 it('does a third', async () => {\n}"])
})

it('fails the command when a row has no proof', () => {
  const command = [path.join(repository, 'scripts/spec-trace.ts'), '--reports', path.join(root, 'reports')]
  traceRun(OTHER)
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('nor explained in docs/spec-untested.md')])
})
