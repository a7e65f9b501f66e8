/**
 * `npm run settings -- export` prints everything that the house sells and promises as one file; `import FILE` proposes what
 * of the file is not so yet, for another member of staff to approve; `check FILE` reads it and changes nothing. Speaks to
 * the API with the session of `staff sign-in`. Ends with 0, with 1 when the product refuses, with 2 for a fault in the file.
 */
import { proposeChange, staffCatalogue } from '@tizara/contract/staff-changes'
import { writeJson } from '../http/json.ts'
import { printable } from '../platform/printable.ts'
import { typed } from '../platform/release.ts'
import { houseText } from './house/export.ts'
import { changesTo, houseOf, readHouseFile, type StandingHouse } from './house/house-file.ts'
import { BadUsage, Refused } from './staff/refused.ts'
import { send } from './staff/session.ts'
import { theHouse } from './staff/the-house.ts'

const house = theHouse()
const [verb, file] = process.argv.slice(2)

async function standing(): Promise<StandingHouse> {
  const { data } = await send(house, staffCatalogue, JSON.parse)
  return houseOf(data)
}

async function importFile(name: string): Promise<string[]> {
  const wanted = readHouseFile(name)
  const lines: string[] = []
  let refused = 0
  for (const change of changesTo(await standing(), wanted)) {
    const body: unknown = JSON.parse(writeJson({ ...change, reason: `import of ${name}` }))
    try {
      const { message } = await send(house, { ...proposeChange, body })
      lines.push(`${change.subject}: ${message}`)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refused += 1
      lines.push(`${change.subject}: ${error.message}`)
    }
  }
  if (refused > 0) throw new Refused([...lines, `${refused} could not be proposed now: approve the others, then import again.`].join('\n'))
  return lines.length === 0
    ? ['Everything in the file holds already.']
    : [...lines, `See them with ${typed('staff changes status=PENDING')}`]
}

async function act(): Promise<string[]> {
  if (verb === 'export' && file === undefined) return [houseText(await standing()).trimEnd()]
  if (verb === 'import' && file !== undefined) return importFile(file)
  if (verb === 'check' && file !== undefined) return [`${Object.keys(readHouseFile(file)).length} parts, all known.`]
  throw new BadUsage(`${typed('settings export')} | import FILE | check FILE`)
}

try {
  console.log((await act()).join('\n'))
} catch (error) {
  console.error(printable(error instanceof Error ? error.message : String(error)))
  process.exitCode = error instanceof BadUsage ? 2 : 1
}
