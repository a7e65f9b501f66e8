import { formatUnits } from '@tizara/money'
import { coverageOf, haltedSince } from '../../modules/rewards/index.ts'
import { table } from './act.ts'
import type { Command } from './command.ts'

export const rewardCommands: readonly (readonly [string, Command])[] = [
  [
    'pool',
    {
      needsActor: true,
      run: async ({ db, deps }) => {
        const rows = [['', 'in the pool', 'committed', 'promised', 'owed']]
        for (const asset of ['COIN', 'USD'] as const) {
          const { pool, committed, promised, owed } = await coverageOf(db, asset, deps.clock.now())
          rows.push([asset, ...[pool, committed, promised, owed].map(formatUnits)])
        }
        const halted = await haltedSince(db)
        return [...table(rows, ''), ...(halted === null ? [] : [`Runs wait for a person since ${halted}: npm run rewards -- help`])]
      },
    },
  ],
]
