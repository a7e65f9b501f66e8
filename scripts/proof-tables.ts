import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CallExpression, parseSync, type Span, Visitor } from 'oxc-parser'
import { ATTACKS } from './attacks/index.ts'
import type { TestResult } from './requirement-trace.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const PLACEHOLDER = /%[sdifjop]|\$\{[^}]*\}|\$\w+|…/
const COMMENT = /^\s*(?:\/\/|\*|\/\*).*$/gm
const TEST = /^`([^`]+)` › (.+)$/
/** Separates two cells. A title contains `|` as `\|`. */
const CELL_BORDER = /(?<!\\)\|/

/** Row of the tables in docs/security.md and docs/faults.md: a control or fault with the tests that prove it. */
export interface Proof {
  name: string
  /** Titles of tests or groups without the ids. Apart from this a title is complete, as in the code, with `%s` and `$key`. */
  tests: readonly { file: string; title: string }[]
  /** Cell after the tests: open points and decisions of a control, or the result of a fault. */
  note: string
}

/** Returns true if the file has a test or group with the title, and undefined if the test file does not exist. */
export type HasTest = (file: string, title: string) => boolean | undefined

/** Reads the rows of the table with the given head. The cells before the column `Tests` are the row's name. */
export function readProofs(page: string, head: string): Proof[] {
  const lines = page.split('\n')
  const at = lines.indexOf(head)
  if (at === -1) throw new Error(`there is no table "${head}"`)
  const after = lines.findIndex((line, index) => index > at && !line.startsWith('|'))
  return lines.slice(at + 2, after === -1 ? undefined : after).map((line) => {
    const cells = line.split(CELL_BORDER).slice(1, -1)
    const [tests = '', note = ''] = cells.slice(-2).map((cell) => cell.trim().replaceAll('\\|', '|'))
    return {
      name: cells
        .slice(0, -2)
        .map((cell) => cell.trim())
        .join(' '),
      tests:
        tests === ''
          ? []
          : tests.split('<br>').map((test) => {
              const [, file, title] = TEST.exec(test) ?? []
              if (file === undefined || title === undefined) throw new Error(`"${test}" does not have the form \`file\` › title`)
              return { file, title }
            }),
      note,
    }
  })
}

const readPage = (name: string): string => readFileSync(path.join(root, 'docs', name), 'utf8')
/** The 120 security controls and two reliability goals (F13, F37). */
export const CONTROLS = readProofs(readPage('security.md'), '| No. | Control | Tests | Open points and decisions |')
/** The faults that tests cause, and the attacks that they play. */
export const FAULTS = [
  ...readProofs(readPage('faults.md'), '| Fault | Tests | Result |'),
  ...ATTACKS.map(({ attack, message, tests }) => ({ name: attack, tests, note: message })),
]

/** Converts a title to a pattern that also matches ids before the title and values in place of `%s` and `$key`. */
const patternOf = (title: string): string => `(?:(?:\\[[^\\]]*\\]|%s) )*${title.split(PLACEHOLDER).map(RegExp.escape).join('[^\\n]*?')}`

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

/**
 * Returns the code of the tests and groups with a title, and of each function and constant of the file that they use, directly or through
 * others. Names that are declared inside another test or function do not count.
 */
export function codeOfTest(code: string, title: string): string {
  const calls: CallExpression[] = []
  const declared: { name: string; node: Span }[] = []
  const textOf = ({ start, end }: Span) => code.slice(start, end)
  const declare = (id: { type: string; name?: string } | null, node: Span) => {
    if (id?.name !== undefined) declared.push({ name: id.name, node })
  }
  new Visitor({
    CallExpression: (node) => void calls.push(node),
    FunctionDeclaration: (node) => declare(node.id, node),
    ClassDeclaration: (node) => declare(node.id, node),
    VariableDeclarator: ({ id, ...node }) => declare(id.type === 'Identifier' ? id : null, node),
  }).visit(parseSync('a.test.ts', code).program)
  const isCallOf = (names: RegExp) => (call: CallExpression) => names.test(textOf(call.callee))
  const scopes: Span[] = [...calls.filter(isCallOf(/^(?:it|test)\b/)), ...declared.map(({ node }) => node)]
  const shared = declared.filter(({ node }) => !scopes.some((one) => one !== node && one.start <= node.start && node.end <= one.end))
  const isTitle = new RegExp(`^(['"\`])${patternOf(title)}\\1$`)
  const named = calls
    .filter(isCallOf(/^(?:it|test|describe)\b/))
    .filter(({ arguments: [first] }) => first !== undefined && isTitle.test(textOf(first).replaceAll("\\'", "'")))
  const used = new Set(named.map(textOf))
  for (const text of used)
    for (const { name, node } of shared) if (new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).test(text)) used.add(textOf(node))
  return [...used].join('\n')
}

/** Lists the mistakes in the tables, one sentence each. A part of a title does not count as the title. */
export function mistakesInTables(controls: readonly Proof[], faults: readonly Proof[], hasTest: HasTest = isInCode): string[] {
  const expected = [...Array.from({ length: 120 }, (_, index) => String(index + 1)), 'F13', 'F37']
  const ids = controls.map(({ name }) => name.split(' ')[0])
  return [
    ...(ids.join() === expected.join() ? [] : ['The controls are not 1 to 120, F13 and F37, each once and in this order']),
    ...controls
      .filter(({ tests, note }) => tests.length === 0 && note === '')
      .map(({ name }) => `Control ${name} has neither a test nor a reason`),
    ...faults.filter(({ tests }) => tests.length === 0).map(({ name }) => `The fault "${name}" has no test`),
    ...[...controls, ...faults].flatMap(({ name, tests, note }) => [
      ...tests.flatMap(({ file, title }) => {
        const found = hasTest(file, title)
        if (found === undefined) return [`${name}: ${file} is no test file, or none of its tests passed`]
        return found ? [] : [`${name}: ${file} has no test "${title}"`]
      }),
      ...[...note.matchAll(/\]\(([^)]+)\)/g)]
        .filter(([, page = '']) => !existsSync(path.join(root, 'docs', page)))
        .map(([, page = '']) => `${name}: docs/${page} is not there`),
    ]),
  ]
}

/** Lists controls and faults whose named tests did not run and pass. A control may name a group of tests. */
export function findUnproven(results: readonly TestResult[]): string[] {
  const passed = Map.groupBy(
    results.filter(({ outcome }) => outcome === 'passed'),
    ({ file }) => file,
  )
  return mistakesInTables(CONTROLS, FAULTS, (file, title) => {
    const tests = passed.get(file)
    return (
      tests &&
      isPrinted(
        title,
        tests.flatMap((test) => [test.title, ...test.groups]),
      )
    )
  })
}
