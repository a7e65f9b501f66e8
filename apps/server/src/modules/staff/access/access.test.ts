import { allRoutes } from '@tizara/contract/all-routes'
import { proposalSubjects } from '@tizara/contract/staff-changes'
import { staffRoles } from '@tizara/contract/staff'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendCall } from '../../../../test/send-staff-call.ts'
import { calls, instance, lift, openStaffApp, reason, staff, WHO } from '../../../../test/staff-calls.ts'
import type { Person } from '../../../../test/staff-instance.ts'
import type { Bind } from '../../../http/calls/bind-route.ts'
import { authorizeRoutes } from './authorize-routes.ts'
import { mayRole } from './rights.ts'

await openStaffApp()

/** Tokens without access to staff calls, and the expected status for each. */
let strangers: readonly (readonly [who: string, token: string | undefined, status: number])[]
beforeAll(async () => {
  const [former, blocked, left] = [
    await instance.person({ role: 'ADMIN' }),
    await instance.person({ role: 'ADMIN' }),
    await instance.person(),
  ]
  const { db } = instance.at
  await db.updateTable('member').set({ role: 'MEMBER' }).where('id', '=', former.id).execute()
  await db.updateTable('member').set({ is_active: false }).where('id', '=', blocked.id).execute()
  await db.updateTable('session').set({ ended_at: instance.at.clock.now() }).where('member_id', '=', left.id).execute()
  const [head, body] = staff.ADMIN.token.split('.')
  strangers = [
    ['nobody', undefined, 401],
    ['an unsigned token', `${head}.${body}.c2lnbmF0dXJl`, 401],
    ['one that is none', 'admin', 401],
    ['an ended session', left.token, 401],
    ['a member', instance.member.token, 404],
    ['a member whose address is not proved', (await instance.person({ verified: false })).token, 404],
    ['a former staff member', former.token, 404],
    ['a blocked staff member', blocked.token, 401],
  ]
})

const staffCalls = allRoutes.filter((route) => route.access === 'staff')

const listActionsBy = (id: bigint) =>
  instance.at.db.selectFrom('audit_event').select(['action', 'outcome']).where('actor_id', '=', id).orderBy('id').execute()

