/** Writes the end of a run: failures with their reasons, the seconds of each step, and one line that counts the tests. */
import { stripVTControlCharacters } from 'node:util'
import { LIMIT_SECONDS, SPEED_STEPS, TARGET_SECONDS } from './steps.mjs'

/**
 * @typedef {object} Ended
 * @property {string} name
 * @property {'passed' | 'failed' | 'unchanged' | 'left out'} state
 * @property {number} seconds
 * @property {number} cpu seconds of processor time
 * @property {string[]} [problems] what failed besides tests
 * @property {import('./reports.mjs').Report} [report]
 */

const round = (/** @type {number} */ seconds) => (seconds < 9.95 ? seconds.toFixed(1) : String(Math.round(seconds)))
const firstLines = (/** @type {string} */ text) => stripVTControlCharacters(text).split('\n').slice(0, 4).join('\n    ')

/**
 * Counts the tests of a run. A step or check that failed without a failed test counts as one failed test.
 * @param {readonly Ended[]} steps
 * @param {readonly string[]} problems of the whole run
 */
export function countTests(steps, problems = []) {
  const sum = (/** @type {(step: Ended) => number} */ of) => steps.reduce((total, step) => total + of(step), 0)
  const failedIn = ({ state, report, problems: own = [] }) =>
    state === 'failed' ? Math.max(1, (report?.failed.length ?? 0) + own.length) : state === 'left out' ? 1 : 0
  return {
    passed: sum(({ report }) => report?.passed ?? 0),
    failed: sum(failedIn) + problems.length,
    skipped: sum(({ report }) => report?.skipped.length ?? 0),
  }
}

/** Formats the last line of a run, which other programs read. */
export const lastLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`

/** @param {readonly Ended[]} steps */
function tableOf(steps) {
  const rows = steps.map(({ name, state, seconds, cpu, report }) => {
    const ran = state === 'passed' || state === 'failed'
    return [name, ran ? round(seconds) : '', ran ? round(cpu) : '', report === undefined ? '' : String(report.passed), state]
  })
  return [['step', 'seconds', 'cpu', 'tests', ''], ...rows]
}

/** @param {readonly (readonly string[])[]} rows */
function align(rows) {
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 || column === 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

const cpuOf = (/** @type {readonly Ended[]} */ steps) => steps.reduce((sum, { cpu }) => sum + cpu, 0)

/**
 * Checks a run's processor time against its limit, which grows with the slowness of the processor.
 * @param {readonly Ended[]} steps
 * @param {{ extent: string, isCi: boolean, override: string | undefined }} run `override` is TEST_LIMIT_SECONDS
 * @returns {string[]} a sentence, or nothing
 */
export function checkTime(steps, { extent, isCi, override }) {
  const cpu = cpuOf(steps)
  const slowness = Math.max(1, cpuOf(steps.filter(({ name }) => SPEED_STEPS.names.includes(name))) / SPEED_STEPS.seconds)
  const limit = override === undefined || override === '' ? Math.round(LIMIT_SECONDS[extent] * slowness) : Number(override)
  if (!isCi || !(limit > 0) || cpu <= limit) return []
  return [
    `The run used ${Math.round(cpu)} s of processor time, but its limit is ${limit} s. The table shows which step is slow; TEST_LIMIT_SECONDS=0 disables this check.`,
  ]
}

/**
 * Reports a run that took longer than its goal. This is no failure, because other load also makes a run longer.
 * @param {number} seconds
 * @param {string} extent
 */
export const checkDuration = (seconds, extent) =>
  seconds <= TARGET_SECONDS[extent] ? '' : `; the goal on 2 idle cores is ${TARGET_SECONDS[extent]} s`

/**
 * Writes the end of a run.
 * @param {readonly Ended[]} steps
 * @param {{ seconds: number, problems: readonly string[], extent?: string, slowest?: number }} run
 * @returns {string} its last line is {@link lastLine}
 */
export function writeSummary(steps, { seconds, problems, extent = 'short', slowest = 10 }) {
  const out = []
  for (const { name, report, state, problems: own = [] } of steps) {
    for (const { title, why } of report?.failed ?? []) out.push(`✗ ${name}: ${title}\n    ${firstLines(why)}`)
    for (const problem of own) out.push(`✗ ${name}: ${problem}`)
    if (state === 'failed' && (report?.failed.length ?? 0) + own.length === 0) out.push(`✗ ${name}: see what it printed`)
    if (state === 'left out') out.push(`✗ ${name}: not run, because a step that it needs failed`)
  }
  for (const problem of problems) out.push(`✗ ${problem}`)
  for (const { name, report } of steps) for (const title of report?.flaky ?? []) out.push(`flaky: ${name}: ${title}`)
  out.push(
    '',
    ...align(tableOf(steps)),
    `total: ${round(seconds)} s, ${round(cpuOf(steps))} s of processor time${checkDuration(seconds, extent)}`,
  )
  const files = steps
    .filter(({ state }) => state === 'passed' || state === 'failed')
    .flatMap(({ name, report }) => (report?.files ?? []).map((file) => ({ name, ...file })))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, slowest)
  if (files.length > 0)
    out.push('', 'Slowest files:', ...files.map(({ name, file, seconds: took }) => `  ${round(took)} s  ${name}  ${file}`))
  const failed = steps.filter(({ state }) => state === 'failed' || state === 'left out').map(({ name }) => name)
  if (failed.length > 0) out.push('', `Failed: ${failed.join(', ')}`)
  out.push('', lastLine(countTests(steps, problems)))
  return out.join('\n')
}
