/**
 * `npm run settings -- export` prints everything that the house sells and promises as one file; `import FILE` proposes what
 * of the file is not so yet, for another member of staff to approve; `check FILE` reads it and changes nothing. Speaks to
 * the API with the session of `staff sign-in`. Ends with 0, with 1 when the product refuses, with 2 for a fault in the file.
 */
import { proposeChange, staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import { fundRewardPool, staffRewardPool } from '@tizara/contract/staff-rewards'
import { formatUnits } from '@tizara/money'
import type * as v from 'valibot'
import { writeJson } from '../http/json.ts'
import { printable } from '../platform/printable.ts'
import { typed } from '../platform/release.ts'
import { commandLine } from './command-line.mjs'
import { houseText } from './house/export.ts'
import { changesTo, type Funding, fundingTo, houseOf, readHouseFile, type StandingHouse } from './house/house-file.ts'
import { BadUsage, Refused } from './staff/refused.ts'
import { send } from './staff/session.ts'
import { simulate, simulationLines } from './staff/simulate.ts'
import { theHouse } from './staff/the-house.ts'

const house = theHouse()
const [verb, file] = commandLine('settings').positionals

async function standing(): Promise<StandingHouse> {
  const { data } = await send(house, staffCatalogue, JSON.parse)
  return houseOf(data, (await send(house, staffRewardPool)).data)
}

/** What is still to be filed of a funding: an import that is repeated before the other person decides asks for nothing twice. */
async function notWaiting(wanted: Funding): Promise<Funding> {
  if (wanted.length === 0) return wanted
  const { data } = await send(house, { ...staffChanges, path: `${staffChanges.path}?status=PENDING&limit=100` }, JSON.parse)
  const waiting = data as v.InferOutput<typeof staffChanges.reply>
  if (waiting.meta.total > waiting.data.length) throw new Refused(`Too many changes wait: ${typed('staff changes status=PENDING')}`)
  const funds = waiting.data.filter(({ subject }) => subject === 'fund').map(({ value }) => (value as { asset: string }).asset)
  return wanted.filter((one) => !funds.includes(one.asset))
}

/** A programme is proposed on the strength of its simulation. */
async function simulated(wish: object): Promise<object> {
  const value: unknown = JSON.parse(writeJson(Reflect.get(wish, 'value')))
  const done = await simulate(house, value)
  console.log(simulationLines(done).join('\n'))
  return { ...wish, simulation: done.result.hash }
}

async function importFile(name: string): Promise<string[]> {
  const wanted = readHouseFile(name)
  const now = await standing()
  const reason = `import of ${name}`
  const calls = [
    ...changesTo(now, wanted).map((change) => ({
      what: change.subject as string,
      route: proposeChange,
      body: { ...change, reason } as object,
    })),
    ...(await notWaiting(fundingTo(now, wanted))).map((money) => ({
      what: `pool (${money.asset})`,
      route: fundRewardPool,
      body: { ...money, amount: formatUnits(money.amount), source: 'operator', reason },
    })),
  ]
  const lines: string[] = []
  let refused = 0
  for (const { what, route, body: wish } of calls) {
    try {
      const body = what === 'programme' ? await simulated(wish) : wish
      const { message } = await send(house, { ...route, hasEffectOnce: 'money' in route, body: JSON.parse(writeJson(body)) as unknown })
      lines.push(`${what}: ${message}`)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refused += 1
      lines.push(`${what}: ${error.message}`)
    }
  }
  if (refused > 0) throw new Refused([...lines, `${refused} could not be proposed now: approve the others, then import again.`].join('\n'))
  return lines.length === 0
    ? ['Everything in the file holds already.']
    : [...lines, `See them with ${typed('staff changes status=PENDING')}`]
}

async function act(): Promise<string[]> {
  if (file === undefined) return [houseText(await standing()).trimEnd()]
  if (verb === 'import') return importFile(file)
  return [`${Object.keys(readHouseFile(file)).length} parts, all known.`]
}

try {
  console.log((await act()).join('\n'))
} catch (error) {
  console.error(printable(error instanceof Error ? error.message : String(error)))
  process.exitCode = error instanceof BadUsage ? 2 : 1
}
