/**
 * `npm run mutants:economy`, `mutants:chain-simulator`, `mutants:payout-rules` and `mutants:outflows`: plant each fault of a list in a copy
 * of the project, and run the search of the list until it finds the fault. They print the seconds, the seed and the rule that failed. They
 * fail if the search misses a fault or crashes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../../apps/server/src/cli/command-line.mjs'
import { chainFaults } from './chain-faults.ts'
import { copyProject } from './copy.ts'
import { economyFaults } from './economy-faults.ts'
import { outflowFaults } from './outflow-faults.ts'
import { payoutRuleFaults } from './payout-rule-faults.ts'

/** Searches with the faults that they must find. */
const SEARCHES = {
  economy: { file: 'apps/server/test/properties/money/drawn-worlds.postgres.test.ts', faults: economyFaults },
  chain: { file: 'apps/server/test/chain-simulator/chain-simulator.postgres.test.ts', faults: chainFaults },
  rules: { file: 'apps/server/test/properties/money/drawn-payout-rules.postgres.test.ts', faults: payoutRuleFaults },
  outflows: { file: 'apps/server/test/properties/security/outflow-search.test.ts', faults: outflowFaults },
}
const SEARCH_NAMES = Object.keys(SEARCHES) as (keyof typeof SEARCHES)[]
const { values: options } = readArguments(import.meta.url, {
  search: { type: 'string', default: 'economy' },
  minutes: { type: 'string', default: '4' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
})

/** Message of a database that a busy machine starts too slowly. A search that ends with it has found nothing. */
const MACHINE_FAULT = /Connection terminated due to connection timeout|timeout exceeded when trying to connect/

const planted = SEARCHES[SEARCH_NAMES.find((name) => name === options.search) ?? 'economy']
const copy = copyProject(fileURLToPath(new URL('../..', import.meta.url)))
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }))
/** Running search. */
let child: ChildProcess | undefined
// A signal ends the search first, which stops its database server and removes its data.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    child?.once('exit', () => process.exit(130))
    if (child?.kill('SIGTERM') !== true) process.exit(130)
  })

/** Runs the search in the copy, and returns its output if it failed. */
async function search(): Promise<string | undefined> {
  child = spawn(path.join(copy, 'node_modules/.bin/vitest'), ['run', '--retry=0', '--project', 'server', planted.file], {
    cwd: copy,
    // A terminal sends Ctrl-C to its foreground group only, and this process passes the signal on.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      TEST_EXTENT: 'all',
      SEARCH: 'long',
      SEARCH_SEED: options.seed,
      SEARCH_MINUTES: options.minutes,
      NO_COLOR: '1',
    },
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => output.push(part))
  const [status] = (await once(child, 'close')) as [number | null]
  const text = Buffer.concat(output).toString()
  if (status === 0) console.log(/search .*: \d+ sequences from seed \d+ in .*/.exec(text)?.[0] ?? 'played no sequence')
  return status === 0 ? undefined : text
}

let missed = 0
for (const { name, file, before, after } of planted.faults.filter((one) => one.name.includes(options.only))) {
  const target = path.join(copy, file)
  const source = readFileSync(target, 'utf8')
  writeFileSync(
    target,
    source.replace(before, () => after),
  )
  const began = performance.now()
  const output = await search()
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  writeFileSync(target, source)
  const seed = output === undefined || MACHINE_FAULT.test(output) ? undefined : /seed (\d+) failed/.exec(output)?.[1]
  if (seed === undefined) missed += 1
  if (output !== undefined && seed === undefined) console.log(output.slice(-2000))
  // The first line after the seed is the message of the failed rule. A list of the economy's broken rules is more exact.
  const rule = /^\+ {3}"(.*)",$/m.exec(output ?? '')?.[1] ?? /seed \d+ failed.*\n(.*)/.exec(output ?? '')?.[1] ?? 'a failed call'
  console.log(
    seed === undefined
      ? `${output === undefined ? 'MISSED' : 'CRASHED'} ${name} (${seconds} s)`
      : `found ${name}: ${seconds} s, seed ${seed}, sequence ${Number(seed) - Number(options.seed) + 1}\n  rule: ${rule.slice(0, 300)}`,
  )
}
process.exit(missed === 0 ? 0 : 1)
