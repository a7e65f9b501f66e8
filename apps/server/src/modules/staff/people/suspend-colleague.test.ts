import { allRoutes } from '@tizara/contract/all-routes'
import { errorMessage } from '@tizara/contract/errors'
import { beforeEach, describe, expect, it } from 'vitest'
import { rejectionsOf } from '../../../../test/rejections.ts'
import { replyTo, sendCall } from '../../../../test/send-staff-call.ts'
import { calls, instance, lift as liftPause, openStaffApp, reason } from '../../../../test/staff-calls.ts'
import type { Person } from '../../../../test/staff-instance.ts'
import { HOUR_MS } from '../../../platform/runtime/clock.ts'
import { memberById } from '../../members/index.ts'

await openStaffApp()

const DAY_MS = 24 * HOUR_MS
const actions = allRoutes.filter((route) => route.access === 'staff' && route.method !== 'GET')
/** Calls that a suspender keeps for the hour. All other calls wait, new ones included. */
const KEPT = [
  'announcePresence',
  'answerTicket',
  'assignTicket',
  'closeTicketAsStaff',
  'noteOnMember',
  'openCase',
  'takeCase',
  'noteOnTicket',
  'openTicketImage',
  'pausePlatform',
  'previewMail',
  'revealMember',
  'revealRequestAddress',
  'simulateProgramme',
  'tagTicket',
  'takeIncident',
  'previewRewardDay',
]
/** Calls about the caller's own background jobs, which change nothing else. */
const OWN_FILES = ['cancelStaffJob']
const waits = /^You have suspended a colleague/

const suspend = (who: Person, by: Person) => instance.post(`/staff/members/${who.publicId}/suspend`, by, { reason })
const lift = (who: Person, by: Person) => instance.post(`/staff/members/${who.publicId}/lift-suspension`, by, { reason })
const approve = (id: string, by: Person) => instance.post(`/staff/changes/${id}/approve`, by, {})
const again = async (who: Person): Promise<Person> => ({ ...who, token: (await instance.at.signIn(who.id)).token })
const admin = () => instance.person({ role: 'ADMIN' })
const wait = { status: 400, body: { message: expect.stringMatching(/^You have suspended a colleague/) } }
const suspended = { status: 400, body: { message: expect.stringMatching(/^A colleague has suspended your staff rights/) } }

let thief: Person
let owner: Person
beforeEach(async () => {
  // Earlier tests move the clock, which ends sessions.
  for (const who of [instance.maker, instance.checker, instance.third, instance.support, instance.member])
    who.token = (await instance.at.signIn(who.id)).token
  ;[thief, owner] = [await admin(), await admin()]
})

