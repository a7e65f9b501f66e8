import { ONE } from '@tizara/money'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { byOne, createTestMember, fund, PAYOUT_ADDRESS, confirmPayoutAddress } from '../../../../test/members.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { applySettings } from '../../settings/index.ts'
import { approvePayout, requestWithdrawal } from '../index.ts'

const DAY = 86_400_000
const LIMIT = 300n * ONE
const { db } = await testDatabase()
const at = await testApp(db, { routes: () => undefined })
const { clock, deps } = at

/** Returns the largest sum within 24 hours, including the later end. An amount leaves the window exactly 24 hours later. */
const maxOfDay = (rows: readonly { at: number; amount: bigint }[]) =>
  rows
    .map(({ at: end }) => rows.filter((row) => row.at <= end && row.at > end - DAY).reduce((sum, { amount }) => sum + amount, 0n))
    .reduce((max, sum) => (sum > max ? sum : max), 0n)

/** Moves around UTC midnight and the ends of earlier windows, by a millisecond, forward and back. */
const steps = fc.array(
  fc.record({
    move: fc.constantFrom(0, 1, -1, 1000, DAY - 1, DAY, DAY / 2, -3_600_000, 'midnight', 'before midnight', 'end', 'before end'),
    usd: fc.constantFrom(10n, 99n, 100n, 150n, 300n),
    twice: fc.boolean(),
    late: fc.boolean(),
  }),
  { minLength: 70, maxLength: 70 },
)

it('[I7] no 24 hours exceed the limits, from any start, per member and in total, however the clock runs', async () => {
  const staff = (await createTestMember(db, { role: 'ADMIN' })).id
  const members = [(await createTestMember(db)).id, (await createTestMember(db)).id]
  for (const id of members) {
    await fund(db, id, 'depositWallet', 1_000_000n * ONE)
    await confirmPayoutAddress(db, id)
  }
  const changes = { payoutDayUsd: LIMIT, payoutDayTotalUsd: (LIMIT * 3n) / 2n, payoutDayCount: 1000 }
  await inTransaction(db, (tx) => applySettings(tx, deps, { changes, actorId: null, reason: 'test' }))
  const wait = async (move: number | string) => {
    const now = clock.now().getTime()
    const newest = await db
      .selectFrom('payout_request')
      .select('decided_at')
      .where('decided_at', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    const end = (newest[0]?.decided_at?.getTime() ?? now) + DAY
    const midnight = Math.ceil((now + 1) / DAY) * DAY
    const moments: Record<string, number> = { midnight, 'before midnight': midnight - 1, end, 'before end': end - 1 }
    clock.set(new Date(typeof move === 'number' ? now + move : (moments[move] ?? now)))
  }
  /** Requests of several days, which staff approve on one day. */
  const waiting: string[] = []
  const approve = (payoutId: string) =>
    inTransaction(db, (tx) => approvePayout(tx, deps, { payoutId, staffId: staff, reason: 'test', ...byOne })).then(
      () => true,
      () => false,
    )
  const payOut = async (memberId: bigint, amount: bigint, late: boolean): Promise<boolean> => {
    try {
      const { id } = await inTransaction(db, (tx) => requestWithdrawal(tx, deps, { memberId, amount, address: PAYOUT_ADDRESS }))
      if (late) waiting.push(id)
      return !late && (await approve(id))
    } catch {
      return false
    }
  }
  let paid = 0
  for (const [index, { move, usd, twice, late }] of fc.sample(steps, { seed: 11, numRuns: 1 }).flat().entries()) {
    await wait(move)
    const [one = 0n, other = 0n] = index % 2 === 0 ? members : members.toReversed()
    // The approval lock serializes decisions. Here they run in order, the second as if it had waited.
    for (const memberId of twice ? [one, other, one] : [one]) if (await payOut(memberId, usd * ONE, late)) paid += 1
    if (index % 10 === 9) for (const id of waiting) if (await approve(id)) paid += 1
  }
  const rows = await db.selectFrom('payout_request').select(['member_id', 'amount', 'decided_at', 'created_at', 'status']).execute()
  const decided = rows.flatMap(({ status, decided_at, ...row }) =>
    status === 'APPROVED' && decided_at !== null ? [{ ...row, at: decided_at.getTime() }] : [],
  )
  expect([decided.length, paid > 20, paid < 140]).toEqual([paid, true, true])
  for (const id of members) expect(maxOfDay(decided.filter((row) => row.member_id === id))).toBeLessThanOrEqual(LIMIT)
  expect(maxOfDay(decided)).toBeLessThanOrEqual(changes.payoutDayTotalUsd)
  for (const id of members) {
    const requests = rows
      .filter((row) => row.member_id === id && row.status !== 'REJECTED')
      .map((row) => ({ amount: row.amount, at: row.created_at.getTime() }))
    expect(maxOfDay(requests)).toBeLessThanOrEqual(LIMIT)
  }
})
