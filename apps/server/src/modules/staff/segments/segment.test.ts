import { ONE } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { runJob } from '../../../jobs/job.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { staffJobs } from '../index.ts'
import { fund } from '../../../../test/members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { readSegment } from './segment.queries.ts'

let instance: StaffInstance
let rich: Person
let staker: Person
let idle: Person
let linked: Person
beforeAll(async () => {
  instance = await staffInstance()
  const { db, clock } = instance.at
  rich = await instance.person({ phone: '+2348031112233', rank: 'gold' })
  staker = await instance.person({ phone: '+4915112345678' })
  idle = await instance.person()
  linked = await instance.person({ sponsorId: rich.id })
  await fund(db, rich.id, 'depositWallet', 700n * ONE)
  await fund(db, rich.id, 'nftWallet', 300n * ONE)
  await fund(db, staker.id, 'stakeWallet', 50n * ONE)
  const now = clock.now()
  await db
    .updateTable('session')
    .set({ last_seen_at: new Date(now.getTime() - 40 * DAY_MS) })
    .where('member_id', '=', idle.id)
    .execute()
  const trace = { first_seen_at: now, last_seen_at: now, same_address: true, same_device: false, same_payout_address: false }
  await db
    .insertInto('linked_account')
    .values({ member_id: linked.id, upline_id: rich.id, level: 1, ...trace })
    .execute()
  await db
    .updateTable('member')
    .set({ payouts_frozen_until: new Date(now.getTime() + DAY_MS), payouts_frozen_for: 'device' })
    .where('id', '=', staker.id)
    .execute()
})

const find = async (query: string) => (await instance.get(`/staff/members?${query}`, instance.support)).body
const ids = async (query: string) => (await find(query)).data.data.map(({ id }: { id: string }) => id)

describe('segment', () => {
  const EXPECTED: [string, () => Person[]][] = [
    ['usdFrom=1000', () => [rich]],
    ['usdFrom=1001', () => []],
    ['usdFrom=1&usdBelow=1000', () => []],
    ['usdFrom=1000&usdBelow=1001', () => [rich]],
    ['stakedFrom=50', () => [staker]],
    ['rank=Gold', () => [rich]],
    ['callingCode=234', () => [rich]],
    ['callingCode=49&sign=frozen', () => [staker]],
    ['callingCode=49&sign=linked', () => []],
    ['sign=linked', () => [linked, rich]],
    ['notSeenFor=30', () => [idle]],
    ['notSeenFor=90', () => []],
    ['seenWithin=90&notSeenFor=30', () => [idle]],
    ['usdFrom=1000&state=blocked', () => []],
  ]
  it.each(EXPECTED)('finds the members that meet all criteria, newest first: %s', async (query, people) => {
    expect(await ids(query)).toEqual(people().map(({ publicId }) => publicId))
  })

  it('shows the figures that the criteria compare', async () => {
    const { data, meta } = (await find('usdFrom=1')).data
    expect(data).toMatchObject([{ id: rich.publicId, segment: { usd: 1000, staked: 0, seenAt: expect.any(String) } }])
    expect(meta.total).toBe(1)
    expect((await find('q=Test')).data.data[0].segment).toBeUndefined()
  })

  it('continues after the last row of a page', async () => {
    const first = await ids('seenWithin=1&limit=2')
    const second = await ids(`seenWithin=1&limit=2&before=${first[1]}`)
    expect(new Set([...first, ...second]).size).toBe(4)
    expect(await ids('seenWithin=1&limit=4')).toEqual([...first, ...second])
  })

  it.each([
    ['usdFrom=100&usdBelow=100', 'No balance is in this range'],
    ['usdBelow=0', 'No balance is in this range'],
    ['seenWithin=7&notSeenFor=7', 'No member was seen in this range'],
    ['usdFrom=1&q=anna', 'A search and a segment cannot be combined'],
    ['usdFrom=-1', 'Must be a whole number'],
    ['callingCode=%25', 'Not a calling code'],
    ['sign=all', 'Invalid sign'],
  ])('rejects criteria that no member can meet: %s', async (query, text) => {
    const reply = await instance.get(`/staff/members?${query}`, instance.support)
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(text)])
  })

  it('[I14] is exported in full, and rejected before the job starts if it is contradictory', async () => {
    const { db, deps } = instance.at
    const ask = (filter: object) => instance.post('/staff/exports', instance.maker, { list: 'members', filter })
    expect((await ask({ usdFrom: '5', usdBelow: '5' })).status).toBe(400)
    expect((await instance.post('/staff/exports', instance.support, { list: 'members', filter: { usdFrom: '1' } })).status).toBe(404)
    const { jobId } = (await ask({ usdFrom: '1000' })).body.data
    await runJob(db, deps, backgroundJobs(staffJobs), 'test')
    const { text } = await instance.get(`/staff/jobs/${jobId}/file`, instance.maker)
    const lines = text.trim().split(/\r?\n/)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(rich.email)
    expect(lines[1]).toMatch(/gold,1000\.?0*,0\.?0*,/)
  })

  it('reads a bounded number of members, and says where the next batch begins', async () => {
    const { db, clock } = instance.at
    const found: bigint[] = []
    let before: bigint | undefined
    let batches = 0
    do {
      const { rows, last } = await readSegment(db, { usdFrom: '1' }, { now: clock.now(), before, limit: 3, scan: 3 })
      found.push(...rows.map(({ id }) => id))
      before = last
      batches += 1
    } while (before !== undefined)
    expect(found).toEqual([rich.id])
    expect(batches).toBeGreaterThan(2)
  })
})
