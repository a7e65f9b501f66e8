import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestMember } from '../../../../test/members.ts'
import { type Person, type StaffHouse, staffHouse } from '../../../../test/staff-house.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { runJob } from '../../../jobs/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { onCoinBought, saleTerms } from '../../rewards/index.ts'
import { staffJobs } from '../operations/staff.jobs.ts'

const NEEDED = 'Please run the simulation for exactly these figures'
const OUTDATED = 'The values have changed since this was proposed, please propose it again'
const HOUR = 3_600_000

let house: StaffHouse
let sponsor: Awaited<ReturnType<typeof createTestMember>>
beforeAll(async () => {
  house = await staffHouse()
  const { db, clock } = house.at
  sponsor = await createTestMember(db, { name: '=HYPERLINK("x")' })
  const buyer = await createTestMember(db, { sponsorId: sponsor.id })
  await inTransaction(db, async (tx) => {
    const terms = { ...(await saleTerms(tx, clock.now(), 'COIN')), room: null }
    await onCoinBought(tx, clock.now(), terms, [
      { memberId: buyer.id, purchaseId: 1n, publicId: 'p1', coinAmount: 1000n * ONE, charged: ONE, newMoney: ONE },
    ])
  })
  await wait(24 * HOUR)
})

/** Advances the clock and signs everyone in again, because sessions expire meanwhile. */
async function wait(ms: number): Promise<void> {
  house.at.clock.advance(ms)
  for (const who of [house.maker, house.checker, house.third, house.support]) who.token = (await house.at.signIn(who.id)).token
}
const work = () => runJob(house.at.db, house.at.deps, backgroundJobs(staffJobs), 'test')
const start = (who: Person, rules: object) => house.post('/staff/programme/simulate', who, { rules })
const job = async (who: Person, id: string) => (await house.get(`/staff/jobs/${id}`, who)).body.data
const propose = (who: Person, value: object, simulation?: string) =>
  house.post('/staff/changes', who, { subject: 'programme', value, reason: 'because', ...(simulation === undefined ? {} : { simulation }) })
const approve = (id: string, who: Person) => house.post(`/staff/changes/${id}/approve`, who, {})

describe('the simulation of a draft', () => {
  it('[RW-14] says what the days would have come to, who gets more, and what it means for cover and bound', async () => {
    const { body } = await start(house.maker, { referralPercent: 6 })
    await work()
    const { state, result, fileHref, fileName } = await job(house.maker, body.data.jobId)
    expect({ state, fileName }).toEqual({ state: 'DONE', fileName: expect.stringMatching(/^simulation-.*\.csv$/) })
    expect(result).toMatchObject({
      totals: [{ kind: 'referral', asset: 'coin', before: 50, after: 60 }],
      more: 1,
      less: 0,
      same: 0,
      buckets: [{ fromPercent: 20, members: 1 }],
      top: [{ member: { email: sponsor.email }, asset: 'coin', before: 50, after: 60 }],
      bound: { before: { once: 5 }, after: { once: 6 } },
    })
    expect(result.cover[0].after.promised - result.cover[0].before.promised).toBe(10)
    const file = await house.get(fileHref, house.checker)
    expect(file.text).toContain(`"'=HYPERLINK(""x"")",${sponsor.email},referral,coin,50,60,10\r\n`)
    const left = await sql<{ rows: number }>`select count(*)::int as rows from reward_trial`.execute(house.at.db)
    expect(left.rows[0]?.rows).toBe(0)
  })

  it('is made by two at a time in the whole house, and is taken back by whoever asked for it alone', async () => {
    const first = (await start(house.maker, { referralPercent: 1 })).body.data.jobId
    const second = (await start(house.checker, { referralPercent: 2 })).body.data.jobId
    expect((await start(house.third, { referralPercent: 3 })).status).toBe(429)
    expect((await house.post(`/staff/jobs/${first}/cancel`, house.checker)).status).toBe(404)
    expect((await house.post(`/staff/jobs/${first}/cancel`, house.maker)).status).toBe(200)
    expect((await house.post(`/staff/jobs/${first}/cancel`, house.maker)).body.message).toBe('This request has already been decided')
    await work()
    expect(await job(house.maker, first)).toMatchObject({ state: 'FAILED', error: 'It was taken back' })
    expect(await job(house.checker, second)).toMatchObject({ state: 'DONE' })
  })

  it.each([
    [{ levelPercents: [1, 2] }],
    [{ referralPercent: 0.000_01 }],
    [
      {
        ranks: [
          { rank: 'a', teamStake: 5, bonus: 1 },
          { rank: 'b', teamStake: 5, bonus: 1 },
        ],
      },
    ],
    [{ unknown: 1 }],
  ])('refuses %j, which no programme could say', async (rules) => {
    expect((await start(house.maker, rules)).status).toBe(400)
  })
})

