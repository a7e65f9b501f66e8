/** Reads the JSON reports of Vitest and Playwright into one format. */
import path from 'node:path'

/**
 * @typedef {object} Report
 * @property {number} passed
 * @property {{ title: string, why: string }[]} failed tests, and files that could not be loaded
 * @property {string[]} skipped
 * @property {string[]} flaky tests that passed only when they were tried again
 * @property {{ file: string, seconds: number }[]} files
 */

/**
 * @param {any} report
 * @param {string} root
 * @returns {Report}
 */
function readVitest({ testResults }, root) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const named = (select) => tests.filter(select).map(({ fullName }) => fullName)
  const isBroken = ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: [
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({ title: fullName, why: failureMessages?.[0] ?? '' })),
      ...testResults.filter(isBroken).map(({ name, message }) => ({ title: path.relative(root, name), why: message ?? '' })),
    ],
    skipped: named(({ status }) => status !== 'passed' && status !== 'failed'),
    // Vitest keeps the errors of failed attempts.
    flaky: named(({ status, failureMessages }) => status === 'passed' && (failureMessages ?? []).length > 0),
    files: testResults.map(({ name, startTime, endTime }) => ({
      file: path.relative(root, name),
      seconds: Math.max(0, endTime - startTime) / 1000,
    })),
  }
}

/**
 * Returns the test files without complete results in a report of Vitest, because the process of the file ended early.
 * @param {any} report
 * @returns {string[]} absolute paths
 */
export function findInterrupted({ testResults = [] }) {
  return testResults
    .filter(
      ({ status, assertionResults }) =>
        status === 'passed' && (assertionResults.length === 0 || assertionResults.some((test) => test.status === 'pending')),
    )
    .map(({ name }) => String(name))
}

/**
 * Replaces the results of files by the results of the second run, and marks the tests as flaky.
 * @param {any} first a report of Vitest
 * @param {any} second
 */
export function mergeSecondRun(first, second) {
  const again = new Map(second.testResults.map((result) => [result.name, result]))
  const marked = ({ status, ...test }) =>
    status === 'passed' ? { ...test, status, failureMessages: ['its process ended in the first run'] } : { ...test, status }
  const testResults = first.testResults.map((result) => {
    const { assertionResults, ...rest } = again.get(result.name) ?? {}
    return assertionResults === undefined ? result : { ...rest, assertionResults: assertionResults.map(marked) }
  })
  return { ...first, testResults }
}

/**
 * Adds the results of the files that ran again to those of the run before.
 * @param {any} before a report of Vitest
 * @param {any} again of some of its files, and of new ones
 */
export function mergeReports(before, again) {
  const names = new Set(again.testResults.map(({ name }) => name))
  return { ...before, testResults: [...before.testResults.filter(({ name }) => !names.has(name)), ...again.testResults] }
}

/** Returns the specs of a Playwright suite, including nested suites. */
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]

/**
 * @param {any} report
 * @param {string} root
 * @returns {Report}
 */
function readPlaywright({ config, suites, errors = [] }, root) {
  const seconds = new Map()
  const specs = suites.flatMap(specsOf)
  for (const { file, tests } of specs) {
    const at = path.relative(root, path.join(config.rootDir, file))
    const took = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration / 1000, 0)
    seconds.set(at, (seconds.get(at) ?? 0) + took)
  }
  const titlesOf = (status) => specs.filter(({ tests }) => tests.some((test) => test.status === status)).map(({ title }) => title)
  return {
    passed: specs.filter(({ tests }) => tests.length > 0 && tests.every(({ status }) => status === 'expected' || status === 'flaky'))
      .length,
    failed: [
      ...specs
        .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
        .map(({ title, tests }) => ({ title, why: tests[0]?.results[0]?.error?.message ?? '' })),
      ...errors.map(({ message = '' }) => ({ title: 'the run', why: message })),
    ],
    skipped: titlesOf('skipped'),
    flaky: titlesOf('flaky'),
    files: [...seconds].map(([file, took]) => ({ file, seconds: took })),
  }
}

/**
 * Reads a report of either runner.
 * @param {any} report
 * @param {string} root
 * @returns {Report}
 */
export function readReport(report, root) {
  if (report.testResults !== undefined) return readVitest(report, root)
  if (report.suites !== undefined) return readPlaywright(report, root)
  throw new Error('This report is neither of Vitest nor of Playwright')
}

/**
 * Returns problems in a report that the runners do not count as failures.
 * @param {Report | undefined} report
 * @param {string} extent a step may have no tests in `added`
 * @returns {string[]}
 */
export function findProblems(report, extent) {
  if (report === undefined) return ['it wrote no report']
  const { passed, failed, skipped } = report
  const problems = skipped.length > 0 ? [`skipped tests: ${skipped.join(', ')}`] : []
  if (passed + failed.length + skipped.length === 0 && extent !== 'added') problems.push('it contains no test')
  return problems
}