describe('suspension of a colleague', () => {
  it('[I14] [I7] ends the sessions and all staff rights for an hour, and moves nothing else', async () => {
    const waiting = await instance.withdrawal(await instance.person(), 10n)
    const proposed = await instance.post('/staff/changes', thief, {
      subject: 'popup',
      value: { title: 'T', message: 'M', isActive: true },
      reason,
    })
    expect(await suspend(thief, owner)).toMatchObject({ status: 200, body: { data: null } })
    expect((await instance.get('/staff/me', thief)).status).toBe(401)
    const anew = await again(thief)
    expect(await instance.get('/staff/me', anew)).toMatchObject(suspended)
    for (const route of actions) {
      const call = await calls[route.name]?.prepare(anew.token)
      if (call === undefined) throw new Error(`no call for ${route.name}`)
      expect([route.name, await sendCall(route, call, anew.token)]).toEqual([route.name, 400])
      await liftPause()
    }
    // The person's waiting proposals do not pass meanwhile.
    expect((await approve(proposed.body.data.id, instance.checker)).status).toBe(400)
    expect((await memberById(instance.at.db, thief.id))?.role).toBe('ADMIN')
    instance.at.clock.advance(HOUR_MS)
    const later = await again(thief)
    expect((await instance.get('/staff/me', later)).status).toBe(200)
    expect((await instance.post(`/staff/queues/withdrawals/${waiting}/approve`, later, { reason })).status).toBe(200)
  })

  it('[I17] records the calls of the suspended person once an hour, also for many at once', async () => {
    expect((await suspend(thief, owner)).status).toBe(200)
    const anew = await again(thief)
    const fund = { amount: 1, asset: 'coin', source: 'x', reason }
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? instance.get('/staff/me', anew) : instance.post('/staff/reward-pool/fund', anew, fund),
      ),
    )
    const recorded = () =>
      instance.at.db
        .selectFrom('audit_event')
        .select(['actor_role', 'outcome', 'subject_id'])
        .where('actor_id', '=', thief.id)
        .where('action', '=', 'auth.suspended-call')
        .execute()
    const entry = { actor_role: 'ADMIN', outcome: 'STAFF_SUSPENDED', subject_id: thief.publicId }
    expect(await recorded()).toEqual([entry])
    await instance.at.db
      .updateTable('member')
      .set({ suspended_until: new Date(instance.at.clock.now().getTime() + DAY_MS) })
      .where('id', '=', thief.id)
      .execute()
    instance.at.clock.advance(HOUR_MS)
    await instance.get('/staff/me', await again(thief))
    expect(await recorded()).toEqual([entry, entry])
  })

  it('[I7] lets the suspender only stop, answer and read for the hour', async () => {
    expect((await suspend(thief, owner)).status).toBe(200)
    const refused: string[] = []
    for (const route of actions) {
      const call = await calls[route.name]?.prepare(owner.token)
      if (call === undefined) throw new Error(`no call for ${route.name}`)
      if (waits.test((await replyTo(route, call, owner.token)).message)) refused.push(route.name)
      await liftPause()
    }
    const free = actions.map((route) => route.name).filter((name) => !refused.includes(name))
    expect(free.filter((name) => !KEPT.includes(name))).toEqual(OWN_FILES)
    expect(refused.filter((name) => KEPT.includes(name))).toEqual([])
    expect((await instance.get('/staff/me', owner)).status).toBe(200)
    instance.at.clock.advance(HOUR_MS)
    const proposal = { subject: 'popup', value: { title: 'T', message: 'N', isActive: true }, reason }
    expect((await instance.post('/staff/changes', await again(owner), proposal)).status).toBe(200)
  })

  it('[I7] by one person is limited to one colleague in 24 hours', async () => {
    const second = await admin()
    expect((await suspend(thief, owner)).status).toBe(200)
    expect(await suspend(second, owner)).toMatchObject(wait)
    instance.at.clock.advance(HOUR_MS)
    expect(await suspend(second, await again(owner))).toMatchObject({ body: { message: errorMessage('SUSPENSION_LIMIT') } })
    instance.at.clock.advance(DAY_MS - HOUR_MS - 2000)
    expect((await suspend(second, await again(owner))).status).toBe(400)
    instance.at.clock.advance(2000)
    expect(await suspend(second, await again(owner))).toMatchObject({ status: 200, body: { data: null } })
  })

  it.each(['repeat', 'lift'] as const)('[I7] takes two people to %s', async (what) => {
    const third = await admin()
    expect((await suspend(thief, owner)).status).toBe(200)
    if (what === 'repeat') instance.at.clock.advance(2 * HOUR_MS)
    const until = async () => (await memberById(instance.at.db, thief.id))?.suspended_until
    const before = await until()
    const [by, other] = [await again(third), await again(instance.checker)]
    const { proposalId } = (await (what === 'lift' ? lift : suspend)(thief, by)).body.data
    expect((await approve(proposalId, by)).status).toBe(400)
    expect(await rejectionsOf(instance.at.db, by)).toEqual(['staff.change.approve FOUR_EYES'])
    expect((await approve(proposalId, await again(thief))).status).toBe(400)
    expect(await until()).toEqual(before)
    expect((await approve(proposalId, other)).status).toBe(200)
    const access = (await instance.get('/staff/me', await again(thief))).status
    expect(access).toBe(what === 'lift' ? 200 : 400)
  })

  it('is rejected for oneself, for a plain member and without the right, and a lift where nothing is suspended', async () => {
    expect((await suspend(owner, owner)).body.message).toBe(errorMessage('FOUR_EYES'))
    expect((await suspend(await instance.person(), owner)).status).toBe(404)
    expect((await lift(thief, owner)).body.message).toBe(errorMessage('ALREADY_DECIDED'))
    expect((await suspend(thief, await instance.person({ role: 'FINANCE' }))).status).toBe(404)
  })

  it('lets one of two people pass who suspend each other at the same time', async () => {
    const replies = await Promise.all([suspend(thief, owner), suspend(owner, thief)])
    const statuses = replies.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, expect.toSatisfy((status: number) => status >= 400 && status < 500)])
    const entries = [...(await instance.audits(thief.publicId)), ...(await instance.audits(owner.publicId))]
    expect(entries.filter(({ action, outcome }) => action === 'staff.suspend' && outcome === 'ok')).toHaveLength(1)
    const rows = await Promise.all([thief, owner].map(({ id }) => memberById(instance.at.db, id)))
    expect(rows.filter((row) => row?.suspended_until !== null)).toHaveLength(1)
  })

  it('[I7] keeps counting the suspended person where a rule asks for a second one', async () => {
    const others = await instance.at.db.selectFrom('member').select('id').where('role', '=', 'ADMIN').execute()
    const rest = others.map(({ id }) => id).filter((id) => ![thief.id, owner.id].includes(id))
    await instance.at.db.updateTable('member').set({ is_active: false }).where('id', 'in', rest).execute()
    expect((await suspend(owner, thief)).status).toBe(200)
    instance.at.clock.advance(HOUR_MS - 60_000)
    await instance.at.db.updateTable('member').set({ suspended_colleague_at: null }).where('id', '=', thief.id).execute()
    const taken = await instance.post('/staff/roles', await again(thief), { email: owner.email, role: 'MEMBER', reason })
    await instance.at.db.updateTable('member').set({ is_active: true }).where('id', 'in', rest).execute()
    expect(taken.body.data).toEqual({ proposalId: expect.any(String) })
    expect((await instance.audits(taken.body.data.proposalId)).map(({ action }) => action)).toEqual(['staff.change.propose'])
    expect((await memberById(instance.at.db, owner.id))?.role).toBe('ADMIN')
  })

  it('[I17] mails the person and all admins, and leaves an audit entry for success and rejection', async () => {
    await suspend(thief, owner)
    await suspend(instance.third, owner)
    const mailed = await instance.at.db.selectFrom('mail_outbox').select('recipient').where('template', '=', 'notice').execute()
    const admins = instance.at.db.selectFrom('member').select('email').where('role', '=', 'ADMIN').where('is_active', '=', true)
    const recipients = mailed.map(({ recipient }) => recipient)
    expect((await admins.execute()).filter(({ email }) => !recipients.includes(email))).toEqual([])
    const outcomes = async (who: Person) =>
      (await instance.audits(who.publicId)).filter(({ action }) => action === 'staff.suspend').map(({ outcome }) => outcome)
    expect(await outcomes(thief)).toEqual(['ok'])
    expect(await outcomes(instance.third)).toEqual(['SUSPENDER_WAITS'])
  })
})
