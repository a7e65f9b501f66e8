import { beforeEach, describe, expect, it } from 'vitest'
import { rejectionsOf } from '../../../../test/rejections.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { callerNetwork } from '../../../http/server/caller-network.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { confirmPeopleAsOperator } from '../people/confirm-people.ts'

const TWO = 'Another staff member has to approve this'
const reason = 'x'

let instance: StaffInstance
beforeEach(async () => {
  instance = await staffInstance()
})

const signIn = async (who: Person, ip: string) => {
  const { token, sessionId } = await instance.at.signIn(who.id)
  await instance.at.db
    .updateTable('session')
    .set({ ip, network: callerNetwork(ip) })
    .where('id', '=', sessionId)
    .execute()
  return { ...who, token }
}
const propose = (to: Person, role = 'ADMIN') => instance.post('/staff/roles', instance.checker, { email: to.email, role, reason })
/** Gives a new account a role after it signed in from an IP address, while the maker signed in from another. */
async function appoint(ofNew: string, ofMaker: string): Promise<Person> {
  const account = await instance.person()
  await signIn(account, ofNew)
  await signIn(instance.maker, ofMaker)
  const { proposalId } = (await propose(account)).body.data
  expect((await instance.post(`/staff/changes/${proposalId}/approve`, instance.third, {})).status).toBe(200)
  return { ...account, token: (await instance.at.signIn(account.id)).token }
}
const priceBy = async (who: Person) => {
  const body = { subject: 'popup', value: { title: 'T', message: String(Math.random()), isActive: true }, reason }
  return (await instance.post('/staff/changes', who, body)).body.data.id as string
}
const approvedBy = async (id: string, who: Person) => (await instance.post(`/staff/changes/${id}/approve`, who, {})).status

/** Each planned limit is stricter than the one before. */
let limit = 500

/** Decisions that take two people: the first does one part, the second completes it. Returns the second's message. */
const DECISIONS: Readonly<Record<string, (first: Person, second: Person) => Promise<string>>> = {
  'a proposal': async (first, second) => {
    const id = await priceBy(first)
    return (await instance.post(`/staff/changes/${id}/approve`, second, {})).body.message
  },
  'a payout above the limit': async (first, second) => {
    const id = await instance.withdrawal(await instance.person(), 2000n)
    await instance.post(`/staff/queues/withdrawals/${id}/approve`, first, { reason })
    return (await instance.post(`/staff/queues/withdrawals/${id}/approve`, second, { reason })).body.message
  },
  'a deposit without a payment': async (first, second) => {
    const id = await instance.deposit(await instance.person(), 5n)
    await instance.post(`/staff/queues/deposits/${id}/approve`, first, { amount: 5, reason })
    return (await instance.post(`/staff/queues/deposits/${id}/approve`, second, { amount: 5, reason })).body.message
  },
  'the end of a planned tightening': async (first, second) => {
    const startsAt = new Date(instance.at.clock.now().getTime() + 3_600_000).toISOString()
    const limits = { subject: 'limits', value: { fourEyesAboveUsd: (limit -= 1) }, startsAt, reason }
    const { id } = (await instance.post('/staff/changes', instance.checker, limits)).body.data
    expect(await approvedBy(id, instance.third)).toBe(200)
    await instance.post(`/staff/changes/${id}/cancel`, first, { reason })
    return (await instance.post(`/staff/changes/${id}/cancel`, second, { reason })).body.message
  },
}

describe('two staff accounts that shared a network', () => {
  it.each<[string, string, boolean]>([
    ['203.0.113.9', '203.0.113.9', true],
    ['::ffff:203.0.113.9', '203.0.113.9', true],
    ['2001:db8:0:1::9', '2001:DB8:0:1:ffff::1', true],
    ['2001:db8:0:1::9', '2001:db8:0:2::9', false],
    ['203.0.113.9', '203.0.113.10', false],
    ['10.1.2.3', '10.1.2.3', false],
    ['::1', '::1', false],
  ])('count as one person before the role from %s and %s: %s', async (ofNew, ofMaker, linked) => {
    const second = await appoint(ofNew, ofMaker)
    expect(await approvedBy(await priceBy(instance.maker), second)).toBe(linked ? 400 : 200)
    expect(await rejectionsOf(instance.at.db, second)).toEqual(linked ? ['staff.change.approve FOUR_EYES'] : [])
    const { links = [] } = (await instance.get('/staff/people', instance.checker)).body.data
    expect(links).toHaveLength(linked ? 1 : 0)
  })

  it('are two people if they share a network only after the role', async () => {
    const second = await appoint('203.0.113.9', '198.51.100.4')
    await signIn(second, '198.51.100.4')
    expect(await approvedBy(await priceBy(instance.maker), second)).toBe(200)
  })

  it.each(Object.keys(DECISIONS))('[I7] do not decide together about %s, in either order, until two others confirm them', async (name) => {
    const decide = DECISIONS[name]
    if (decide === undefined) throw new Error(name)
    const second = await appoint('203.0.113.9', '203.0.113.9')
    const maker = { ...instance.maker, token: (await instance.at.signIn(instance.maker.id)).token }
    expect(await decide(maker, second)).toBe(TWO)
    expect(await decide(second, maker)).toBe(TWO)
    const path = `/staff/members/${second.publicId}/separate-people`
    const body = { otherId: maker.publicId, reason }
    for (const one of [second, maker]) expect((await instance.post(path, one, body)).body.message).toBe(TWO)
    const { proposalId } = (await instance.post(path, instance.checker, body)).body.data
    for (const one of [second, maker, instance.checker]) expect(await approvedBy(proposalId, one)).toBe(400)
    expect(await approvedBy(proposalId, instance.third)).toBe(200)
    expect(await decide(maker, second)).not.toBe(TWO)
    expect((await instance.post(path, instance.checker, body)).status).toBe(404)
  })

  it('are shown to the approver of the role', async () => {
    const account = await instance.person()
    await signIn(account, '203.0.113.9')
    await signIn(instance.maker, '203.0.113.9')
    const other = await instance.person()
    const linkedOf = async (to: Person) => {
      const { proposalId } = (await propose(to, 'SUPPORT')).body.data
      return (await instance.get(`/staff/changes/${proposalId}`, instance.third)).body.data.linkedStaff
    }
    expect(await linkedOf(account)).toEqual([expect.objectContaining({ email: instance.maker.email })])
    expect(await linkedOf(other)).toBeUndefined()
  })

  it('[I17] are confirmed by the operator only while fewer than two others can, with an audit entry and a mail to all staff', async () => {
    const second = await appoint('203.0.113.9', '203.0.113.9')
    const emails = [instance.maker.email, second.email] as const
    const confirm = () => inTransaction(instance.at.db, (tx) => confirmPeopleAsOperator(tx, instance.at.deps, emails))
    await expect(confirm()).rejects.toMatchObject({ code: 'FOUR_EYES' })
    await instance.at.db.updateTable('member').set({ is_active: false }).where('id', '=', instance.third.id).execute()
    await confirm()
    await expect(confirm()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await instance.audits(instance.maker.publicId)).map(({ action }) => action)).toContain('staff.separate-people.operator')
    const mailed = await instance.at.db.selectFrom('mail_outbox').select('recipient').where('template', '=', 'notice').execute()
    for (const who of [instance.maker, instance.checker, instance.support, second])
      expect(mailed.map(({ recipient }) => recipient)).toContain(who.email)
    const maker = { ...instance.maker, token: (await instance.at.signIn(instance.maker.id)).token }
    expect(await approvedBy(await priceBy(maker), second)).toBe(200)
  })
})
