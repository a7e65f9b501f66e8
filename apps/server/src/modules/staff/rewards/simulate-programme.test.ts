import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestMember } from '../../../../test/members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { runJob } from '../../../jobs/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { onCoinBought, saleTerms } from '../../rewards/index.ts'
import { staffJobs } from '../operations/staff.jobs.ts'

const NEEDED = 'Please run the simulation for exactly these figures'
const OUTDATED = 'The values have changed since this was proposed, please propose it again'
const HOUR = 3_600_000

let instance: StaffInstance
let sponsor: Awaited<ReturnType<typeof createTestMember>>
beforeAll(async () => {
  instance = await staffInstance()
  const { db, clock } = instance.at
  sponsor = await createTestMember(db, { name: '=HYPERLINK("x")' })
  const buyer = await createTestMember(db, { sponsorId: sponsor.id })
  await inTransaction(db, async (tx) => {
    const terms = { ...(await saleTerms(tx, clock.now(), 'COIN')), capacity: 1_000_000n * ONE }
    await onCoinBought(tx, clock.now(), terms, [
      { memberId: buyer.id, purchaseId: 1n, publicId: 'p1', coinAmount: 1000n * ONE, charged: ONE, newMoney: ONE },
    ])
  })
  await wait(24 * HOUR)
})

/** Advances the clock and signs everyone in again, because sessions expire meanwhile. */
async function wait(ms: number): Promise<void> {
  instance.at.clock.advance(ms)
  for (const who of [instance.maker, instance.checker, instance.third, instance.support])
    who.token = (await instance.at.signIn(who.id)).token
}
const work = () => runJob(instance.at.db, instance.at.deps, backgroundJobs(staffJobs), 'test')
const start = (who: Person, rules: object) => instance.post('/staff/programme/simulate', who, { rules })
const job = async (who: Person, id: string) => (await instance.get(`/staff/jobs/${id}`, who)).body.data
const propose = (who: Person, value: object, simulation?: string) =>
  instance.post('/staff/changes', who, {
    subject: 'programme',
    value,
    reason: 'because',
    ...(simulation === undefined ? {} : { simulation }),
  })
const approve = (id: string, who: Person) => instance.post(`/staff/changes/${id}/approve`, who, {})

describe('simulation of a draft programme', () => {
  it('[RW-14] returns the totals of the days, the changes by member, and the effect on coverage and maximum gain', async () => {
    const { body } = await start(instance.maker, { referralPercent: 6 })
    await work()
    const { state, result, fileHref, fileName } = await job(instance.maker, body.data.jobId)
    expect({ state, fileName }).toEqual({ state: 'DONE', fileName: expect.stringMatching(/^simulation-.*\.csv$/) })
    expect(result).toMatchObject({
      totals: [{ kind: 'referral', asset: 'coin', before: 50, after: 60 }],
      more: 1,
      less: 0,
      same: 0,
      buckets: [{ fromPercent: 20, members: 1 }],
      top: [{ member: { email: sponsor.email }, asset: 'coin', before: 50, after: 60 }],
      maxGain: { before: { once: 5 }, after: { once: 6 } },
    })
    expect(result.coverage[0].after.promised - result.coverage[0].before.promised).toBe(10)
    const file = await instance.get(fileHref, instance.checker)
    expect(file.text).toContain(`"'=HYPERLINK(""x"")",${sponsor.email},referral,coin,50,60,10\r\n`)
    const left = await sql<{ rows: number }>`select count(*)::int as rows from reward_simulation`.execute(instance.at.db)
    expect(left.rows[0]?.rows).toBe(0)
  })

  it('runs twice at a time on the platform, and is cancelled only by the person who requested it', async () => {
    const first = (await start(instance.maker, { referralPercent: 1 })).body.data.jobId
    const second = (await start(instance.checker, { referralPercent: 2 })).body.data.jobId
    expect((await start(instance.third, { referralPercent: 3 })).status).toBe(429)
    expect((await instance.post(`/staff/jobs/${first}/cancel`, instance.checker)).status).toBe(404)
    expect((await instance.post(`/staff/jobs/${first}/cancel`, instance.maker)).status).toBe(200)
    expect((await instance.post(`/staff/jobs/${first}/cancel`, instance.maker)).body.message).toBe('This request has already been decided')
    await work()
    expect(await job(instance.maker, first)).toMatchObject({ state: 'FAILED', error: 'It was cancelled' })
    expect(await job(instance.checker, second)).toMatchObject({ state: 'DONE' })
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
  ])('rejects %j, which no programme may contain', async (rules) => {
    expect((await start(instance.maker, rules)).status).toBe(400)
  })
})

