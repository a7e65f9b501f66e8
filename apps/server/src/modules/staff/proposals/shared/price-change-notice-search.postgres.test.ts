import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { staffInstance } from '../../../../../test/staff-instance.ts'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import { DAY_MS, HOUR_MS } from '../../../../platform/runtime/clock.ts'
import { inTransaction, type Tx } from '../../../../platform/db/database.ts'
import { applySettings, plannedSettings, currentSettings } from '../../../settings/index.ts'
import { approveProposal, cancelProposal } from '../decide-proposal.ts'
import { submitProposal } from '../submit-proposal.ts'

const instance = await staffInstance()
const { clock, db, deps } = instance.at
const actor = ({ id }: { id: bigint }) => ({ memberId: id, role: 'ADMIN' as const })
const [maker, checker] = [actor(instance.maker), actor(instance.checker)]
const FIRST = (await currentSettings(db, clock.now())).coinPrice
// Raises stay below the convert rate.
await inTransaction(db, (tx) => applySettings(tx, deps, { changes: { convertRate: 4n * FIRST }, actorId: null, reason: 'x' }))
clock.advance(HOUR_MS)
const START = clock.now().getTime()

/** Scheduled prices shown to members, and the time. */
interface ShownPrices {
  at: number
  coming: readonly { startsAt: Date; coinPrice: Units }[]
}
type Action = readonly [name: string, run: (tx: Tx) => Promise<unknown>]

/** Proposes and approves as two colluding staff members. */
async function decide(tx: Tx, coinPrice: Units, afterMs: number): Promise<void> {
  const at = afterMs === 0 ? {} : { startsAt: new Date(clock.now().getTime() + afterMs) }
  const id = await submitProposal(tx, deps, maker, { subject: 'price', value: { coinPrice }, reason: 'x', ...at })
  await approveProposal(tx, deps, checker, { id })
}
async function cancelPlanned(tx: Tx, which: 'asc' | 'desc'): Promise<void> {
  const planned = tx.selectFrom('staff_proposal').select('public_id as id').where('status', '=', 'APPROVED')
  const { id } = await planned
    .where('starts_at', '>', clock.now())
    .orderBy('starts_at', which)
    .limit(1)
    .executeTakeFirstOrThrow(() => new AppError('NOT_FOUND'))
  await cancelProposal(tx, deps, maker, { id, reason: 'x' })
}
const wait = (hours: number): Action => [`${hours} h pass`, () => Promise.resolve(clock.advance(hours * HOUR_MS))]

const ACTIONS: readonly Action[] = [
  ...(
    [
      [95n, [0, 6, 24]],
      [105n, [0, 6, 24]],
      [100n, [0]],
      [200n, [24]],
    ] as const
  ).flatMap(([percent, starts]) =>
    starts.map((hours): Action => [`${percent} % in ${hours} h`, (tx) => decide(tx, (FIRST * percent) / 100n, hours * HOUR_MS)]),
  ),
  ['the next is cancelled', (tx) => cancelPlanned(tx, 'asc')],
  ['the last is cancelled', (tx) => cancelPlanned(tx, 'desc')],
  wait(6),
  wait(18),
]

/** Finds moves without 24 hours of notice that are above 5 % in all within 24 hours, up and down added. */
async function untold(tx: Tx, shown: readonly ShownPrices[]): Promise<string[]> {
  const { rows } = await sql<{ at: Date; price: Units }>`select distinct on (starts_at) starts_at as at, coin_price as price
    from setting where starts_at >= ${new Date(START)} order by starts_at, version desc`.execute(tx)
  const held = [{ at: START - 9 * DAY_MS, price: FIRST }, ...rows.map(({ at, price }) => ({ at: at.getTime(), price }))]
  return held.flatMap(({ at, price }, index) => {
    const known = ({ coming }: ShownPrices) => coming.some(({ startsAt, coinPrice }) => startsAt.getTime() === at && coinPrice === price)
    if (index === 0 || held[index - 1]?.price === price || shown.some((one) => one.at <= at - DAY_MS && known(one))) return []
    const isUnknown = (one: number) => {
      const [step, before] = [held[one], held[one - 1]]
      if (step === undefined || before === undefined || step.price === before.price || step.at <= at - DAY_MS) return false
      const knows = ({ coming }: ShownPrices) =>
        coming.some(({ startsAt, coinPrice }) => startsAt.getTime() === step.at && coinPrice === step.price)
      return !shown.some((announced) => announced.at <= step.at - DAY_MS && knows(announced))
    }
    const moves = held.slice(0, index + 1).flatMap((step, one) => {
      const before = Number(held[one - 1]?.price ?? step.price)
      return isUnknown(one) ? [Math.abs(Number(step.price) - before) / before] : []
    })
    const sum = moves.reduce((total, one) => total + one, 0)
    return sum > 0.050_000_01 ? [`${sum} in all, to ${price} after ${(at - START) / HOUR_MS} h`] : []
  })
}

const found: string[] = []
let looked = 0

/** Tries every possible action after the earlier ones, and rolls each back. */
async function searchOn(tx: Tx, depth: number, done: readonly string[], shown: readonly ShownPrices[]): Promise<void> {
  const at = clock.now()
  for (const [name, run] of ACTIONS) {
    await sql`savepoint action`.execute(tx)
    try {
      await run(tx)
      looked += 1
      const now = clock.now()
      const next = [...shown, { at: now.getTime(), coming: await plannedSettings(tx, now) }]
      for (const step of await untold(tx, next)) found.push(`${[...done, name].join(', ')}: ${step}`)
      if (depth > 1) await searchOn(tx, depth - 1, [...done, name], next)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
    await sql`rollback to savepoint action`.execute(tx)
    // Otherwise the savepoint of the same name would hide the outer one.
    await sql`release savepoint action`.execute(tx)
    clock.set(at)
  }
}

describe('any order of plans, changes and cancellations by two staff members', () => {
  it('[I13] moves prices by at most 5 % in all within a day unless members were shown it a day before', async () => {
    const undone = new Error('taken back')
    const all = inTransaction(db, async (tx) => {
      await searchOn(tx, 3, [], [])
      throw undone
    })
    await expect(all).rejects.toBe(undone)
    expect(found).toEqual([])
    expect(looked).toBeGreaterThan(200)
  })
})