describe('access to staff calls', () => {
  it('is declared for every call', () => {
    expect(Object.keys(calls).toSorted()).toEqual(staffCalls.map((route) => route.name).toSorted())
  })

  it.each(staffCalls.map((route) => [route.name, route] as const))('[GN-04] [RT-17] [I17] %s', async (name, route) => {
    const call = calls[name]
    if (call === undefined) throw new Error(`no call for ${name}`)
    const make = async (token: string | undefined) => {
      const { path, body, before } = await call.prepare(token)
      if (before !== undefined) await instance.at.call('POST', before, { token, body: { reason } })
      return sendCall(route, { path, body }, token)
    }
    // A rejected call changes nothing, so the next token sees the same state.
    const prepared = await call.prepare(undefined)
    for (const [who, token, status] of strangers) expect([who, await sendCall(route, prepared, token)]).toEqual([who, status])
    expect(await listActionsBy(instance.member.id)).toEqual([])
    const done = async (who: Person) =>
      (await listActionsBy(who.id)).filter((deed) => deed.outcome === 'ok' && !/^staff\.(member|page)\.view$/.test(deed.action)).length
    for (const role of staffRoles) {
      const may = WHO[call.right].some((one) => one === role)
      const before = await done(staff[role])
      // The preparation of these calls acts with the same role.
      const approvals = ['revokeApproval', 'closeCase'].includes(name) ? 1 : 0
      // The role is checked before the input.
      if (!may) expect([role, await sendCall(route, { path: prepared.path, body: { unknown: 1 } }, staff[role].token)]).toEqual([role, 404])
      expect([role, await make(staff[role].token)]).toEqual([role, may ? 200 : 404])
      expect((await done(staff[role])) - before).toBe(
        may && route.method !== 'GET' && route.background !== true && !['previewChange', 'previewMail'].includes(name) ? 1 + approvals : 0,
      )
    }
    await lift()
  })

  it('[I17] rejects a staff call without a role', () => {
    const none = () => undefined
    const bind: Bind = authorizeRoutes({ read: none, write: none, money: none, moneyBatch: none, withoutTransaction: none, file: none })
    const [route] = staffCalls
    if (route === undefined) throw new Error('no call of staff')
    expect(() => bind.file({ ...route, name: 'unheardOf' }, () => Promise.reject(new Error('never')))).toThrow('unheardOf names no role')
    for (const way of ['read', 'write', 'money', 'withoutTransaction'] as const) {
      expect(() => bind[way]({ ...route, name: 'unheardOf' }, () => Promise.reject(new Error('never')))).toThrow('unheardOf names no role')
    }
  })

  it('allows limits, settings and staff changes to ADMIN, other proposals to FINANCE too', () => {
    const byFinance = proposalSubjects.filter((subject) => mayRole('FINANCE', `change.${subject}`))
    expect(byFinance.toSorted()).toEqual([
      'cancel-rewards',
      'case-closing',
      'cold-move',
      'credit',
      'fund',
      'message',
      'nft',
      'payment-return',
      'plan',
      'popup',
      'price',
      'proceeds',
      'programme',
      'purchase-reversal',
      'reversal',
      'screening',
    ])
    for (const subject of proposalSubjects) {
      expect(mayRole('ADMIN', `change.${subject}`)).toBe(true)
      expect(mayRole('SUPPORT', `change.${subject}`) || mayRole('AUDITOR', `change.${subject}`)).toBe(false)
    }
  })

  it('returns the signed-in person, their rights and the end of the session', async () => {
    const { body } = await instance.get('/staff/me', staff.FINANCE)
    expect(body.data).toMatchObject({ role: 'FINANCE', person: { email: staff.FINANCE.email }, idleSeconds: 900 })
    expect(body.data.rights).toContain('approveRequest')
    expect(body.data.rights).not.toContain('grantRole')
    expect(Date.parse(body.data.endsAt) - instance.at.clock.now().getTime()).toBeLessThanOrEqual(8 * 3_600_000)
  })

  it('denies FINANCE both proposals and decisions that only ADMIN may make', async () => {
    const limits = { subject: 'limits', value: { openInvoices: 7 }, reason }
    expect((await instance.post('/staff/changes', staff.FINANCE, limits)).status).toBe(404)
    const { body } = await instance.post('/staff/changes', instance.checker, limits)
    for (const what of ['approve', 'reject'])
      expect((await instance.post(`/staff/changes/${body.data.id}/${what}`, staff.FINANCE, { reason })).status).toBe(404)
    expect((await instance.post(`/staff/changes/${body.data.id}/reject`, instance.maker, { reason })).status).toBe(200)
    // FINANCE cannot cancel a scheduled proposal of admins either.
    const startsAt = new Date(instance.at.clock.now().getTime() + 86_400_000)
    const planned = (await instance.post('/staff/changes', instance.checker, { ...limits, startsAt })).body.data.id
    expect((await instance.post(`/staff/changes/${planned}/approve`, instance.maker, {})).status).toBe(200)
    expect((await instance.post(`/staff/changes/${planned}/cancel`, staff.FINANCE, { reason })).status).toBe(404)
    expect((await instance.post(`/staff/changes/${planned}/cancel`, instance.maker, { reason })).status).toBe(200)
  })

  it('[I17] records an attempt that the role may not make, without its body', async () => {
    const auditor = await instance.person({ role: 'AUDITOR' })
    for (const body of [{ subject: 'price', value: { coinPrice: 0.0076 }, reason }, { unknown: 1 }])
      expect((await instance.post('/staff/changes', auditor, body)).status).toBe(404)
    expect((await instance.post('/staff/reward-pool/fund', auditor, { unknown: 1 })).status).toBe(404)
    expect(await listActionsBy(auditor.id)).toEqual([
      { action: 'staff.change.propose', outcome: 'STAFF_ONLY' },
      { action: 'staff.change.propose', outcome: 'STAFF_ONLY' },
      { action: 'staff.rewards.fund-pool', outcome: 'STAFF_ONLY' },
    ])
  })

  it.each([
    ['is malformed', 'application/json', '{"reason":', 400],
    ['is too large', 'application/json', 'x'.repeat(70_000), 413],
    ['has another type', 'text/plain', 'x', 415],
    ['is a form', 'application/x-www-form-urlencoded', 'x=1', 415],
    ['has no valid type', 'nothing', 'x', 415],
  ])('[I17] checks and records the role before a body that %s', async (_, type, payload, status) => {
    const auditor = await instance.person({ role: 'AUDITOR' })
    const send = async (path: string, token: string | undefined) => {
      const headers = { 'content-type': type, ...(token === undefined ? {} : { authorization: token }) }
      return (await instance.at.app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload })).statusCode
    }
    for (const path of ['/staff/changes', '/staff/reward-pool/fund']) {
      expect(await send(path, undefined)).toBe(401)
      expect(await send(path, instance.member.token)).toBe(404)
      expect(await send(path, auditor.token)).toBe(404)
      expect(await send(path, staff.ADMIN.token)).toBe(status)
    }
    expect(await listActionsBy(auditor.id)).toEqual([
      { action: 'staff.change.propose', outcome: 'STAFF_ONLY' },
      { action: 'staff.rewards.fund-pool', outcome: 'STAFF_ONLY' },
    ])
  })

  it('[I14] ends the sessions of a person with a new role, and cancels their proposals that it does not allow', async () => {
    const turning = await instance.person({ role: 'FINANCE' })
    const { body: made } = await instance.post('/staff/changes', turning, { subject: 'price', value: { coinPrice: 0.0076 }, reason })
    const { body: reply } = await instance.post('/staff/roles', instance.maker, { email: turning.email, role: 'AUDITOR', reason })
    expect((await instance.post(`/staff/changes/${reply.data.proposalId}/approve`, instance.checker)).status).toBe(200)
    expect((await instance.get('/staff/me', turning)).status).toBe(401)
    expect((await instance.post(`/staff/changes/${made.data.id}/approve`, instance.checker)).body.message).toMatch(/have changed since/)
  })
  it('[I14] ends a staff session that only background reads still use', async () => {
    const { token } = staff.AUDITOR
    const headers = { authorization: token, 'background-read': '1' }
    instance.at.clock.advance(10 * 60_000)
    expect((await instance.at.app.inject({ method: 'GET', url: '/api/v1/staff/overview', headers })).statusCode).toBe(200)
    instance.at.clock.advance(6 * 60_000)
    expect((await instance.get('/staff/me', staff.AUDITOR)).status).toBe(401)
  })
})
