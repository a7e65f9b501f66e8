import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import { wellInstance } from '../../test/staff-instance.ts'
import { createTestMember, fund } from '../../test/members.ts'
import { addLive } from '../http/live/live.ts'
import { authRoutes, createAuthenticate } from '../modules/auth/index.ts'
import { stopAndAuditPayouts } from '../modules/withdrawals/index.ts'
import { setActive } from '../modules/members/index.ts'
import { liftLedgerStop, stopLedger } from '../ledger/index.ts'
import { inTransaction } from '../platform/db/database.ts'
import { staffLive, staffRoutes } from '../modules/staff/index.ts'
import { setStaffRole } from '../modules/staff/proposals/kinds/people/staff-role.ts'
import { liveMarks } from './live-marks.ts'

const { db } = await testDatabase()

/** Starts an API process that polls every 40 ms. */
async function process(limits: { perMember?: number; maxStreams?: number; heartbeatMs?: number } = {}, env: Record<string, string> = {}) {
  const reads: number[] = []
  const at = await testApp(db, {
    env,
    routes: (bind) => {
      authRoutes(bind, stopAndAuditPayouts)
      staffRoutes(bind, wellInstance)
    },
    addPages: async (app, deps) =>
      addLive(app, {
        db,
        deps,
        authenticate: createAuthenticate(deps),
        everyMs: 40,
        ...limits,
        staff: staffLive,
        marks: (where, ids) => {
          reads.push(ids.length)
          return liveMarks(where, ids, at.clock.now())
        },
      }),
  })
  await at.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...at, looks: reads, url: `http://127.0.0.1:${(at.app.server.address() as AddressInfo).port}/api/v1/live` }
}
const first = await process({ perMember: 2 })
const second = await process()

const open = new Set<AbortController>()
afterEach(() => {
  for (const one of open) one.abort()
  open.clear()
})

/** A page's stream: received events, and whether it has ended. */
async function listen(url: string, token: string) {
  const abort = new AbortController()
  open.add(abort)
  const reply = await fetch(url, { headers: { authorization: token }, signal: abort.signal })
  const received = { status: reply.status, headers: reply.headers, text: '', ended: false, close: () => abort.abort() }
  const reading = (async () => {
    for await (const chunk of reply.body ?? []) received.text += Buffer.from(chunk).toString()
    received.ended = true
  })()
  reading.catch(() => undefined)
  return received
}
const namesIn = (text: string): string[] =>
  [...text.matchAll(/event: changed\ndata: (.+)\n\n/g)].flatMap((match) => JSON.parse(match[1] ?? '[]') as string[])

/** Waits for one full poll. Earlier changes have been seen then, and later ones belong to the next poll. */
async function looked(at: { looks: number[] }) {
  const before = at.looks.length
  await expect.poll(() => at.looks.length).toBeGreaterThan(before + 1)
}

async function person(at = first) {
  const member = await createTestMember(db)
  return { ...member, ...(await at.signIn(member.id)) }
}

