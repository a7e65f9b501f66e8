import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

/** Tests that take long come last and only for mistakes of their own room; those about processes, lines and input not at all. */
const LONG = [
  { end: 'rewards/no-free-money.test.ts', room: 'modules/rewards' },
  { end: 'rewards/life.test.ts', room: 'modules/rewards' },
  { end: 'ledger-simulator/simulator.test.ts', room: 'ledger' },
]
const NEVER =
  /^(?:scripts|tools)|\/(?:(?:unresponsive-upstream|termination|zero-downtime-restart|full-disk|small-disk|setup|service|backup|replica|replica-reads)\.postgres|wait-for-schema|application-role|fault-points|private-folder|stale-worker|kill-run|bad-input|tizara|embedded-backup|embedded-small-disk)\.test\.ts$/
/** Most test files for one mistake: what the nearest do not notice, the others hardly would. */
const MOST = 10

/**
 * The test files that a change of a file triggers, the likeliest to notice it first: those beside it, those of its room, then
 * the others that import it, by way of whatever: first those that name it or speak of it, then the nearest. A change of SQL
 * triggers the tests of all that stands in its folder.
 */
export function relatedTests(tests: readonly string[], file: string, code: Code): string[] {
  const changed = file.endsWith('.sql') ? `${path.dirname(file)}/` : file
  const room = /^(?:packages|apps\/server\/src(?:\/(?:modules|gateways|main))?)\/[\w-]+/.exec(file)?.[0] ?? file
  const near = (test: string) => (path.dirname(test) === path.dirname(file) ? 0 : test.startsWith(`${room}/`) ? 1 : 2)
  const isLong = (test: string) => LONG.some(({ end }) => test.endsWith(end))
  const found = tests
    .filter((test) => !NEVER.test(test) && !isLong(test))
    .map((test) => ({ test, steps: stepsTo(code.imports, test, changed), near: near(test), named: sharedWords(test, file) }))
    .filter(({ steps }) => steps < Infinity)
    .map((one) => ({ ...one, spoken: spokenOf(code.text(one.test), file) }))
    .toSorted((a, b) => a.near - b.near || b.named - a.named || b.spoken - a.spoken || a.steps - b.steps)
    .map(({ test }) => test)
  const long = LONG.filter((one) => room.endsWith(one.room)).flatMap(({ end }) => tests.filter((test) => test.endsWith(end)))
  return [...found.slice(0, MOST), ...long]
}

/** What is known of the files of a project. */
export interface Code {
  /** What a file of ours imports of ours, by path from the root. */
  imports(file: string): string[]
  text(file: string): string
}

const wordsOf = (name: string) => path.basename(name).split('.')[0]?.split('-') ?? []
/** How many words the two names have in common: `undo-nft.ts` and `undo-purchase.test.ts` have one. */
const sharedWords = (test: string, file: string) => wordsOf(test).filter((word) => wordsOf(file).includes(word)).length
/** How many words of a file's name and folder stand in a test's text. */
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

/** Reads a project. */
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
