/**
 * `npm test`: runs all checks from a fresh clone, with separate databases and browser. Independent steps run in parallel, all steps
 * run even after a failure, and the last line counts the tests. A step that passed on the same inputs is not repeated, except in
 * CI, with an option, or by name. `npm test -- NAME…` runs only the named steps. `--all` also runs long random searches, all process
 * kills and the real chain. `--added` runs only these additional tests. `--verbose` prints the end of each step's output. `--shuffle SEED`
 * runs the files of each Vitest step in a random order; `--isolate` loads all modules again for each of these files.
 */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { ensureInstalled } from './start.mjs'
import { changedSources, hashInputs, inputsOf, readMachine, readTree } from './test/inputs.mjs'
import { openMemory } from './test/memory.mjs'
import { findProblems, findInterrupted, mergeReports, mergeSecondRun, readReport } from './test/reports.mjs'
import { endCommands, runCommands } from './test/run-commands.mjs'
import { runSteps } from './test/schedule.mjs'
import { EXTENTS, fillIn, limitToRelated, selectSteps, STEPS } from './test/steps.mjs'
import { checkTime, countTests, writeSummary } from './test/summary.mjs'

const HEARTBEAT_MS = 30_000
const VERBOSE_LINES = 30

const root = fileURLToPath(new URL('..', import.meta.url))
const yes = /** @type {const} */ ({ type: 'boolean', default: false })
const options = { all: yes, added: yes, verbose: yes, isolate: yes, shuffle: /** @type {const} */ ({ type: 'string' }) }
const { values, positionals: names } = readArguments(import.meta.url, options, ['', 'NAME…'])
const { shuffle, isolate } = values
const unknown = names.filter((name) => !STEPS.some((step) => step.name === name))
if (unknown.length > 0 || (values.all && values.added)) {
  const steps = STEPS.map(({ name }) => name).join(', ')
  console.error(unknown.length > 0 ? `There is no step ${unknown.join(', ')}: ${steps}` : 'Take one of --all and --added.')
  process.exit(2)
}
if (shuffle !== undefined && !/^\d+$/.test(shuffle)) {
  console.error(`--shuffle requires a number, not ${shuffle}`)
  process.exit(2)
}
const extent = values.all ? 'all' : values.added ? 'added' : 'short'
const whole = names.length === 0
const isCi = (process.env.CI ?? '') !== ''
ensureInstalled()

const results = mkdtempSync(path.join(tmpdir(), 'results-'))
const bin = path.join(root, 'node_modules', '.bin')
const env = {
  ...process.env,
  PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
  CI: process.env.CI ?? '1',
  TEST_EXTENT: extent,
  SEARCH: process.env.SEARCH ?? EXTENTS[extent],
  RESULTS_DIR: results,
  // Shares compiled code between the processes, because the tests start the product some hundred times.
  NODE_COMPILE_CACHE: path.join(results, 'compiled'),
}
const memory = openMemory(path.join(root, 'node_modules', '.cache', 'test'), extent)
const machine = readMachine(root, env)
const hashOf = (step, tree = readTree(root)) => hashInputs(step, tree, machine)
const treeAtStart = readTree(root)
/** True if this run may use the results of an earlier one. */
const mayReuse = whole && !isCi && extent === 'short' && shuffle === undefined && !isolate
/** Files are compared together with the machine, so that another machine repeats all tests. */
const filesOf = (step) => Object.fromEntries([...(inputsOf(step, readTree(root)) ?? []), ['', machine]])
const isUnchanged = (step) =>
  mayReuse && memory.hasPassed(step.name, hashOf(step, treeAtStart)) && (step.tests !== true || existsSync(memory.reportOf(step.name)))
const { run, unchanged } = selectSteps(STEPS, extent, names, isUnchanged)
const number = new Map([...unchanged, ...run].map(({ name }, index, { length }) => [name, `[${index + 1}/${length}] ${name}`]))
const usual = (step) => memory.secondsOf(step.name) ?? step.seconds
const writtenReport = (name) => path.join(results, `${name}.json`)
const reportFile = (name) => path.join(results, `${name}${extent === 'added' ? '.added' : ''}.json`)

/** Returns the report of a completed or cached step, if it wrote one. */
function reportOf(name) {
  return existsSync(reportFile(name)) ? readReport(JSON.parse(readFileSync(reportFile(name), 'utf8')), root) : undefined
}

const runningSince = new Map()

function printOutput(name, passed) {
  const lines = readFileSync(memory.logOf(name), 'utf8').trimEnd().split('\n')
  if (!passed) console.log(lines.join('\n'))
  else if (values.verbose) console.log(lines.slice(-VERBOSE_LINES).join('\n'))
}

let isEnding = false
/** Result of a step after a stop request: the step never completes. */
const never = new Promise(() => undefined)