describe('GET /api/v1/live', () => {
  it("sends changes of the member's data from any process, and only to that member", async () => {
    const [me, other] = [await person(), await person()]
    const [stream, otherStream, others] = [
      await listen(first.url, me.token),
      await listen(second.url, me.token),
      await listen(first.url, other.token),
    ]
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    await Promise.all([looked(first), looked(second)])
    await fund(db, me.id, 'depositWallet', 100n)
    await expect.poll(() => namesIn(stream.text)).toContain('userWallet')
    await expect.poll(() => namesIn(otherStream.text)).toContain('userWallet')
    await looked(first)
    expect(namesIn(stream.text).filter((name) => name === 'userWallet')).toHaveLength(1)
    expect(namesIn(stream.text)).not.toContain('tickets')
    expect(others.text).toMatch(/^(: \n\n)+$/)
  })

  it.each(['withdrawal', 'deposit'] as const)('sends a decided %s that moves no wallet of the member', async (list) => {
    const me = await person()
    const stream = await listen(first.url, me.token)
    await looked(first)
    const values = { member_id: me.id, list, rows: 1, amount: '5' }
    await db
      .insertInto('member_list_counter')
      .values({ ...values, bucket: 'APPROVED' })
      .execute()
    await expect.poll(() => namesIn(stream.text)).toContain(list === 'deposit' ? 'depositRequests' : 'withdrawalHistory')
    expect(namesIn(stream.text)).not.toContain('userWallet')
    // The counter covers rows that this test does not create.
    await db.deleteFrom('member_list_counter').where('member_id', '=', me.id).execute()
  })

  it('sends presence and pending work to staff across processes, until 45 seconds after the last heartbeat', async () => {
    const staff = async (at: typeof first) => {
      const colleague = await createTestMember(db, { role: 'FINANCE', name: 'Ada Lindqvist' })
      return { ...colleague, ...(await at.signIn(colleague.id)) }
    }
    const [ada, otto, me] = [await staff(first), await staff(second), await person()]
    const [otherStream, member] = [await listen(second.url, otto.token), await listen(second.url, me.token)]
    const presenceEvents = () =>
      [...otherStream.text.matchAll(/event: presence\ndata: (.+)\n\n/g)].map((match) => JSON.parse(match[1] ?? ''))
    const say = (activity: string) => first.call('PUT', '/staff/presence', { token: ada.token, body: { location: 'payouts/p1', activity } })
    expect((await say('viewing')).status).toBe(200)
    const presence = (activity: string) => [{ location: 'payouts/p1', people: [{ id: ada.publicId, name: 'Ada Lindqvist', activity }] }]
    await expect.poll(() => presenceEvents().at(-1)).toEqual(presence('viewing'))
    await say('writing')
    await expect.poll(() => presenceEvents().at(-1)).toEqual(presence('writing'))
    await say('gone')
    await expect.poll(() => presenceEvents().at(-1)).toEqual([])
    await say('viewing')
    await expect.poll(() => presenceEvents().at(-1)).toEqual(presence('viewing'))
    second.clock.advance(46_000)
    await expect.poll(() => presenceEvents().at(-1)).toEqual([])
    await inTransaction(db, (tx) => stopLedger(tx, first.clock.now(), 'x'))
    await expect.poll(() => namesIn(otherStream.text)).toContain('staffOverview')
    await inTransaction(db, (tx) => liftLedgerStop(tx, first.clock.now()))
    expect(member.text).not.toMatch(/presence|staff/)
    expect(
      (await first.call('PUT', '/staff/presence', { token: me.token, body: { location: 'payouts', activity: 'viewing' } })).status,
    ).toBe(404)
  })

  it('[RO-17] notifies staff who view a member when two others have decided about that member', async () => {
    const admin = async () => ({ ...(await first.signIn((await createTestMember(db, { role: 'ADMIN' })).id)) })
    const [maker, checker, looker, about] = [await admin(), await admin(), await admin(), await createTestMember(db)]
    const reason = 'Asked for on the phone'
    const body = { isSpecialRcm: true, reason }
    const filed = await first.call('POST', `/staff/members/${about.publicId}/special-rcm`, { token: maker.token, body })
    const { proposalId } = filed.body.data as { proposalId: string }
    const otherStream = await listen(second.url, looker.token)
    await looked(second)
    const before = otherStream.text.length
    expect((await first.call('POST', `/staff/changes/${proposalId}/approve`, { token: checker.token, body: { reason } })).status).toBe(200)
    await expect.poll(() => namesIn(otherStream.text.slice(before))).toEqual(expect.arrayContaining(['staffMemberDetail', 'staffMembers']))
  })

  it('[I14] ends with the session, and does not count as its use', async () => {
    const me = await person()
    const stream = await listen(first.url, me.token)
    const seen = () => db.selectFrom('session').select('last_seen_at').where('id', '=', me.sessionId).executeTakeFirstOrThrow()
    const before = await seen()
    first.clock.advance(5 * 60_000)
    await looked(first)
    expect(await seen()).toEqual(before)
    expect(stream.ended).toBe(false)
    await first.call('POST', '/auth/log-out', { token: me.token, body: {} })
    await expect.poll(() => stream.ended).toBe(true)
    expect(stream.text).toMatch(/event: over\ndata: \n\n$/)
  })

  it('[RO-16] ends when the member is blocked', async () => {
    const me = await person()
    const stream = await listen(first.url, me.token)
    await inTransaction(db, (tx) => setActive(tx, { id: me.id, isActive: false, at: first.clock.now() }))
    await expect.poll(() => stream.text).toContain('event: over')
  })

  it.each(['SUPPORT', 'MEMBER'] as const)('[I14] stops sending staff events when the role changes to %s', async (role) => {
    const was = await createTestMember(db, { role: 'FINANCE' })
    const { token } = await first.signIn(was.id)
    const stream = await listen(first.url, token)
    await inTransaction(db, (tx) => setStaffRole(tx, first.deps, { email: was.email, name: '', phone: '', role }))
    await expect.poll(() => stream.ended).toBe(true)
    expect(stream.text).toMatch(/event: over\ndata: \n\n$/)
    expect((await listen(first.url, token)).status).toBe(401)
    // The role was removed without ending its sessions. The stream must follow the new role.
    const quiet = await createTestMember(db, { role: 'FINANCE' })
    const other = await createTestMember(db, { role: 'ADMIN' })
    const { token: session } = await first.signIn(other.id)
    const [otherStream, received] = [await listen(first.url, (await first.signIn(quiet.id)).token), await listen(first.url, session)]
    const goTo = async (location: string) => {
      await first.call('PUT', '/staff/presence', { token: session, body: { location, activity: 'viewing' } })
      await expect.poll(() => received.text).toContain(location)
    }
    await goTo(`payouts/${role}-1`)
    await expect.poll(() => otherStream.text).toContain(`payouts/${role}-1`)
    await db.updateTable('member').set({ role: 'MEMBER' }).where('id', '=', quiet.id).execute()
    // This poll may have started before the change; the next one cannot.
    await goTo(`payouts/${role}-2`)
    const before = otherStream.text
    await goTo(`payouts/${role}-3`)
    expect(otherStream.text.slice(before.length)).not.toMatch(/presence|staff/)
  })

  it('rejects presence for another person, at an unknown location, or at more than ten locations', async () => {
    const ada = await createTestMember(db, { role: 'SUPPORT' })
    const { token } = await first.signIn(ada.id)
    const say = (body: object) => first.call('PUT', '/staff/presence', { token, body })
    const location = { location: 'payouts/p1', activity: 'viewing' }
    for (const more of [{ id: 'x' }, { memberId: '1' }, { name: 'Root' }, { at: '2099-01-01T00:00:00Z' }])
      expect((await say({ ...location, ...more })).status).toBe(400)
    for (const bad of ['', '../x', 'payouts/<b>', 'payouts/a/b', `payouts/${'x'.repeat(65)}`, 'payouts/\u202e', 'p%2f', 'P1'])
      expect([bad, (await say({ location: bad, activity: 'viewing' })).status]).toEqual([bad, 400])
    expect((await say({ ...location, activity: 'root' })).status).toBe(400)
    await Promise.all(Array.from({ length: 40 }, (_, n) => say({ location: `members/m${n}`, activity: 'writing' })))
    await say(location)
    const rows = await db.selectFrom('staff_presence').select('location').where('member_id', '=', ada.id).execute()
    expect(rows.length).toBeLessThanOrEqual(10)
  })

  it('[API-22] ends with its token, and sends that it expired', async () => {
    const me = await person()
    const stream = await listen(first.url, me.token)
    first.clock.advance(15 * 60_000)
    await expect.poll(() => stream.text).toContain('event: expired')
    expect((await listen(first.url, me.token)).status).toBe(403)
  })

  it('accepts the token only from the header, and only of a verified member', async () => {
    const me = await person()
    expect((await fetch(first.url)).status).toBe(401)
    expect((await fetch(`${first.url}?token=${me.token}&access_token=${me.token}`)).status).toBe(401)
    const fresh = await createTestMember(db, { verified: false })
    expect((await listen(first.url, (await first.signIn(fresh.id)).token)).status).toBe(400)
  })

  it('limits the streams of a member, and keeps the newest', async () => {
    const me = await person()
    const [one, two, three] = [await listen(first.url, me.token), await listen(first.url, me.token), await listen(first.url, me.token)]
    await expect.poll(() => one.text).toContain('event: over')
    await looked(first)
    expect([two.ended, three.ended]).toEqual([false, false])
  })

  it('answers 429 to a member who opens more than 60 streams in a minute, and lets others open theirs', async () => {
    const strict = await process({}, { RATE_LIMIT_SCALE: '1' })
    const me = await person(strict)
    for (let opened = 0; opened < 60; opened += 1) expect((await listen(strict.url, me.token)).status).toBe(200)
    const refused = await listen(strict.url, me.token)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^\d\d?$/)
    expect((await listen(strict.url, (await person(strict)).token)).status).toBe(200)
  })

  it('answers 204 above its capacity, so that no console shows an error', async () => {
    const busy = await process({ maxStreams: 1 })
    const me = await person(busy)
    const stream = await listen(busy.url, me.token)
    expect((await listen(busy.url, me.token)).status).toBe(204)
    stream.close()
    await expect.poll(async () => (await listen(busy.url, me.token)).status).toBe(200)
  })

  it('sends heartbeats, and does not query the database without listeners', async () => {
    const quiet = await process({ heartbeatMs: 60 })
    const looksMeanwhile = async () => {
      const before = quiet.looks.length
      await new Promise((resolve) => setTimeout(resolve, 200))
      return quiet.looks.length - before
    }
    expect(await looksMeanwhile()).toBe(0)
    const me = await person(quiet)
    const stream = await listen(quiet.url, me.token)
    await expect.poll(() => stream.text.split('\n\n').length).toBeGreaterThan(3)
    stream.close()
    await expect.poll(looksMeanwhile).toBe(0)
    expect(await looksMeanwhile()).toBe(0)
  })

  it('ends every stream at shutdown', async () => {
    const ending = await process()
    const stream = await listen(ending.url, (await person(ending)).token)
    await ending.app.close()
    await expect.poll(() => stream.ended).toBe(true)
  })
})
