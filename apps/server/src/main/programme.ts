/**
 * `npm run programme -- bound`: prints what a group of members can take out of the house as it stands, in percent of its
 * money and month, and by which moves (RW-14). Ends with 0, with 2 when there is no bound, or with 1 and the reason.
 */
import { formatUnits } from '@tizara/money'
import type { Bound } from '../modules/rewards/index.ts'
import { currentBound } from '../modules/staff/index.ts'
import { typed } from '../platform/release.ts'
import { createDeps } from './deps.ts'
import { openConfigured } from './open-database.ts'

const line = (percent: string, text: string) => `${percent.padStart(16)} %  ${text}`

/** The bound as lines for the terminal. */
function report(bound: Bound): string[] {
  const lasting = bound.perMonth === null ? 'no bound' : formatUnits(bound.perMonth)
  return [
    'The most that members who play together can take out at an unchanged coin price, in percent of their money:',
    line(formatUnits(bound.once), 'once, of money that comes from outside'),
    line(lasting, 'in each 30 days, of all that is there (earned and left in, too)'),
    'by these moves:',
    ...bound.moves.map((move) => line(formatUnits(move.percent), move.what)),
  ]
}

if (process.argv[2] !== 'bound') {
  console.error(`Usage: ${typed('programme bound')}`)
  process.exitCode = 1
} else {
  const deps = createDeps()
  const database = await openConfigured(deps.config, { limits: false })
  try {
    const bound = await currentBound(database.db, deps.clock.now())
    console.log(report(bound).join('\n'))
    if (bound.perMonth === null) process.exitCode = 2
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  } finally {
    await database.close()
  }
}
