import { ONE } from '@tizara/money'
import { allRoutes } from '@tizara/contract/all-routes'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { searchParameters } from '../../../../../test/search.ts'
import { runJob } from '../../../src/jobs/job.ts'
import { balanceSheetOf, currentPause, post, systemBalances } from '../../../src/ledger/index.ts'
import { platformAlerts } from '../../../src/modules/staff/operations/platform-alerts.ts'
import { staffRecurringJobs } from '../../../src/modules/staff/index.ts'
import { testDatabase } from '../../database.ts'
import { MONEY_CALLS, type MoneyInstance, moneyInstance, type Person } from '../../money-calls.ts'

const { db } = await testDatabase()
let instance: MoneyInstance
let people: Person[] = []

beforeAll(async () => {
  instance = await moneyInstance(db)
  // Leaves less in the sales fund than one large sale needs.
  const drain = {
    from: { system: 'SYS-SALES', asset: 'USD' },
    to: { system: 'SYS-OPERATOR', asset: 'USD' },
    amount: 995_000n * ONE,
  } as const
  await post(db, { kind: 'testFunds', cause: { type: 'test', id: 'drain' }, at: instance.at.clock.now(), transfers: [drain] })
  people = [instance.leader, instance.member, await instance.person({ specialRcm: true, sponsorId: instance.member.id })]
})

const memberRoutes = allRoutes.filter((route) => route.money === true && route.access === 'member').map((route) => route.name)

/** Amounts that replace the call's own, the fields of its body permitting. */
const amounts = fc.constantFrom(undefined, 1_000_000, 2_000_000, 9_000_000_000, 0.00000001)

it('[RW-14] plays every money route of members', () => {
  expect(memberRoutes.filter((name) => !MONEY_CALLS.includes(name))).toEqual([])
})

it('[RW-13] [RW-14] keeps the balance sheet at or above zero, and pauses nothing, whatever members call', async () => {
  const watch = staffRecurringJobs.find((job) => job.name === 'watch-platform')
  if (watch === undefined) throw new Error('no job watch-platform')
  const calls = fc.array(fc.record({ route: fc.constantFrom(...memberRoutes), who: fc.nat(2), amount: amounts }), {
    minLength: 1,
    maxLength: 12,
  })
  let done = 0
  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      for (const { route, who, amount } of sequence) {
        const [person, other] = [people[who], people[(who + 1) % 3]]
        if (person === undefined || other === undefined) throw new Error('no such member')
        const call = await instance.ready(route, person, other)
        const body = amount !== undefined && 'amount' in call.body ? { ...call.body, amount } : call.body
        const { status } = await instance.send({ ...call, body })
        expect(status).toBeLessThan(500)
        if (status === 200) done += 1
      }
      const { free, reserves, liabilities, members, held, rewardPool } = balanceSheetOf(await systemBalances(db))
      expect(liabilities).toBe(members + held + rewardPool)
      expect(free).toBe(reserves - liabilities)
      expect(free).toBeGreaterThanOrEqual(0n)
      expect((await platformAlerts(db, instance.at.clock.now())).filter(({ stops, name }) => stops || name === 'balance')).toEqual([])
    }),
    searchParameters('member calls', { short: 12, long: 200 }),
  )
  expect(done).toBeGreaterThan(0)
  await runJob(db, instance.at.deps, watch, 'test')
  expect(await currentPause(db)).toBeUndefined()
  // The equation of the sheet: what is free is what the platform's own accounts hold.
  const own = (await systemBalances(db)).filter(
    ({ system, asset }) => asset === 'USD' && ['SYS-FEE', 'SYS-SALES', 'SYS-CONVERT'].includes(system),
  )
  expect(balanceSheetOf(await systemBalances(db)).free).toBe(own.reduce((sum, { balance }) => sum + balance, 0n * ONE))
})
