import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember } from '../../../../test/members.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { loadOutflowChecks, recordUnconfirmed } from './authorize-outflow.ts'

const HOUR = 3_600_000
const { db } = await testDatabase()
const { clock, deps } = await testApp(db, { routes: () => undefined })

/** Waits between transfers, in ms. Some add up to hours with a transfer in more than 60 minutes. */
const steps = fc.array(
  fc.record({
    wait: fc.constantFrom(0, 1, 20_000, 60_000, 90_000, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR - 1, 24 * HOUR),
    amount: fc.bigInt(1n, 9n),
  }),
  { minLength: 70, maxLength: 70 },
)
const often = fc.array(fc.record({ wait: fc.constantFrom(1, 59_000, 61_000), amount: fc.bigInt(1n, 9n) }), { minLength: 70, maxLength: 70 })

async function readSum(tx: Tx, memberId: bigint): Promise<bigint> {
  const target = { kind: 'transfer', memberId, network: 0, address: 'bob@gmail.com' } as const
  const checks = await loadOutflowChecks(tx, deps, [target])
  await sql`select`.execute(tx)
  return checks()(target).unconfirmed
}

it('[I7] counts each transfer without confirmation for 24 hours, and at most an hour longer, in at most 60 sums', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(often, steps, often), async (parts) => {
      const { id: memberId } = await createTestMember(db)
      const sent: { at: number; amount: bigint }[] = []
      const sumOf = (ms: number) => sent.filter(({ at }) => at > clock.now().getTime() - ms).reduce((sum, { amount }) => sum + amount, 0n)
      for (const { wait, amount } of parts.flat()) {
        clock.advance(wait)
        const sum = await inTransaction(db, async (tx) => {
          await recordUnconfirmed(tx, deps, [{ memberId, amount }])
          return readSum(tx, memberId)
        })
        sent.push({ at: clock.now().getTime(), amount })
        expect(sum).toBeGreaterThanOrEqual(sumOf(24 * HOUR))
        expect(sum).toBeLessThanOrEqual(sumOf(25 * HOUR))
      }
      const rows = await sql<{ sums: number }>`
        select cardinality(times) as sums from unconfirmed_transfer where member_id = ${memberId}`.execute(db)
      expect(rows.rows[0]?.sums).toBeLessThanOrEqual(60)
    }),
    { numRuns: 2, endOnFailure: true },
  )
})
