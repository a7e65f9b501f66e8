/**
 * `npm run programme -- max-gain`: prints the most that members who act together can gain in 30 days, in percent of their capital, and the
 * actions behind it (RW-14). Exits with 0, with 2 if there is no maximum, with 1 and the reason on failure.
 * `simulate FILE`: simulates the draft in FILE (JSON; omitted fields keep their values) over the last 30 days, with the
 * session of `staff sign-in`. Prints the result and the hash for a proposal.
 */
import { readFileSync } from 'node:fs'
import { formatUnits } from '@tizara/money'
import { type MaxGain, maxGroupGain } from '../modules/rewards/index.ts'
import { currentOffer } from '../modules/staff/index.ts'
import { printable } from '../platform/config/printable.ts'
import { errorText, fileErrorText } from '../platform/runtime/error-text.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { openPrepared } from '../main/open-database.ts'
import { BadUsage } from './staff/errors.ts'
import { simulate, simulationLines } from './staff/simulate.ts'
import { configuredPlatform } from './staff/configured-platform.ts'

const line = (percent: string, text: string) => `${percent.padStart(16)} %  ${text}`

function report(maxGain: MaxGain): string[] {
  const lasting = maxGain.perMonth === null ? 'no limit' : formatUnits(maxGain.perMonth)
  return [
    'Maximum withdrawal of a group of members at an unchanged coin price, in percent of its capital:',
    line(formatUnits(maxGain.once), 'once, from new deposits'),
    line(lasting, 'every 30 days, including reinvested earnings'),
    'each offer alone:',
    ...maxGain.moves.map((move) => line(move.percent === null ? 'no limit' : formatUnits(move.percent), move.what)),
    ...maxGain.warnings.map((warning) => `Warning: ${warning}`),
  ]
}

async function printMaxGain(): Promise<void> {
  const deps = createDeps()
  const database = await openPrepared(deps.config, { limits: false })
  try {
    const offer = await currentOffer(database.db, deps.clock.now())
    const maxGain = maxGroupGain(offer)
    console.log(report(maxGain).join('\n'))
    if (maxGain.perMonth === null) process.exitCode = 2
  } finally {
    await database.close()
  }
}

function readDraft(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new BadUsage(fileErrorText(file, error))
  }
}

const [verb, file] = commandLine('programme').positionals
try {
  if (verb === 'max-gain') await printMaxGain()
  else if (file !== undefined) console.log(simulationLines(await simulate(configuredPlatform(), readDraft(file))).join('\n'))
} catch (error) {
  console.error(printable(errorText(error)))
  process.exitCode = error instanceof BadUsage ? 2 : 1
}
