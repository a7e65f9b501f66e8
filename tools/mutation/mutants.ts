/**
 * `npm run mutants`: samples small mistakes in the money code, plants each in a project copy, runs the tests triggered by
 * such a change, and reports undetected ones. See docs/decisions/0013-mutation-testing.md.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../../apps/server/src/cli/command-line.mjs'
import { compiling, copyProject } from './copy.ts'
import { AREAS, changedLines, draw, mutantsOf } from './sample.ts'
import { makeJudge } from './evaluate.ts'
import type { Mutant } from './mutant.ts'
import { startRunner } from './test-runner.ts'

/** Required share of detected mutants. */
const GOAL = 0.95
const USAGE = `npm run mutants -- [--seed N] [--from N] [--count N] [--area NAME|PATH]… [--changed REF] [--list]
--from N: leaves the first N of the draw to another run
areas: ${Object.keys(AREAS).join(' ')}, or the beginning of a path, with or without :LINE`

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values: options } = readArguments(import.meta.url, {
  seed: { type: 'string', default: '1' },
  from: { type: 'string', default: '0' },
  count: { type: 'string', default: '20' },
  area: { type: 'string', multiple: true },
  changed: { type: 'string' },
  list: { type: 'boolean', default: false },
})
const unknown = options.area?.filter((name) => AREAS[name] === undefined && !name.includes('/')) ?? []
const isNumber = (text: string) => /^\d+$/.test(text)
if (unknown.length > 0 || ![options.seed, options.from, options.count].every(isNumber)) {
  console.error(USAGE)
  process.exit(2)
}

const show = ({ file, line, rule, before, after }: Mutant) => `${file}:${line} (${rule})\n    - ${before}\n    + ${after}`
const copy = copyProject(root)
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }))
// Handles signals until Vitest runs, which must first stop a database server.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(130))

const [from, count] = [Number(options.from), Number(options.count)]
/** Returns the mutants of this run, in sampling order. */
function drawn(): Mutant[] {
  const changed = options.changed === undefined ? undefined : changedLines(root, options.changed)
  const areas = (options.area ?? Object.keys(AREAS)).map((name) => {
    const [beginning = '', line] = name.split(':')
    return mutantsOf(root, AREAS[beginning] ?? [beginning])
      .filter((mutant) => line === undefined || mutant.line === Number(line))
      .filter((mutant) => changed?.get(mutant.file)?.has(mutant.line) ?? changed === undefined)
  })
  // Replaces mutants that do not compile by the next ones.
  return compiling(copy, draw(areas, Number(options.seed)).slice(0, 2 * (from + count) + 20)).slice(from, from + count)
}

const mutants = drawn()
if (options.list) {
  mutants.forEach((mutant) => console.log(show(mutant)))
  process.exit(0)
}
const runner = await startRunner(copy)
const { judge, failing } = makeJudge(copy, runner)
const missed: Mutant[] = []
let [tried, hanging] = [0, 0]
// Runs one test first to start the database server.
await runner.run(
  runner.tests.filter((test) => test.endsWith('ledger/statement.test.ts')),
  [],
)
for (const [index, mutant] of mutants.entries()) {
  const began = Date.now()
  const outcome = await judge(mutant)
  const say = (text: string) => console.log(`${from + index + 1} ${text} (${((Date.now() - began) / 1000).toFixed(0)} s)`)
  if (outcome.is === 'refused') {
    say(`${mutant.file}:${mutant.line} is no SQL, left out`)
    continue
  }
  tried += 1
  if (outcome.is === 'missed') {
    say(`MISSED by ${outcome.asked} test files\n  ${show(mutant)}`)
    missed.push(mutant)
  } else say(`${outcome.is === 'hangs' ? 'makes hang, alone too and not without it:' : 'noticed by'} ${outcome.by}`)
  if (outcome.is === 'hangs') hanging += 1
}
const noticed = tried - missed.length
console.log(`\nMissed:\n${missed.map((mutant) => `  ${show(mutant)}`).join('\n')}`)
console.log(
  `${noticed} of ${tried} noticed (${((100 * noticed) / Math.max(tried, 1)).toFixed(1)} %), ${hanging} of them by tests that hang with it`,
)
await runner.close()
process.exit(noticed >= GOAL * tried && failing.size === 0 ? 0 : 1)
