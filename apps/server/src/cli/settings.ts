/**
 * `npm run settings -- export` prints all products and terms of the platform as one file. `import FILE` proposes the file's changes, which
 * another person approves. `check FILE` validates the file and changes nothing. Calls the API with the session of `staff sign-in`. Exits
 * with 0, with 1 if the server rejects a change, with 2 for an invalid file.
 */
import { isDeepStrictEqual } from 'node:util'
import { uploadLogo } from '@tizara/contract/staff-brand'
import { proposeChange, staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import { fundRewardPool, staffRewardPool } from '@tizara/contract/staff-rewards'
import { formatUnits } from '@tizara/money'
import type * as v from 'valibot'
import { writeJson } from '../http/server/json.ts'
import { printable } from '../platform/config/printable.ts'
import { shellCommand } from '../platform/runtime/release.ts'
import { errorText } from '../platform/runtime/error-text.ts'
import { commandLine } from './command-line.mjs'
import { platformText } from './settings-file/export.ts'
import {
  changesTo,
  fundingTo,
  toCurrentPlatform,
  readLogos,
  readSettingsFile,
  type CurrentPlatform,
} from './settings-file/settings-file.ts'
import { BadUsage, CommandError } from './staff/errors.ts'
import { send } from './staff/session.ts'
import { simulate, simulationLines } from './staff/simulate.ts'
import { configuredPlatform } from './staff/configured-platform.ts'

const platform = configuredPlatform()
const [verb, file] = commandLine('settings').positionals

async function readCurrentPlatform(): Promise<CurrentPlatform> {
  const { data } = await send(platform, staffCatalogue, JSON.parse)
  return toCurrentPlatform(data, (await send(platform, staffRewardPool)).data)
}

interface Call {
  what: string
  route: typeof proposeChange | typeof fundRewardPool
  body: { reason: string; subject?: string; asset?: string; value?: object }
}

/** Returns true if the same proposal is pending, so that a repeated import creates no second proposal. */
function isPending(pending: readonly { subject: string; value: unknown }[], { body }: Call): boolean {
  const { subject = 'fund', value = { asset: body.asset, into: 'rewards' } } = body
  const entries = Object.entries(JSON.parse(writeJson(value)) as object)
  return pending.some((one) => one.subject === subject && entries.every(([key, part]) => isDeepStrictEqual(Object(one.value)[key], part)))
}

async function listPending(): Promise<{ subject: string; value: unknown }[]> {
  const { data } = await send(platform, { ...staffChanges, path: `${staffChanges.path}?status=PENDING&limit=100` }, JSON.parse)
  const pending = data as v.InferOutput<typeof staffChanges.reply>
  if (pending.meta.total > pending.data.length)
    throw new CommandError(`Too many proposals are pending. Decide them first: ${shellCommand('staff changes status=PENDING')}`)
  return pending.data
}

/** Simulates a reward programme, because its proposal requires the result. */
async function withSimulation(input: object): Promise<object> {
  const value: unknown = JSON.parse(writeJson(Reflect.get(input, 'value')))
  const simulation = await simulate(platform, value)
  console.log(simulationLines(simulation).join('\n'))
  return { ...input, simulation: simulation.result.hash }
}

async function propose({ what, route, body: input }: Call, logos: readonly Buffer<ArrayBuffer>[]): Promise<string> {
  // A repeated upload changes nothing.
  if (what === 'brand')
    for (const bytes of logos) await send(platform, { ...uploadLogo, isForm: true, body: { image: new File([bytes], 'logo') } })
  const body = what === 'programme' ? await withSimulation(input) : input
  const sent = { ...route, hasEffectOnce: 'money' in route, body: JSON.parse(writeJson(body)) as unknown }
  return (await send(platform, sent)).message
}

async function importFile(name: string): Promise<string[]> {
  const { desired, logos } = readLogos(name, readSettingsFile(name))
  const now = await readCurrentPlatform()
  const reason = `import of ${name}`
  const calls: Call[] = [
    ...changesTo(now, desired).map((change) => ({ what: change.subject, route: proposeChange, body: { ...change, reason } })),
    ...fundingTo(now, desired).map((money) => ({
      what: `pool (${money.asset})`,
      route: fundRewardPool,
      body: { ...money, amount: formatUnits(money.amount), source: 'operator', into: 'rewards', reason },
    })),
  ]
  if (calls.length === 0) return ['The platform already has all values of the file.']
  const pending = await listPending()
  const lines: string[] = []
  let refused = 0
  for (const call of calls) {
    try {
      lines.push(`${call.what}: ${isPending(pending, call) ? 'Already pending for a second approver' : await propose(call, logos)}`)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      refused += 1
      lines.push(`${call.what}: ${error.message}`)
    }
  }
  if (refused > 0) throw new CommandError([...lines, `${refused} could not be proposed. Approve the others, then import again.`].join('\n'))
  return [...lines, `List them with ${shellCommand('staff changes status=PENDING')}`]
}

async function act(): Promise<string[]> {
  if (file === undefined) return [platformText(await readCurrentPlatform()).trimEnd()]
  if (verb === 'import') return importFile(file)
  return [`The file is valid: ${Object.keys(readLogos(file, readSettingsFile(file)).desired).length} parts.`]
}

try {
  console.log((await act()).join('\n'))
} catch (error) {
  console.error(printable(errorText(error)))
  process.exitCode = error instanceof BadUsage ? 2 : 1
}
