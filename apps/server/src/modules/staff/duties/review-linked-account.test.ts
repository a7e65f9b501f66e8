import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTestMember } from '../../../../test/members.ts'
import { type Person, staffInstance } from '../../../../test/staff-instance.ts'

const instance = await staffInstance()
const finance = await instance.person({ role: 'FINANCE' })

const note = async (member: { id: bigint }, upline: { id: bigint }) => {
  const seen = { first_seen_at: instance.at.clock.now(), last_seen_at: instance.at.clock.now() }
  const row = { member_id: member.id, upline_id: upline.id, level: 1, same_address: true, same_device: true, same_payout_address: false }
  const { id } = await instance.at.db
    .insertInto('linked_account')
    .values({ ...row, ...seen })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}
const review = (id: string, who: Person, verdict: string) =>
  instance.post(`/staff/linked-accounts/${id}/review`, who, { verdict, reason: 'One household' })
const list = async (query: string) => (await instance.get(`/staff/linked-accounts?${query}`, instance.support)).body.data

describe('review of linked accounts', () => {
  it("[I17] updates the order, and removes the warning of cleared ones from requests, with the reviewer's name", async () => {
    const upline = await instance.person()
    const member = await instance.person({ sponsorId: upline.id })
    const id = await note(member, upline)
    const request = await instance.withdrawal(member, 20n)
    const signs = async () =>
      (await instance.get(`/staff/queues/withdrawals/${request}`, finance)).body.data.signs.map((sign: { code: string }) => sign.code)
    expect(await signs()).toContain('TRACE')
    expect((await list('view=open')).data).toMatchObject([
      { id, member: { id: member.publicId }, upline: { id: upline.publicId }, times: 1, earned: { coin: 0, usd: 0 } },
    ])
    expect((await review(id, instance.support, 'watch')).status).toBe(200)
    expect(await signs()).toContain('TRACE')
    expect((await list('view=watch')).data).toMatchObject([
      { verdict: 'watch', reason: 'One household', reviewedBy: { id: instance.support.publicId } },
    ])
    expect((await review(id, instance.support, 'harmless')).status).toBe(200)
    expect(await signs()).not.toContain('TRACE')
    const { checks } = (await instance.get(`/staff/queues/withdrawals/${request}`, finance)).body.data
    expect(checks).toContain(`Linked to the upline, cleared by ${instance.support.email}`)
    expect(checks).not.toContain('Not linked to the upline')
    expect((await list('view=harmless')).counts).toEqual({ open: 0, harmless: 1, watch: 0 })
    expect((await instance.audits(id)).map((row) => row.action)).toEqual(['staff.linked-account.review', 'staff.linked-account.review'])
    expect((await review(id, instance.support, 'odd')).status).toBe(400)
    for (const unknown of ['999999', 'x']) expect((await review(unknown, instance.support, 'watch')).status).toBe(404)
  })

  it("shows the upline's earnings from the member", async () => {
    const { db, clock } = instance.at
    const upline = await instance.person()
    const member = await instance.person({ sponsorId: upline.id })
    const bystander = await instance.person()
    const id = await note(member, upline)
    const { rows } = await sql<{ id: bigint }>`
      insert into coin_purchase (public_id, member_id, coin_amount, coin_price, total_price, charged, settings_version, posting_id, created_at)
      values ('cp-traced', ${member.id}, 100, 1, 1, 1, 1, 1, ${clock.now()}) returning id`.execute(db)
    const reward = (of: { id: bigint }, amount: bigint, reversed: bigint, status: string) =>
      sql`
      insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, level, base, percent, amount, reversed, asset,
        programme_version, status, created_at, release_at, cause_public_id)
      values ('referral', ${of.id}, ${member.id}, 'coin_purchase', ${rows[0]?.id}, 1, ${amount}, 1, ${amount}, ${reversed}, 'COIN', 1, ${status},
        ${clock.now()}, ${clock.now()}, 'cp-traced')`.execute(db)
    await reward(upline, 5n * ONE, 2n * ONE, 'held')
    await reward(bystander, 9n * ONE, 0n, 'held')
    expect((await list(`view=open&member=${member.publicId}`)).data).toMatchObject([{ id, earned: { coin: 3, usd: 0 } }])
    await sql`delete from reward_instant where cause_public_id = 'cp-traced'`.execute(db)
    await sql`delete from coin_purchase where public_id = 'cp-traced'`.execute(db)
  })

  it('is denied to the linked people and to accounts linked with them', async () => {
    const helper = await instance.person({ role: 'SUPPORT' })
    const friend = await instance.person({ sponsorId: helper.id })
    const below = await instance.person({ sponsorId: friend.id })
    const own = await note(friend, helper)
    const near = await note(below, friend)
    for (const id of [own, near]) expect((await review(id, helper, 'harmless')).body.message).toMatch(/Another staff member/)
    expect((await review(near, instance.support, 'harmless')).status).toBe(200)
  })

  it('gives the reason why a linked staff member cannot decide, which a review does not change', async () => {
    const { id, publicId } = await createTestMember(instance.at.db, { role: 'FINANCE' })
    const decider = { ...finance, id, publicId, token: (await instance.at.signIn(id)).token }
    const member = await instance.person({ sponsorId: id })
    const trace = await note(member, { id })
    await review(trace, instance.support, 'harmless')
    const request = await instance.withdrawal(member, 20n)
    const readRequest = (who: Person) => instance.get(`/staff/queues/withdrawals/${request}`, who)
    expect((await readRequest(decider)).body.data).toMatchObject({ canDecide: false, whyNot: 'TRACES' })
    expect((await readRequest(finance)).body.data).toMatchObject({ canDecide: true })
    const approve = await instance.post(`/staff/queues/withdrawals/${request}/approve`, decider, { reason: 'mine' })
    expect(approve.body.message).toMatch(/Another staff member/)
  })
})
