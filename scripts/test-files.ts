import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { WAIT_MS } from '../e2e/wait-limit.ts'

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const TEST_FILE = /\.(?:test|spec)\.[cm]?[jt]sx?$/
const IMPORTS_RUNNER = /from '(?:vitest|@playwright\/test)'/
/** Modifiers that skip or focus a test. */
const MARKS =
  /\b(?:it|test|describe|suite)\b[\w.]*\.(?:skip|only|todo|fixme|fails?|skipIf|runIf)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(|\bskip\(\)/g
/** A test with an empty function. */
const EMPTY = /\b(?:it|test)\b[\w.]*\((['"`])(?:(?!\1).)*\1,\s*(?:async\s*)?\([^)]*\)\s*=>\s*\{\s*\}/g
/**
 * Immediate reads of values that may change later, in a screen test: address, focus, scroll position, and an element for an action.
 * Reads of an element's text are allowed, because the test may have waited for another part of the same element.
 */
const IMMEDIATE =
  /^\s*(?:expect\((?:location\.|document\.activeElement\b|.*\.element\(\)\.scrollTop\)).*|.*\.element\(\)(?: as HTMLElement\))?\.(?:focus|click)\(\))$/gm
/** PostgreSQL views about all databases of a server, with the rest of the statement. */
const SERVER_VIEWS = /(?:from|join) pg_(?:stat_activity|stat_database|locks|prepared_xacts)\b[^`]*/g

/** A limit of a test or of a poll, in ms. An attempt that `toPass` repeats may be shorter. */
const LIMIT = /\b(?:timeout: |setTimeout\()([\d_]+)\b(?! \*|.*\n *\}\)\.toPass\()|^ *\}, ([\d_]+)\)$/gm
/** Limit of each poll, in ms (vitest.config.ts). End-to-end tests wait for jobs (`e2e/wait-limit.ts`). */
const POLL_MS = 30_000
const pollLimit = (file: string): number => (file.startsWith('e2e/') ? WAIT_MS : POLL_MS)
/** The limit of a test or of a hook, in ms. */
const TEST_LIMIT = /(?:['`], |^ *)\{ timeout: ([\d_]+) \},|^ *\}, ([\d_]+)\)$/gm
/** Limit of each test and hook outside the web app, in ms (vitest.config.ts). */
const TEST_MS = 300_000
/** Wait for a page without open requests. */
const IDLE_NETWORK = /['"]networkidle['"]/g

const unixPath = (file: string): string => file.split(path.sep).join('/')

export interface Source {
  /** Path from the repository root. */
  file: string
  text: string
}

/** Returns the path and text of each file that has a test's name or imports a test runner. */
export function testSources(root: string): Source[] {
  return globSync('**/*.{ts,tsx,js,mjs,mts,cts,cjs,jsx}', { cwd: root, exclude: ['**/node_modules', '**/dist'] })
    .map(unixPath)
    .toSorted()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
    .filter(({ file, text }) => TEST_FILE.test(file) || IMPORTS_RUNNER.test(text))
}

/** Returns the paths of all files with a test's name. */
export const testFiles = (root: string): string[] =>
  testSources(root)
    .map(({ file }) => file)
    .filter((file) => TEST_FILE.test(file))

/** Returns test files that no Vitest or Playwright project runs, in any extent. */
export function unlistedFiles(root: string): string[] {
  const env = { ...process.env, TEST_EXTENT: 'all' }
  const listed = JSON.parse(
    execFileSync(process.execPath, [VITEST, 'list', '--filesOnly', '--json'], { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ) as { file: string }[]
  const opened = new Set([
    ...listed.map(({ file }) => unixPath(path.relative(root, file))),
    ...globSync('e2e/*.spec.ts', { cwd: root }).map(unixPath),
  ])
  return testFiles(root).filter((file) => !opened.has(file))
}

/** Returns skipped, focused and empty tests. */
export const disabledTests = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(MARKS), ...text.matchAll(EMPTY)].map((match) => `${file}:${lineOf(text, match.index)} ${match[0]}`),
  )

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** Returns checks in screen tests that do not wait for the value, such as a plain `expect`. `expect.poll` and `findElement` wait. */
export const immediateChecks = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ file }) => file.endsWith('.browser.test.tsx'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(IMMEDIATE)]
        .filter(([line]) => !line.includes(').not.'))
        .map((match) => `${file}:${lineOf(text, match.index + match[0].search(/\S/))} ${match[0].trim()}`),
    )

/** Returns the time limits of polls at or below the common limit. A busy machine needs more time. */
export const shortLimits = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(LIMIT)]
      .filter(([, poll, test]) => Number((poll ?? test ?? '').replaceAll('_', '')) <= pollLimit(file))
      .map((match) => `${file}:${lineOf(text, match.index)} ${match[0].trim()}`),
  )

/** Returns the limits of tests and hooks at or below the common one, which polls and starts of processes may need on a busy machine. */
export const shortTestLimits = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ file }) => !/^(?:e2e|apps\/web)\//.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(TEST_LIMIT)]
        .filter(([, option, last]) => Number((option ?? last ?? '').replaceAll('_', '')) <= TEST_MS)
        .map((match) => `${file}:${lineOf(text, match.index)} ${match[0].trim()}`),
    )

/** Returns statements in tests that read data of all databases, because other test files share the database server. */
export const serverWideReads = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(SERVER_VIEWS)]
      .filter(([statement]) => !/current_database\(\)|application_name = |pg_backend_pid/.test(statement))
      .map((match) => `${file}:${lineOf(text, match.index)} ${match[0].split('\n')[0]}`),
  )

/** Returns waits for an idle network, which never comes once a page has opened its change stream. `watchRequests` ignores the stream. */
export const idleWaits = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ file, text }) => [...text.matchAll(IDLE_NETWORK)].map((match) => `${file}:${lineOf(text, match.index)}`))
