/**
 * `npm run mutants:economy`: plants each fault of the economy in a project copy, and runs the money search until it finds the fault.
 * Prints the seconds and sequences until then. Fails if the search misses one or crashes.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../../apps/server/src/cli/command-line.mjs'
import { copyProject } from './copy.ts'
import { economyFaults } from './economy-faults.ts'

const SEARCH = 'apps/server/test/properties/money/drawn-worlds.postgres.test.ts'
const { values: options } = readArguments(import.meta.url, {
  minutes: { type: 'string', default: '4' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
})

const copy = copyProject(fileURLToPath(new URL('../..', import.meta.url)))
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Runs the search in the copy, and returns its output if it failed. */
function search(): string | undefined {
  const { status, stdout, stderr } = spawnSync(path.join(copy, 'node_modules/.bin/vitest'), ['run', '--project', 'server', SEARCH], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, TEST_EXTENT: 'all', SEARCH: 'long', SEARCH_SEED: options.seed, SEARCH_MINUTES: options.minutes, NO_COLOR: '1' },
  })
  return status === 0 ? undefined : `${stdout}${stderr}`
}

let missed = 0
for (const { name, file, before, after } of economyFaults.filter((one) => one.name.includes(options.only))) {
  const target = path.join(copy, file)
  const source = readFileSync(target, 'utf8')
  writeFileSync(
    target,
    source.replace(before, () => after),
  )
  const began = performance.now()
  const output = search()
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  writeFileSync(target, source)
  const seed = output === undefined ? undefined : /seed (\d+) failed/.exec(output)?.[1]
  if (seed === undefined) missed += 1
  if (output !== undefined && seed === undefined) console.log(output.slice(-2000))
  const rule = /^\+ {3}"(.*)",$/m.exec(output ?? '')?.[1] ?? 'a refused or failed call'
  console.log(
    seed === undefined
      ? `${output === undefined ? 'MISSED' : 'CRASHED'} ${name} (${seconds} s)`
      : `found ${name}: ${seconds} s, ${Number(seed) - Number(options.seed) + 1} sequences: ${rule}`,
  )
}
process.exit(missed === 0 ? 0 : 1)
