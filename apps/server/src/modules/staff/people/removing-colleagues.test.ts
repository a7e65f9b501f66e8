import { staffRoles } from '@tizara/contract/staff'
import { describe, expect, it } from 'vitest'
import { testMailbox } from '../../../../test/mails.ts'
import { rejectionsOf } from '../../../../test/rejections.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { mailJobs } from '../../../gateways/mailer/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { memberById } from '../../members/index.ts'

const DAY_MS = 86_400_000
const instance = await staffInstance()
const reason = 'left'

/** Ways for one admin to remove a staff member's rights, as calls. */
const WAYS: Readonly<Record<string, (of: Person) => [path: string, body: object]>> = {
  'their role is taken': ({ email }) => ['/staff/roles', { email, role: 'MEMBER', reason }],
  'they get the least role': ({ email }) => ['/staff/roles', { email, role: 'AUDITOR', reason }],
  'they are blocked': ({ publicId }) => [`/staff/members/${publicId}/status`, { status: false, reason }],
  'their sessions are ended': ({ publicId }) => [`/staff/members/${publicId}/end-sessions`, { reason }],
}
const cases = staffRoles.flatMap((role) => Object.keys(WAYS).map((way) => ({ role, way })))

const accessOf = async ({ at }: StaffInstance, { id }: Person) => {
  const member = await memberById(at.db, id)
  const live = await at.db.selectFrom('session').select('id').where('member_id', '=', id).where('ended_at', 'is', null).execute()
  return { role: member?.role, isActive: member?.is_active, sessions: live.length }
}
const noticesTo = ({ at }: StaffInstance, { email }: Person) =>
  at.db.selectFrom('mail_outbox').select('recipient').where('template', '=', 'notice').where('recipient', '=', email).execute()

/** An admin may propose the removal of their own role, because nobody else loses a right. */
const mayGiveUp = (role: string, way: string) => role === 'ADMIN' && way.includes('role')

describe('rights of staff', () => {
  it.each(cases.filter(({ role, way }) => role !== 'AUDITOR' || way !== 'they get the least role'))(
    '[GN-04] [I7] of $role are removed only by two authorized others when $way',
    async ({ role, way }) => {
      const who = await instance.person({ role })
      const before = await accessOf(instance, who)
      const [path, body] = WAYS[way]?.(who) ?? ['', {}]
      if (!mayGiveUp(role, way)) expect((await instance.post(path, who, body)).status).not.toBe(200)
      const { proposalId } = (await instance.post(path, instance.maker, body)).body.data
      const approve = async (by: Person) => (await instance.post(`/staff/changes/${proposalId}/approve`, by, {})).status
      expect([await approve(instance.maker), await approve(who), await approve(instance.support)]).toEqual([
        400,
        role === 'ADMIN' ? 400 : 404,
        404,
      ])
      expect(await accessOf(instance, who)).toEqual(before)
      expect(await noticesTo(instance, who)).toEqual([])
      expect(await approve(instance.checker)).toBe(200)
      expect(await accessOf(instance, who)).not.toEqual(before)
      expect((await noticesTo(instance, who)).length).toBe(way === 'their sessions are ended' ? 0 : 1)
      const entries = (await instance.audits(proposalId)).filter(({ action }) => action === 'staff.change.approve')
      expect(entries.map(({ outcome }) => outcome).toSorted()).toEqual(
        ['FOUR_EYES', role === 'ADMIN' ? 'FOUR_EYES' : 'STAFF_ONLY', 'STAFF_ONLY', 'ok'].toSorted(),
      )
    },
  )

  it('[GN-04] [I7] are given up by their owner with the approval of another admin', async () => {
    const who = await instance.person({ role: 'ADMIN' })
    const { proposalId } = (await instance.post('/staff/roles', who, { email: who.email, role: 'AUDITOR', reason })).body.data
    expect((await instance.post(`/staff/changes/${proposalId}/approve`, who, {})).status).toBe(400)
    expect((await instance.post(`/staff/changes/${proposalId}/approve`, instance.checker, {})).status).toBe(200)
    expect(await accessOf(instance, who)).toMatchObject({ role: 'AUDITOR', sessions: 0 })
  })

  it('[GN-04] taken by a sole admin are mailed to their owner, and the waiting time of new staff begins again', async () => {
    const small = await staffInstance()
    const { db, clock } = small.at
    await db.updateTable('member').set({ is_active: false }).where('id', 'in', [small.checker.id, small.third.id]).execute()
    const admin = async () => ({ ...small.maker, token: (await small.at.signIn(small.maker.id)).token })
    const [puppet, gone] = [await small.person(), await small.person({ role: 'SUPPORT' })]
    const give = async (to: Person, role: string) =>
      expect((await small.post('/staff/roles', await admin(), { email: to.email, role, reason })).body.data).toBeNull()
    await give(puppet, 'FINANCE')
    const payout = await small.withdrawal(small.member, 10n)
    const approve = async () => {
      const token = (await small.at.signIn(puppet.id)).token
      return (await small.post(`/staff/queues/withdrawals/${payout}/approve`, { ...puppet, token }, { reason })).body.message
    }
    const two = 'Another staff member has to approve this'
    clock.advance(3 * DAY_MS - 1)
    expect(await approve()).toBe(two)
    expect(await rejectionsOf(db, puppet)).toEqual(['staff.request.approve FOUR_EYES'])
    await give(gone, 'MEMBER')
    expect(await noticesTo(small, gone)).not.toEqual([])
    const mails = testMailbox()
    for (const job of mailJobs(mails)) await runJob(db, small.at.deps, job, 'test')
    expect(mails.to(puppet.email).at(-1)?.text).toContain(`the only admin removed ${gone.email} (SUPPORT) from the staff`)
    expect(mails.to(gone.email).at(-1)?.text).toContain('you lost your staff rights')
    clock.advance(3 * DAY_MS - 1)
    expect(await approve()).toBe(two)
    clock.advance(1)
    expect(await approve()).not.toBe(two)
  })
})
