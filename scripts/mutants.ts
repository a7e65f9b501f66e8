/**
 * `npm run mutants`: draws small mistakes from the money code, puts each into a copy of the project, runs the tests that such
 * a change triggers, and says which mistakes nobody noticed. See docs/decisions/0013-planted-mistakes.md.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compiling, copyProject, plantIn } from './mutants/copy.ts'
import { AREAS, changedLines, draw, mutantsOf } from './mutants/draw.ts'
import type { Mutant } from './mutants/mutant.ts'
import { importsOf, relatedTests } from './mutants/related-tests.ts'
import { startRunner, type TestRunner, type Verdict } from './mutants/test-runner.ts'

/** Share of the mistakes that the tests have to notice. */
const GOAL = 0.95
const USAGE = `npm run mutants -- [--seed N] [--count N] [--area NAME|PATH]… [--changed REF] [--list]
areas: ${Object.keys(AREAS).join(' ')}, or the beginning of a path, with or without :LINE`

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: asked } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    area: { type: 'string', multiple: true },
    changed: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const unknown = asked.area?.filter((name) => AREAS[name] === undefined && !name.includes('/')) ?? []
const isNumber = (text: string) => /^\d+$/.test(text)
if (asked.help || unknown.length > 0 || !isNumber(asked.seed) || !isNumber(asked.count)) {
  console.log(USAGE)
  process.exit(asked.help ? 0 : 2)
}

const show = ({ file, line, rule, before, after }: Mutant) => `${file}:${line} (${rule})\n    - ${before}\n    + ${after}`
const copy = copyProject(root)
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }))
// Until Vitest runs, which has a database server to stop first.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(130))

/** The mistakes of this run, in the order of the draw. */
function drawn(): Mutant[] {
  const changed = asked.changed === undefined ? undefined : changedLines(root, asked.changed)
  const areas = (asked.area ?? Object.keys(AREAS)).map((name) => {
    const [beginning = '', line] = name.split(':')
    return mutantsOf(root, AREAS[beginning] ?? [beginning])
      .filter((mutant) => line === undefined || mutant.line === Number(line))
      .filter((mutant) => changed?.get(mutant.file)?.has(mutant.line) ?? changed === undefined)
  })
  const count = Number(asked.count)
  // Some do not compile; the draw goes on in their place.
  return compiling(copy, draw(areas, Number(asked.seed)).slice(0, 2 * count + 20)).slice(0, count)
}

/** Runs the tests on one mistake; undefined when its SQL is refused by the database. */
async function judge(tests: TestRunner, mutant: Mutant, related: readonly string[]): Promise<Verdict | undefined> {
  const restore = plantIn(copy, mutant)
  const isSql = mutant.file.endsWith('.sql')
  const refused =
    isSql &&
    (await tests.remakeDatabase().then(
      () => false,
      () => true,
    ))
  const verdict = refused ? undefined : await tests.run(related, [mutant.file])
  restore()
  if (isSql) await tests.remakeDatabase()
  return verdict
}

const mutants = drawn()
if (asked.list) {
  mutants.forEach((mutant) => console.log(show(mutant)))
  process.exit(0)
}
const runner = await startRunner(copy)
const imports = importsOf(copy)
/** Test files that pass on the code as it is, and those that do not: what fails anyway notices nothing. */
const [sound, failing] = [new Set<string>(), new Set<string>()]
const missed: Mutant[] = []

/** Whether a file that seems to have noticed a mistake passes without it. */
async function isSound(file: string, mutant: Mutant): Promise<boolean> {
  if (sound.has(file) || !runner.tests.includes(file)) return true
  const plain = await runner.run([file], [mutant.file])
  ;(plain.noticed ? failing : sound).add(file)
  if (plain.noticed) console.log(`  ${plain.by} fails without a mistake; its file is left out`)
  return !plain.noticed
}
let tried = 0
// One test first, which starts the database server.
await runner.run(
  runner.tests.filter((test) => test.endsWith('ledger/statement.test.ts')),
  [],
)
for (const mutant of mutants) {
  const began = Date.now()
  const all = relatedTests(runner.tests, mutant.file, imports)
  let related: string[] = []
  let verdict: Verdict | undefined
  do {
    related = all.filter((file) => !failing.has(file))
    verdict = await judge(runner, mutant, related)
  } while (verdict?.noticed === true && !(await isSound(verdict.by.split(' › ')[0] ?? '', mutant)))
  if (verdict === undefined) {
    console.log(`  ${mutant.file}:${mutant.line} is no SQL, left out`)
    continue
  }
  if (!verdict.noticed) missed.push(mutant)
  tried += 1
  const seconds = ((Date.now() - began) / 1000).toFixed(0)
  console.log(
    `${tried}/${mutants.length} ${verdict.noticed ? `noticed by ${verdict.by}` : `MISSED by ${related.length} test files`} (${seconds} s)`,
  )
  if (!verdict.noticed) console.log(`  ${show(mutant)}`)
}
const noticed = tried - missed.length
console.log(`\nMissed:\n${missed.map((mutant) => `  ${show(mutant)}`).join('\n')}`)
console.log(`${noticed} of ${tried} noticed (${((100 * noticed) / Math.max(tried, 1)).toFixed(1)} %)`)
await runner.close()
process.exit(noticed >= GOAL * tried && failing.size === 0 ? 0 : 1)