/** Copies the short run's reports under other names, because the trace of `--added` reads the reports of both runs. */
function copyShortReports() {
  for (const { name } of STEPS)
    if (existsSync(memory.reportOf(name, 'short'))) copyFileSync(memory.reportOf(name, 'short'), writtenReport(name))
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * Runs a step of Vitest. If V8 crashes in the process of a test file, the file has no result. (V8 aborted once, probably while a thread
 * with WebAssembly ended.) Such a file runs a second time, and the file's tests count as flaky.
 */
async function runStep({ name, niceness }, filled) {
  const how = { root, env, log: memory.logOf(name), niceness }
  const ended = await runCommands(filled, how)
  const report = writtenReport(name)
  if (ended.passed || isEnding || filled[0]?.[0] !== 'vitest' || !existsSync(report)) return ended
  const first = readJson(report)
  const files = findInterrupted(first)
  if (files.length === 0 || readReport(first, root).failed.length > 0) return ended
  printOutput(name, false)
  console.log(`${number.get(name)}: a process ended in ${files.length} files, which run once more`)
  const again = await runCommands([[...filled[0], ...files]], how)
  writeFileSync(report, JSON.stringify(mergeSecondRun(first, readJson(report))))
  return { passed: again.passed, seconds: ended.seconds + again.seconds, cpu: ended.cpu + again.cpu }
}

/** Returns the changed modules if the step only has to repeat the test files that import them; otherwise undefined. */
function findChanged({ name, sources }, files) {
  const before = mayReuse && files !== undefined && existsSync(memory.reportOf(name)) ? memory.inputsOf(name) : undefined
  return before === undefined ? undefined : changedSources(before, files, sources)
}

async function start(step) {
  if (isEnding) return never
  if (extent === 'added' && step.last === true) copyShortReports()
  const { name, commands, tests = false } = step
  console.log(`${number.get(name)} … usually ${Math.max(1, Math.round(usual(step)))} s`)
  runningSince.set(name, Date.now())
  const before = hashOf(step)
  const files = step.sources === undefined ? undefined : filesOf(step)
  const changed = findChanged(step, files)
  const filled = commands
    .map((command) => fillIn(command, { results, extent, traced: whole, shuffle, isolate }))
    .map((command) => (changed === undefined ? command : limitToRelated(command, changed)))
  if (changed !== undefined) console.log(`${number.get(name)}: only test files that import ${changed.join(', ')}`)
  const ended = await runStep(step, filled)
  if (isEnding) return never
  runningSince.delete(name)
  if (changed !== undefined && existsSync(writtenReport(name)))
    writeFileSync(writtenReport(name), JSON.stringify(mergeReports(readJson(memory.reportOf(name)), readJson(writtenReport(name)))))
  if (extent === 'added' && existsSync(writtenReport(name))) renameSync(writtenReport(name), reportFile(name))
  const report = tests ? reportOf(name) : undefined
  const problems = tests ? findProblems(report, extent) : []
  const passed = ended.passed && problems.length === 0
  // Discards the hash if files changed during the step.
  const hash = before === hashOf(step) ? before : undefined
  memory.keep(name, { ...ended, passed, hash, report: reportFile(name), files, partial: changed !== undefined || isolate })
  printOutput(name, passed)
  const count = report === undefined ? '' : `: ${report.passed} tests`
  console.log(`${number.get(name)} ${passed ? 'passed' : 'FAILED'} after ${Math.round(ended.seconds)} s${count}`)
  return { ...ended, name, passed, problems, report, state: passed ? 'passed' : 'failed' }
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    isEnding = true
    void endCommands(signal).then(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  })
process.on('exit', () => rmSync(results, { recursive: true, force: true, maxRetries: 3 }))
const heartbeat = setInterval(() => {
  const now = [...runningSince].map(([name, since]) => `${name} ${Math.round((Date.now() - since) / 1000)} s`)
  if (now.length > 0) console.log(`    running: ${now.join(', ')}`)
}, HEARTBEAT_MS)

for (const { name, tests = false } of unchanged) {
  console.log(`${number.get(name)}: unchanged since it passed, not repeated`)
  if (tests) copyFileSync(memory.reportOf(name), reportFile(name))
}
const cores = availableParallelism()
const ended = await runSteps(run, { cores, secondsOf: usual, start })
clearInterval(heartbeat)

const nothing = { seconds: 0, cpu: 0 }
const steps = [
  ...unchanged.map(({ name }) => ({ ...nothing, name, state: 'unchanged', report: reportOf(name) })),
  ...run.map(({ name }) => {
    const result = ended.get(name)
    return result === undefined || result === 'left out' ? { ...nothing, name, state: 'left out' } : result
  }),
]
const seconds = performance.now() / 1000
const override = process.env.TEST_LIMIT_SECONDS
const problems = whole ? checkTime(steps, { extent, isCi, override }) : []
console.log(`\n${writeSummary(steps, { seconds, problems, extent })}`)
process.exitCode = countTests(steps, problems).failed > 0 ? 1 : 0
