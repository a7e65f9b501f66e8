/**
 * `npm test`: everything that has to hold, from a fresh clone, with its own databases and browser. Runs all steps even
 * when one fails, and ends with one line that counts the tests. `npm test -- NAME…` runs only the named steps.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../apps/server/src/main/command-line.mjs'
import { ensureBuilt, ensureInstalled } from './start.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = path.join(root, 'node_modules', '.bin')
const results = mkdtempSync(path.join(tmpdir(), 'results-'))
const env = {
  ...process.env,
  PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
  CI: process.env.CI ?? '1',
  // The tests start the product some hundred times: what one process has compiled of a file, the next ones read, until it changes.
  NODE_COMPILE_CACHE: path.join(results, 'compiled'),
}

const vitest = (project) => [
  'vitest',
  'run',
  '--project',
  project,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${path.join(results, `${project}.json`)}`,
]

const steps = [
  {
    name: 'types',
    commands: [
      ['tsc', '--noEmit', '-p', 'tsconfig.json'],
      ['tsc', '--noEmit', '-p', 'apps/web'],
      ['tsc', '--noEmit', '-p', 'e2e'],
    ],
  },
  { name: 'lint', commands: [['oxlint', '--type-aware', '--tsconfig', 'tsconfig.json', '--deny-warnings']] },
  { name: 'format', commands: [['oxfmt', '--check', '.']] },
  {
    name: 'structure',
    commands: [
      ['node', 'scripts/check-structure.mjs'],
      ['node', 'scripts/make-database.ts', '--check'],
      ['node', 'scripts/make-docs.ts', '--check'],
      ['node', 'scripts/check-tables.ts'],
      ['knip'],
    ],
  },
  { name: 'trace', commands: [['node', 'scripts/spec-trace.ts']] },
  { name: 'packages', commands: [vitest('packages')] },
  { name: 'server', commands: [vitest('server')] },
  { name: 'server-embedded', commands: [vitest('server-embedded')] },
  { name: 'web-unit', commands: [vitest('web-unit')] },
  { name: 'web', commands: [vitest('web')] },
  { name: 'budgets', build: true, commands: [['node', 'apps/web/scripts/budgets.mjs']] },
  { name: 'journeys', build: true, commands: [['playwright', 'test', '-c', 'e2e/playwright.config.ts']] },
]

function run([command, ...args]) {
  const result = spawnSync(path.join(bin, command), args, { cwd: root, env: { ...env, RESULTS_DIR: results }, stdio: 'inherit' })
  return result.status === 0
}

/** The tests of a Playwright report, whose suites lie in each other. */
const flat = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(flat)]

/** What the reports of the steps say together: how many tests passed, and which did not, with the first lines of why. */
function summary() {
  const total = { passed: 0, failed: /** @type {string[]} */ ([]) }
  for (const { name } of steps) {
    const file = path.join(results, `${name}.json`)
    if (!existsSync(file)) continue
    const report = JSON.parse(readFileSync(file, 'utf8'))
    total.passed += report.numPassedTests ?? report.stats?.expected ?? 0
    const say = (title, why) => total.failed.push(`${name}: ${title}\n    ${String(why).split('\n').slice(0, 4).join('\n    ')}`)
    for (const test of (report.testResults ?? []).flatMap(({ assertionResults }) => assertionResults))
      if (test.status === 'failed') say(test.fullName, test.failureMessages?.[0])
    for (const spec of (report.suites ?? []).flatMap(flat)) if (!spec.ok) say(spec.title, spec.tests[0]?.results[0]?.error?.message)
  }
  return total
}

const wanted = readArguments(import.meta.url, {}, ['', 'NAME…']).positionals
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}: ${steps.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
ensureInstalled()
const failed = []
const took = []
for (const step of steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const started = Date.now()
  console.log(`\n── ${step.name}`)
  if (step.build === true) ensureBuilt()
  const good = step.commands.map(run).every(Boolean)
  took.push(`${step.name} ${Math.round((Date.now() - started) / 1000)}`)
  console.log(`── ${step.name}: ${good ? 'passed' : 'FAILED'} after ${took.at(-1)?.split(' ').at(-1)} s`)
  if (!good) failed.push(step.name)
}
const total = summary()
rmSync(results, { recursive: true, force: true })
for (const line of total.failed) console.log(`\n✗ ${line}`)
console.log(`\nSeconds: ${took.join(', ')}`)
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`)
console.log(`\n${total.passed} passed, ${Math.max(total.failed.length, failed.length)} failed`)
process.exit(failed.length > 0 ? 1 : 0)
