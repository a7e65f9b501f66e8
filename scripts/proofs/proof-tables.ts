import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { testTitles } from '../test-titles.ts'
import type { Control } from './controls.ts'
import type { Fault } from './faults.ts'

/** Titles of tests, or of groups of tests, by file. A title is whole and reads as in the code, `%s` and `$key` included. */
export type Tests = Readonly<Record<string, readonly string[]>>

const root = fileURLToPath(new URL('../..', import.meta.url))
const PARTS_OF_ROWS = /%[sdifjop]|\$\{[^}]*\}|\$\w+|…/
const SET_ASIDE = /\b(?:it|test|describe)\.(?:skip|todo|fixme|fails|only)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/** Matches a title as it is printed, whatever the rows of a table put into it. */
const asPrinted = (title: string): RegExp => new RegExp(`^${title.split(PARTS_OF_ROWS).map(RegExp.escape).join('[^]*')}$`)

const titlesByFile = new Map<string, readonly string[] | undefined>()

/** Titles of the tests in a file that run; undefined for a file that is not there. A file is read once. */
function titlesIn(file: string): readonly string[] | undefined {
  if (!titlesByFile.has(file)) titlesByFile.set(file, readTitles(file))
  return titlesByFile.get(file)
}

function readTitles(file: string): readonly string[] | undefined {
  const at = path.join(root, file)
  if (!/\.(?:test|spec)\.tsx?$/.test(file) || !existsSync(at)) return undefined
  const code = readFileSync(at, 'utf8')
  const aside = new Set([...code.matchAll(SET_ASIDE)].map(([, , title]) => title))
  return testTitles(code, file.endsWith('x')).filter((title) => !aside.has(title))
}

/**
 * Finds the named tests that no file has. Titles come from the syntax tree of the file, so that neither a comment nor a part
 * of another title counts.
 */
function missingTests(tests: Tests): string[] {
  return Object.entries(tests).flatMap(([file, wanted]) => {
    const titles = titlesIn(file)
    if (titles === undefined) return [`${file} is no test file`]
    return wanted
      .filter((title) => !titles.some((one) => asPrinted(title).test(one)))
      .map((title) => `${file} has no test "${title}" that runs`)
  })
}

const hasTests = (tests: Tests): boolean => Object.values(tests).some((titles) => titles.length > 0)

/** Everything that is wrong with the tables, one sentence each. */
export function faultsOfTables(controls: readonly Control[], faults: readonly Fault[]): string[] {
  const wanted = [...Array.from({ length: 120 }, (_, index) => String(index + 1)), 'F13', 'F37']
  const ids = controls.map(({ id }) => id)
  return [
    ...(ids.join() === wanted.join() ? [] : ['The controls are not 1 to 120, F13 and F37, each once and in this order']),
    ...controls.flatMap(({ id, tests, note }) => [
      ...(hasTests(tests) || note !== undefined ? [] : [`Control ${id} has neither a test nor a reason`]),
      ...missingTests(tests).map((fault) => `Control ${id}: ${fault}`),
      ...[...(note ?? '').matchAll(/\]\(([^)]+)\)/g)]
        .filter(([, page = '']) => !existsSync(path.join(root, 'docs', page)))
        .map(([, page = '']) => `Control ${id}: docs/${page} is not there`),
    ]),
    ...faults.flatMap(({ fault, tests }) => [
      ...(hasTests(tests) ? [] : [`The fault "${fault}" has no test`]),
      ...missingTests(tests).map((missing) => `The fault "${fault}": ${missing}`),
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

/** A page with other rows in its only table with this head. */
export function withRows(page: string, head: string, rows: readonly string[]): string {
  const lines = page.split('\n')
  const at = lines.indexOf(head)
  if (at === -1) throw new Error(`there is no table "${head}"`)
  const first = at + 2
  const after = lines.findIndex((line, index) => index >= first && !line.startsWith('|'))
  return [...lines.slice(0, first), ...rows, ...lines.slice(after === -1 ? lines.length : after)].join('\n')
}
