/**
 * `npm run mutants`: samples mutants of the money code, writes each to a copy of the project, runs the tests related to the changed
 * file, and reports the mutants that survived. See docs/decisions/0013-mutation-testing.md.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../../apps/server/src/cli/command-line.mjs'
import { compiling, copyProject } from './copy.ts'
import { AREAS, changedLines, draw, mutantsOf } from './sample.ts'
import { createEvaluator } from './evaluate.ts'
import type { Mutant } from './mutant.ts'
import { startRunner } from './test-runner.ts'

/** Required share of killed mutants. */
const GOAL = 0.95
const USAGE = `npm run mutants -- [--seed N] [--from N] [--count N] [--area NAME|PATH]… [--changed REF] [--list]
--from N: skips the first N sampled mutants
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
// Exits on signals until Vitest starts. From then on, Vitest must stop its database server first (test-runner.ts).
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(130))

const [from, count] = [Number(options.from), Number(options.count)]
/** Returns the mutants of this run, in sampling order. */
function sampleMutants(): Mutant[] {
  const changed = options.changed === undefined ? undefined : changedLines(root, options.changed)
  const areas = (options.area ?? Object.keys(AREAS)).map((name) => {
    const [beginning = '', line] = name.split(':')
    return mutantsOf(root, AREAS[beginning] ?? [beginning])
      .filter((mutant) => line === undefined || mutant.line === Number(line))
      .filter((mutant) => changed?.get(mutant.file)?.has(mutant.line) ?? changed === undefined)
  })
  // Takes the next mutants in place of those that do not compile.
  return compiling(copy, draw(areas, Number(options.seed)).slice(0, 2 * (from + count) + 20)).slice(from, from + count)
}

const mutants = sampleMutants()
if (options.list) {
  mutants.forEach((mutant) => console.log(show(mutant)))
  process.exit(0)
}
const runner = await startRunner(copy)
const { evaluate, failing } = createEvaluator(copy, runner)
const survivors: Mutant[] = []
let [tested, timedOut] = [0, 0]
// Runs one test first to start the database server.
await runner.run(
  runner.tests.filter((test) => test.endsWith('ledger/statement.test.ts')),
  [],
)
for (const [index, mutant] of mutants.entries()) {
  const began = Date.now()
  const outcome = await evaluate(mutant)
  const say = (text: string) => console.log(`${from + index + 1} ${text} (${((Date.now() - began) / 1000).toFixed(0)} s)`)
  if (outcome.is === 'invalid') {
    say(`${mutant.file}:${mutant.line} is invalid SQL, skipped`)
    continue
  }
  tested += 1
  if (outcome.is === 'survived') {
    say(`SURVIVED ${outcome.testFiles} test files\n  ${show(mutant)}`)
    survivors.push(mutant)
  } else say(`${outcome.is === 'timed out' ? 'times out with this mutant only:' : 'killed by'} ${outcome.by}`)
  if (outcome.is === 'timed out') timedOut += 1
}
const killed = tested - survivors.length
console.log(`\nSurvived:\n${survivors.map((mutant) => `  ${show(mutant)}`).join('\n')}`)
console.log(`${killed} of ${tested} killed (${((100 * killed) / Math.max(tested, 1)).toFixed(1)} %), ${timedOut} of them by a time-out`)
await runner.close()
process.exit(killed >= GOAL * tested && failing.size === 0 ? 0 : 1)
