/**
 * Sums the results of several `npm test` runs: `node scripts/test/sum-runs.mjs NAME=FILE…` ends with the same last line as a run.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lastLine } from './summary.mjs'

/**
 * Sums the last lines of runs. A run without a last line (interrupted) counts as one failed test.
 * @param {readonly { name: string, output: string }[]} runs
 */
export function sumRuns(runs) {
  const counts = runs.map(({ name, output }) => {
    const [, passed, failed, skipped] = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1) ?? []
    const seconds = [...output.matchAll(/^total: ([\d.]+) s, /gm)].at(-1)?.[1]
    const failures = [...output.matchAll(/^(?:✗|flaky:) .*$/gm)].map(([line]) => line)
    return passed === undefined
      ? { name, seconds, failures: ['✗ it ended without counting its tests'], passed: 0, failed: 1, skipped: 0 }
      : { name, seconds, failures, passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
  })
  const total = (/** @type {'passed' | 'failed' | 'skipped'} */ key) => counts.reduce((sum, one) => sum + one[key], 0)
  const sum = { passed: total('passed'), failed: total('failed'), skipped: total('skipped') }
  const lines = counts.flatMap(({ name, seconds = '?', failures, ...count }) => [
    `${name}: ${seconds} s, ${lastLine(count)}`,
    ...failures.map((line) => `  ${line}`),
  ])
  return { sum, text: `${lines.join('\n')}\n\n${lastLine(sum)}` }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const runs = process.argv.slice(2).map((arg) => {
    const at = arg.lastIndexOf('=')
    return { name: arg.slice(0, at), output: readFileSync(arg.slice(at + 1), 'utf8') }
  })
  const { sum, text } = sumRuns(runs)
  console.log(`\n${text}`)
  process.exitCode = sum.failed > 0 ? 1 : 0
}
