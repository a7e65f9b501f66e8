import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { addHit } from '../../../../test/screening-calls.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { beginClosing } from '../../members/index.ts'
import { setPayoutRules } from '../../withdrawals/index.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'

const reason = 'the same device'
let instance: StaffInstance
beforeAll(async () => {
  instance = await staffInstance()
})
const open = (who: { publicId: string }, by: Person = instance.support, more: object = {}) =>
  instance.post(`/staff/members/${who.publicId}/case`, by, { title: 'Shared device', dueDays: 7, reason, ...more })
const opened = async (by?: Person, more?: object): Promise<{ who: Person; id: string }> => {
  const who = await instance.person()
  return { who, id: (await open(who, by, more)).body.data.caseId }
}
const take = (id: string, by: Person) => instance.post(`/staff/cases/${id}/take`, by, { dueDays: 30, reason })
const close = (id: string, by: Person, outcome = 'cleared') => instance.post(`/staff/cases/${id}/close`, by, { outcome, reason })
const approve = (id: string, by: Person) => instance.post(`/staff/changes/${id}/approve`, by, {})
const closeByTwo = (id: string, outcome = 'cleared') => instance.byTwo(`/staff/cases/${id}/close`, { outcome, reason })
const LATER = () => new Date(instance.at.clock.now().getTime() + DAY_MS)
const list = async (view: string, by: Person = instance.support, more = '') =>
  (await instance.get(`/staff/cases?view=${view}&limit=50${more}`, by)).body.data.data.map(({ id }: { id: string }) => id)
const caseOf = async ({ publicId }: Person) => (await instance.get(`/staff/members/${publicId}`, instance.support)).body.data.case

describe('case about a member', () => {
  it('is open with an owner and a due date, until it is closed with an outcome', async () => {
    const { who, id } = await opened()
    const now = instance.at.clock.now()
    const dueAt = new Date(now.getTime() + 7 * DAY_MS).toISOString()
    expect(await caseOf(who)).toMatchObject({
      id,
      title: 'Shared device',
      reason,
      owner: { id: instance.support.publicId },
      dueAt,
      outcome: null,
    })
    expect((await take(id, instance.maker)).status).toBe(200)
    expect(await caseOf(who)).toMatchObject({ owner: { id: instance.maker.publicId } })
    expect((await close(id, instance.support, 'reported')).status).toBe(400)
    expect((await closeByTwo(id, 'reported')).status).toBe(200)
    expect(await caseOf(who)).toBeUndefined()
    const [first] = (await instance.get('/staff/cases?view=closed', instance.support)).body.data.data
    expect(first).toMatchObject({ id, outcome: 'reported', outcomeReason: reason, closedBy: { id: instance.maker.publicId } })
    const actions = (await instance.audits(who.publicId)).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['staff.case.open', 'staff.case.take', 'staff.case.close']))
    expect((await open(who)).status).toBe(200)
  })

  it('is the only open one of its member, also when two people open one at once, and is closed once', async () => {
    const who = await instance.person()
    const replies = await Promise.all([open(who, instance.maker), open(who, instance.checker), open(who, instance.third)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    const { id } = await caseOf(who)
    const ends = await Promise.all([closeByTwo(id), closeByTwo(id, 'acted')])
    expect(ends.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect((await take(id, instance.third)).status).toBe(400)
  })

  it('is neither opened, taken nor closed by its member or a linked account', async () => {
    const { at, maker } = instance
    expect((await open(maker, maker)).status).toBe(400)
    const id = (await open(maker, instance.checker)).body.data.caseId
    const linked = await instance.person({ role: 'ADMIN', sponsorId: maker.id })
    const seen = { first_seen_at: at.clock.now(), last_seen_at: at.clock.now(), same_address: true, same_device: true }
    await at.db
      .insertInto('linked_account')
      .values({ member_id: linked.id, upline_id: maker.id, level: 1, same_payout_address: false, ...seen })
      .execute()
    for (const by of [maker, linked]) {
      expect((await take(id, by)).status).toBe(400)
      expect((await close(id, by)).status).toBe(400)
    }
    expect((await approve((await close(id, instance.third)).body.data.proposalId, instance.checker)).status).toBe(200)
  })

  it('is closed by one person who alone worked on it', async () => {
    const { who, id } = await opened()
    expect((await close(id, instance.support)).body.data).toBeNull()
    expect(await caseOf(who)).toBeUndefined()
  })

  const NEEDS_TWO: [string, (who: Person, id: string) => Promise<unknown>, opener?: 'checker'][] = [
    ['the closer took it over from another person', (_, id) => take(id, instance.maker), 'checker'],
    ['a match of screening is open', (who) => addHit(instance.at, who.id)],
    [
      'a rule holds a payout of the member',
      async (who) => {
        const { db, deps } = instance.at
        await instance.withdrawal(who, 5n)
        await inTransaction(db, (tx) => setPayoutRules(tx, deps, { rules: [], actorId: null, reason }))
        await sql`update payout_request set rule_outcome = 'HELD', rule_name = 'New device',
          rule_version = (select max(version) from payout_rules) where member_id = ${who.id}`.execute(db)
      },
    ],
    [
      'the account closes',
      (who) => inTransaction(instance.at.db, (tx) => beginClosing(tx, { id: who.id, at: instance.at.clock.now(), closesAt: LATER() })),
    ],
  ]
  it.each(NEEDS_TWO)('[I7] is closed by two people when %s', async (_, make, opener: 'maker' | 'checker' = 'maker') => {
    const { who, id } = await opened(instance[opener])
    await make(who, id)
    const { proposalId } = (await close(id, instance.maker)).body.data
    expect(await caseOf(who)).toMatchObject({ id, outcome: null })
    expect((await approve(proposalId, instance.maker)).status).toBe(400)
    expect((await approve(proposalId, instance.checker)).status).toBe(200)
    expect(await caseOf(who)).toBeUndefined()
  })

  it('[I7] keeps an approved closing from a case that another person took over meanwhile', async () => {
    const { who, id } = await opened(instance.checker)
    const { proposalId } = (await close(id, instance.maker)).body.data
    await take(id, instance.third)
    expect((await approve(proposalId, instance.checker)).status).toBe(400)
    expect(await caseOf(who)).toMatchObject({ owner: { id: instance.third.publicId } })
  })

  it('is listed by due date, in pages, and among the cases of its owner', async () => {
    const late = await opened(instance.checker, { dueDays: 90 })
    const soon = await opened(instance.checker, { dueDays: 1 })
    const all = await list('open')
    expect(all.indexOf(soon.id)).toBeLessThan(all.indexOf(late.id))
    expect(await list('open', instance.support, `&before=${soon.id}`)).toEqual(all.slice(all.indexOf(soon.id) + 1))
    expect(await list('mine', instance.checker)).toEqual([soon.id, late.id])
    expect(await list('mine', instance.maker)).toEqual([])
  })

  it.each([
    ['no title', { title: ' ' }],
    ['a due date in 91 days', { dueDays: 91 }],
    ['a due date today', { dueDays: 0 }],
    ['no reason', { reason: '' }],
  ])('is not opened with %s', async (_, input) => {
    const who = await instance.person()
    expect((await open(who, instance.support, input)).status).toBe(400)
    expect(await caseOf(who)).toBeUndefined()
  })

  it('is hidden from members, and unknown ids are not found', async () => {
    const { id } = await opened()
    expect((await instance.get('/staff/cases', instance.member)).status).toBe(404)
    expect((await close(id, instance.member)).status).toBe(404)
    expect((await close('nothing', instance.maker)).status).toBe(404)
  })
})
