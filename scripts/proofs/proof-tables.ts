import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Control } from './controls.ts'
import type { Fault } from './faults.ts'
import type { Tests } from './proof-tests.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PARTS_OF_ROWS = /%[sdifjop]|\$\{[^}]*\}|\$\w+|…/
const COMMENT = /^\s*(?:\/\/|\*|\/\*).*$/gm

/** Returns true if a file has a test or group with a title, or undefined without such a test file. */
export type HasTest = (file: string, title: string) => boolean | undefined

/** Converts a title to a pattern, with any leading ids and any table row values. */
const patternOf = (title: string): string => `(?:(?:\\[[^\\]]*\\]|%s) )*${title.split(PARTS_OF_ROWS).map(RegExp.escape).join('[^\\n]*?')}`

/** Returns true if a printed title matches. */
export const isPrinted = (title: string, printed: readonly string[]): boolean =>
  printed.some((one) => new RegExp(`^${patternOf(title)}$`).test(one))

const codeByFile = new Map<string, string>()

/**
 * Finds a title as a whole string in a test file's code, to detect a renamed test without a run. The runners' reports decide
 * whether a test passed (`spec-trace.ts`).
 */
const isInCode: HasTest = (file, title) => {
  const at = path.join(root, file)
  if (!/\.(?:test|spec)\.tsx?$/.test(file) || !existsSync(at)) return undefined
  const code = codeByFile.get(file) ?? readFileSync(at, 'utf8').replaceAll(COMMENT, '').replaceAll("\\'", "'")
  codeByFile.set(file, code)
  return new RegExp(`(['"\`])${patternOf(title)}\\1`).test(code)
}

/** Returns named tests missing from a file. A partial title does not count. */
function missingTests(tests: Tests, hasTest: HasTest): string[] {
  return Object.entries(tests).flatMap(([file, titles]) => {
    const missing = titles.filter((title) => hasTest(file, title) !== true)
    if (missing.some((title) => hasTest(file, title) === undefined)) return [`${file} is no test file, or none of its tests passed`]
    return missing.map((title) => `${file} has no test "${title}"`)
  })
}

const hasTests = (tests: Tests): boolean => Object.values(tests).some((titles) => titles.length > 0)

/** Lists every mistake in the tables, one sentence each. */
export function faultsOfTables(controls: readonly Control[], faults: readonly Fault[], hasTest: HasTest = isInCode): string[] {
  const expected = [...Array.from({ length: 120 }, (_, index) => String(index + 1)), 'F13', 'F37']
  const ids = controls.map(({ id }) => id)
  return [
    ...(ids.join() === expected.join() ? [] : ['The controls are not 1 to 120, F13 and F37, each once and in this order']),
    ...controls.flatMap(({ id, tests, note }) => [
      ...(hasTests(tests) || note !== undefined ? [] : [`Control ${id} has neither a test nor a reason`]),
      ...missingTests(tests, hasTest).map((fault) => `Control ${id}: ${fault}`),
      ...[...(note ?? '').matchAll(/\]\(([^)]+)\)/g)]
        .filter(([, page = '']) => !existsSync(path.join(root, 'docs', page)))
        .map(([, page = '']) => `Control ${id}: docs/${page} is not there`),
    ]),
    ...faults.flatMap(({ fault, tests }) => [
      ...(hasTests(tests) ? [] : [`The fault "${fault}" has no test`]),
      ...missingTests(tests, hasTest).map((missing) => `The fault "${fault}": ${missing}`),
    ]),
  ]
}

const cell = (tests: Tests): string =>
  Object.entries(tests)
    .flatMap(([file, titles]) => titles.map((title) => `\`${file}\` › ${title.replaceAll('|', '\\|')}`))
    .join('<br>')

export const controlRows = (controls: readonly Control[]): string[] =>
  controls.map(({ id, control, tests, note }) => `| ${id} | ${control} | ${cell(tests)} | ${note ?? ''} |`)

export const faultRows = (faults: readonly Fault[]): string[] =>
  faults.map(({ fault, tests, seen }) => `| ${fault} | ${cell(tests)} | ${seen} |`)

/** Replaces the rows of the page's only table with this head. */
export function withRows(page: string, head: string, rows: readonly string[]): string {
  const lines = page.split('\n')
  const at = lines.indexOf(head)
  if (at === -1) throw new Error(`there is no table "${head}"`)
  const first = at + 2
  const after = lines.findIndex((line, index) => index >= first && !line.startsWith('|'))
  return [...lines.slice(0, first), ...rows, ...lines.slice(after === -1 ? lines.length : after)].join('\n')
}