describe('programme proposal', () => {
  it("[I17] needs the proposer's own simulation of exactly its values, less than a day old", async () => {
    const value = { referralPercent: 4 }
    expect((await propose(instance.maker, value)).body.message).toBe(NEEDED)
    expect((await propose(instance.maker, value, '0123456789abcdef')).body.message).toBe(NEEDED)
    const mine = await instance.simulate(instance.maker, value)
    expect((await propose(instance.checker, value, mine)).body.message).toBe(NEEDED)
    expect((await propose(instance.maker, { referralPercent: 4.5 }, mine)).body.message).toBe(NEEDED)
    expect((await propose(instance.maker, { ...value, fullLevelShareDays: 364 }, mine)).body.message).toBe(NEEDED)
    await wait(24 * HOUR)
    expect((await propose(instance.maker, value, mine)).body.message).toBe(NEEDED)
    // An explicit current value gives the same draft.
    const again = await instance.simulate(instance.maker, value)
    expect((await propose(instance.maker, { ...value, fullLevelShareDays: 365 }, again)).status).toBe(200)
  })

  it('[I17] is approved only with a valid simulation of the last day, which the approver may repeat', async () => {
    const value = { referralPercent: 3 }
    const id = (await propose(instance.maker, value, await instance.simulate(instance.maker, value))).body.data.id
    const shown = async () => (await instance.get(`/staff/changes/${id}`, instance.checker)).body.data
    const first = await shown()
    expect(first).toMatchObject({ blocks: [], simulation: { by: { email: instance.maker.email } } })
    await wait(24 * HOUR)
    expect(await shown()).toMatchObject({ blocks: ['SIMULATION_NEEDED'] })
    expect((await approve(id, instance.checker)).body.message).toBe(NEEDED)
    const hash = await instance.simulate(instance.checker, value)
    expect(await shown()).toMatchObject({ blocks: [], simulation: { hash, by: { email: instance.checker.email } } })
    // The approver saw another simulation.
    expect((await instance.post(`/staff/changes/${id}/approve`, instance.checker, { seen: first.seen })).body.message).toBe(OUTDATED)
    // A new plan for coin raises the maximum gain above the simulated one.
    const plan = { planName: 'Rich', duration: 30, minimum: 10, apy: 12, omega: false, status: 'ACTIVE' }
    const sold = await instance.post('/staff/changes', instance.maker, { subject: 'plan', value: plan, reason: 'new' })
    expect((await approve(sold.body.data.id, instance.checker)).status).toBe(200)
    expect((await approve(id, instance.checker)).body.message).toBe(OUTDATED)
    await instance.simulate(instance.third, value)
    expect((await approve(id, instance.checker)).status).toBe(200)
    expect((await instance.get('/staff/catalogue', instance.maker)).body.data.programme.referralPercent).toBe(3)
  })

  it('[I17] expires with any other programme change, because it was simulated as a whole', async () => {
    const simulated = async (value: object) =>
      (await propose(instance.maker, value, await instance.simulate(instance.maker, value))).body.data.id
    const [one, other] = [await simulated({ levelPercents: [6, 3, 2, 1, 1] }), await simulated({ bountyPercents: [11, 5, 3, 2, 1] })]
    expect((await approve(one, instance.checker)).status).toBe(200)
    expect((await instance.get(`/staff/changes/${other}`, instance.checker)).body.data.status).toBe('OUTDATED')
  })

  it('counts purchases made while rewards were zero, so that a detour over zero does not hide an expensive draft', async () => {
    const { db, clock } = instance.at
    const none = { referralPercent: 0 }
    const id = (await propose(instance.maker, none, await instance.simulate(instance.maker, none))).body.data.id
    expect((await approve(id, instance.checker)).status).toBe(200)
    clock.advance(1000)
    const buyer = await createTestMember(db, { sponsorId: sponsor.id })
    const bought = { member_id: buyer.id, coin_amount: 2000n * ONE, coin_price: 1n, total_price: 1n, charged: 1n, posting_id: 1n }
    await db
      .insertInto('coin_purchase')
      .values({ ...bought, public_id: 'p2', settings_version: 1, created_at: clock.now() })
      .execute()
    await wait(24 * HOUR)
    const { body } = await start(instance.maker, { referralPercent: 50 })
    await work()
    const { result } = await job(instance.maker, body.data.jobId)
    expect(result.totals).toEqual([{ kind: 'referral', asset: 'coin', before: 50, after: 1500 }])
  })
})