describe('a change of the programme', () => {
  it('[I17] is refused without an own simulation of exactly its figures, and when that is a day old', async () => {
    const value = { referralPercent: 4 }
    expect((await propose(house.maker, value)).body.message).toBe(NEEDED)
    expect((await propose(house.maker, value, '0123456789abcdef')).body.message).toBe(NEEDED)
    const mine = await house.simulate(house.maker, value)
    expect((await propose(house.checker, value, mine)).body.message).toBe(NEEDED)
    expect((await propose(house.maker, { referralPercent: 4.5 }, mine)).body.message).toBe(NEEDED)
    expect((await propose(house.maker, { ...value, fullLevelShareDays: 364 }, mine)).body.message).toBe(NEEDED)
    await wait(24 * HOUR)
    expect((await propose(house.maker, value, mine)).body.message).toBe(NEEDED)
    // An explicit current value gives the same draft.
    const again = await house.simulate(house.maker, value)
    expect((await propose(house.maker, { ...value, fullLevelShareDays: 365 }, again)).status).toBe(200)
  })

  it('[I17] is approved only on a simulation of the last day that still holds, which the approver may have run again', async () => {
    const value = { referralPercent: 3 }
    const id = (await propose(house.maker, value, await house.simulate(house.maker, value))).body.data.id
    const shown = async () => (await house.get(`/staff/changes/${id}`, house.checker)).body.data
    const first = await shown()
    expect(first).toMatchObject({ blocks: [], simulation: { by: { email: house.maker.email } } })
    await wait(24 * HOUR)
    expect(await shown()).toMatchObject({ blocks: ['SIMULATION_NEEDED'] })
    expect((await approve(id, house.checker)).body.message).toBe(NEEDED)
    const hash = await house.simulate(house.checker, value)
    expect(await shown()).toMatchObject({ blocks: [], simulation: { hash, by: { email: house.checker.email } } })
    // The approver saw another simulation.
    expect((await house.post(`/staff/changes/${id}/approve`, house.checker, { seen: first.seen })).body.message).toBe(OUTDATED)
    // A new plan for coin raises the group bound above the simulated one.
    const plan = { planName: 'Rich', duration: 30, minimum: 10, apy: 12, omega: false, status: 'ACTIVE' }
    const sold = await house.post('/staff/changes', house.maker, { subject: 'plan', value: plan, reason: 'new' })
    expect((await approve(sold.body.data.id, house.checker)).status).toBe(200)
    expect((await approve(id, house.checker)).body.message).toBe(OUTDATED)
    await house.simulate(house.third, value)
    expect((await approve(id, house.checker)).status).toBe(200)
    expect((await house.get('/staff/catalogue', house.maker)).body.data.programme.referralPercent).toBe(3)
  })

  it('[I17] falls with any other change of the programme, as it was simulated as a whole', async () => {
    const simulated = async (value: object) => (await propose(house.maker, value, await house.simulate(house.maker, value))).body.data.id
    const [one, other] = [await simulated({ levelPercents: [6, 3, 2, 1, 1] }), await simulated({ bountyPercents: [11, 5, 3, 2, 1] })]
    expect((await approve(one, house.checker)).status).toBe(200)
    expect((await house.get(`/staff/changes/${other}`, house.checker)).body.data.status).toBe('OUTDATED')
  })

  it('counts what was bought while nothing was paid for it, so that no detour over nothing hides a dear draft', async () => {
    const { db, clock } = house.at
    const none = { referralPercent: 0 }
    const id = (await propose(house.maker, none, await house.simulate(house.maker, none))).body.data.id
    expect((await approve(id, house.checker)).status).toBe(200)
    clock.advance(1000)
    const buyer = await createTestMember(db, { sponsorId: sponsor.id })
    const bought = { member_id: buyer.id, coin_amount: 2000n * ONE, coin_price: 1n, total_price: 1n, charged: 1n, posting_id: 1n }
    await db
      .insertInto('coin_purchase')
      .values({ ...bought, public_id: 'p2', settings_version: 1, created_at: clock.now() })
      .execute()
    await wait(24 * HOUR)
    const { body } = await start(house.maker, { referralPercent: 50 })
    await work()
    const { result } = await job(house.maker, body.data.jobId)
    expect(result.totals).toEqual([{ kind: 'referral', asset: 'coin', before: 50, after: 1500 }])
  })
})
