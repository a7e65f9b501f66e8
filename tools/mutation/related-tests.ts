import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

/** Slow tests, which run last and only for mutants of their own folder. */
const LONG = [
  { end: 'rewards/no-free-money.test.ts', folder: 'modules/rewards' },
  { end: 'rewards/life.test.ts', folder: 'modules/rewards' },
  { end: 'ledger-simulator/simulator.test.ts', folder: 'ledger' },
]
/** Tests that never run on mutants: tests of processes, of connections and of all input. */
const NEVER =
  /^(?:scripts|tools)|\/(?:(?:unresponsive-upstream|termination|zero-downtime-restart|full-disk|small-disk|setup|service|backup|replica|replica-reads)\.postgres|wait-for-schema|application-role|fault-points|private-folder|stale-worker|kill-run|bad-input|tizara|embedded-backup|embedded-small-disk)\.test\.ts$/
/** Maximum number of test files per mutant, because less related files would hardly detect the mutant. */
const MAX_TESTS = 10

/**
 * Returns the test files related to a changed file, in this order: tests beside the file, tests of the file's folder, and other tests that
 * import the file directly or indirectly. Of these, the tests that mention the file come first, and then the nearest. For an SQL file, the
 * tests of all files in the folder count as related.
 */
export function relatedTests(tests: readonly string[], file: string, code: Code): string[] {
  const changed = file.endsWith('.sql') ? `${path.dirname(file)}/` : file
  const folder = /^(?:packages|apps\/server\/src(?:\/(?:modules|gateways|main))?)\/[\w-]+/.exec(file)?.[0] ?? file
  const near = (test: string) => (path.dirname(test) === path.dirname(file) ? 0 : test.startsWith(`${folder}/`) ? 1 : 2)
  const isLong = (test: string) => LONG.some(({ end }) => test.endsWith(end))
  const found = tests
    .filter((test) => !NEVER.test(test) && !isLong(test))
    .map((test) => ({ test, steps: stepsTo(code.imports, test, changed), near: near(test), named: sharedWords(test, file) }))
    .filter(({ steps }) => steps < Infinity)
    .map((one) => ({ ...one, spoken: spokenOf(code.text(one.test), file) }))
    .toSorted((a, b) => a.near - b.near || b.named - a.named || b.spoken - a.spoken || a.steps - b.steps)
    .map(({ test }) => test)
  const long = LONG.filter((one) => folder.endsWith(one.folder)).flatMap(({ end }) => tests.filter((test) => test.endsWith(end)))
  return [...found.slice(0, MAX_TESTS), ...long]
}

/** Imports and texts of a project's files. */
export interface Code {
  /** Returns the project files imported by a file, as paths from the root. */
  imports(file: string): string[]
  text(file: string): string
}

const wordsOf = (name: string) => path.basename(name).split('.')[0]?.split('-') ?? []
/** Returns the words shared by two names: `reverse-nft.ts` and `undo-purchase.test.ts` share one. */
const sharedWords = (test: string, file: string) => wordsOf(test).filter((word) => wordsOf(file).includes(word)).length
/** Counts words of a file's name and folder in a test's text. */
const spokenOf = (text: string, file: string) =>
  [path.basename(path.dirname(file)), ...wordsOf(file)].filter((word) => text.includes(word)).length

function stepsTo(imports: (file: string) => string[], from: string, to: string): number {
  const seen = new Set([from])
  let front = [from]
  for (let steps = 0; front.length > 0; steps += 1) {
    if (front.some((file) => (to.endsWith('/') ? file.startsWith(to) : file === to))) return steps
    front = front.flatMap(imports).filter((file) => !seen.has(file) && seen.add(file))
  }
  return Infinity
}

/** Opens a project. */
export function codeOf(root: string): Code {
  const known = new Map<string, string[]>()
  const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const read = (file: string) => {
    const { staticImports, staticExports } = parseSync(file, text(file)).module
    const names = [
      ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ]
    return names.flatMap((name) => {
      const [, own, part = 'index'] = /^@tizara\/(\w+)(?:\/(.+))?$/.exec(name) ?? []
      if (own !== undefined) return [`packages/${own}/src/${part}.ts`]
      return /^\..*\.ts$/.test(name) ? [path.join(path.dirname(file), name)] : []
    })
  }
  const imports = (file: string) => {
    const found = known.get(file) ?? read(file)
    known.set(file, found)
    return found
  }
  return { imports, text }
}
