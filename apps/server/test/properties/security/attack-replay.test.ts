import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCatalogue, errorMessage } from '@tizara/contract/errors'
import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { startEntry } from '../../entry.ts'
import { PRODUCTION } from '../../production-environment.ts'
import { type TestReply, testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { rejectionsOf as readRejections } from '../../rejections.ts'
import { confirmPayoutAddress, createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD, type TestMember } from '../../members.ts'
import { callerNetwork } from '../../../src/http/server/caller-network.ts'
import { balancesOf } from '../../../src/ledger/index.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'
import { linkToken } from '../../../src/modules/withdrawals/confirmation/payout-token.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { DAY_MS } from '../../../src/platform/runtime/clock.ts'

/**
 * Replays the attacks of a thief and of a sole admin as a whole, over HTTP and the command line. Each one is refused with its message and
 * leaves an audit entry. `docs/security.md` lists the tests of their parts.
 */

const THIEF = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
const OWNER = { ...THIEF, 'x-forwarded-for': '198.51.100.9' }
const reason = 'as it has to be'

const env = { TRUST_PROXY: '1', STAFF_SECOND_FACTOR: 'off' }
const { db, url } = await testDatabase()
const ports = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
const at = await testApp(db, { env, routes: (bind) => bindRoutes(bind, ports) })
const now = () => at.clock.now()

interface Session {
  token: string
  devices: string
}
const login = (email: string, headers: Record<string, string>, { password = TEST_PASSWORD, devices = '' } = {}) =>
  at.call('POST', '/auth/login', { body: { email, password }, headers, ...(devices === '' ? {} : { cookie: `devices=${devices}` }) })
async function signIn(who: TestMember, headers: Record<string, string>, devices = ''): Promise<Session> {
  const reply = await login(who.email, headers, { devices })
  expect(reply.status).toBe(200)
  return { token: String(reply.body.data.token), devices: reply.cookies['devices']?.value ?? devices }
}
const post = (path: string, by: { token: string }, body: object = {}) => at.call('POST', path, { token: by.token, body })
const statusAndMessage = ({ status, body }: TestReply) => [status, body.message]
const refusal = (code: keyof typeof errorCatalogue) => [errorCatalogue[code].status, errorMessage(code)]
const send = (by: Session, to: TestMember, amount: number, more: object = {}) =>
  post('/usd-transfer/user-to-user-deposit', by, { amount, email: to.email, ...more })
const usdOf = async (who: TestMember) => (await balancesOf(db, who.id)).depositWallet / ONE
/** Refused commands of the operator in the audit log. */
const rejectedCommands = async () => {
  const found = db.selectFrom('audit_event').select(['action', 'outcome']).where('actor_id', 'is', null).where('outcome', '<>', 'ok')
  const rows = await found.where('actor_role', '=', 'SYSTEM').orderBy('id').execute()
  return rows.map(({ action, outcome }) => `${action} ${outcome}`)
}
const rejectionsOf = (who: { id: bigint }) => readRejections(db, who)
/** An admin who is no newcomer any more, with a session. */
const admin = async () => {
  const who = await createTestMember(db, { role: 'ADMIN' })
  return { ...who, token: (await at.signIn(who.id)).token }
}
const rich = async () => {
  const who = await createTestMember(db)
  await fund(db, who.id, 'depositWallet', 24_000n * ONE)
  return who
}

describe('replayed attack', () => {
  it('of a thief with the password moves nothing to an accomplice after the owner stopped everything', async () => {
    const [owner, accomplice] = [await rich(), await createTestMember(db)]
    await confirmPayoutAddress(db, owner.id)
    const filed = await post('/deposit-wallet/transfer-deposit-wallet', await signIn(owner, THIEF), {
      amount: 100,
      address: PAYOUT_ADDRESS,
    })
    const token = linkToken(at.deps, { about: 'payout', id: filed.body.data.receipt.id })
    expect((await at.call('POST', '/withdrawals/link/stop', { token })).status).toBe(200)
    const thief = await signIn(owner, THIEF)
    for (const amount of [10_000, 100, 5])
      expect(statusAndMessage(await send(thief, accomplice, amount))).toEqual(refusal('PAYOUTS_STOPPED'))
    const out = { amount: 1000, address: PAYOUT_ADDRESS }
    expect(statusAndMessage(await post('/deposit-wallet/transfer-deposit-wallet', thief, out))).toEqual(refusal('PAYOUTS_STOPPED'))
    expect([await usdOf(owner), await usdOf(accomplice)]).toEqual([24_000n, 0n])
    // One entry an hour, however often it is repeated.
    expect(await rejectionsOf(owner)).toEqual(['payout.request PAYOUTS_STOPPED'])
    at.clock.advance(2 * 3_600_000)
    expect(statusAndMessage(await send(await signIn(owner, THIEF), accomplice, 5))).toEqual(refusal('PAYOUTS_STOPPED'))
    expect(await rejectionsOf(owner)).toHaveLength(2)
  })

  it('of a thief with the password gets the small sum of 24 hours at most, also with a copied User-Agent', async () => {
    const [owner, accomplice] = [await rich(), await createTestMember(db)]
    await signIn(owner, OWNER)
    at.clock.advance(2 * DAY_MS)
    const thief = await signIn(owner, THIEF)
    const replies = await Promise.all([60, 40, 900, 5000, 9_000].map((amount) => send(thief, accomplice, amount)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const held = replies.flatMap(({ body }) => (body.data.request === undefined ? [] : [String(body.data.request)]))
    for (const id of held)
      expect(statusAndMessage(await post(`/withdrawals/requests/${id}/confirm`, thief, { password: TEST_PASSWORD }))).toEqual(
        refusal('DEVICE_NOT_TRUSTED'),
      )
    const phone = { phone: '+12025550177', password: TEST_PASSWORD }
    expect(statusAndMessage(await post('/profile/phone', thief, phone))).toEqual([400, expect.stringContaining('device')])
    expect(await usdOf(accomplice)).toBeLessThanOrEqual(100n)
    // One entry an hour, however many transfers the thief tries to confirm.
    expect(await rejectionsOf(owner)).toEqual(['auth.step-up DEVICE_NOT_TRUSTED'])
  })

  it('of a stranger with wrong passwords keeps no owner out, on another network or a known device', async () => {
    const owner = await createTestMember(db)
    const { devices } = await signIn(owner, OWNER)
    const guesses = await Promise.all(Array.from({ length: 20 }, () => login(owner.email, THIEF, { password: 'wrong-harbour-93' })))
    expect(guesses.some(({ status }) => status === 429)).toBe(true)
    expect((await login(owner.email, THIEF)).status).toBe(429)
    await signIn(owner, OWNER)
    await signIn(owner, THIEF, devices)
    expect((await rejectionsOf(owner)).filter((entry) => entry === 'auth.login LOGIN_REFUSED')).not.toEqual([])
  })

  it('of one admin takes no role from a colleague, and the setup command gives none back', async () => {
    const [thief, colleague] = [await admin(), await admin()]
    for (const role of ['MEMBER', 'AUDITOR']) {
      const { body } = await post('/staff/roles', thief, { email: colleague.email, role, reason })
      expect(statusAndMessage(await post(`/staff/changes/${body.data.proposalId}/approve`, thief))).toEqual(refusal('FOUR_EYES'))
    }
    const member = await db.selectFrom('member').select('role').where('id', '=', colleague.id).executeTakeFirst()
    expect(member?.role).toBe('ADMIN')
    expect(await rejectionsOf(thief)).toEqual(['staff.change.approve FOUR_EYES', 'staff.change.approve FOUR_EYES'])
    const command = { NODE_ENV: 'test', DATABASE_URL: url, LOG_LEVEL: 'silent', ...env }
    const setup = startEntry('setup', command, '--admin', 'eve@gmail.com')
    const first = startEntry('staff', command, 'first-admin', 'eve@gmail.com')
    expect([await setup.ended, setup.output]).toEqual([1, expect.stringContaining('Setup of this platform is closed')])
    expect(await first.ended).not.toBe(0)
    expect(await db.selectFrom('member').select('id').where('email', '=', 'eve@gmail.com').execute()).toEqual([])
    expect((await rejectedCommands()).toSorted()).toEqual(['staff.first-admin.operator STAFF_ONLY', 'staff.platform.set-up STAFF_ONLY'])
  })

  it('of a stolen staff account ends within a call of one colleague, who can decide nothing meanwhile', async () => {
    const [thief, colleague, third] = [await admin(), await admin(), await admin()]
    const popup = { subject: 'popup', value: { title: 'T', message: 'M', isActive: true }, reason }
    expect((await post(`/staff/members/${thief.publicId}/suspend`, colleague, { reason })).status).toBe(200)
    expect((await at.call('GET', '/staff/me', { token: thief.token })).status).toBe(401)
    const anew = { ...thief, token: (await at.signIn(thief.id)).token }
    expect((await post('/staff/changes', anew, popup)).body.message).toMatch(/^A colleague has suspended your staff rights/)
    expect((await post('/staff/changes', colleague, popup)).body.message).toMatch(/^You have suspended a colleague/)
    expect((await post(`/staff/members/${third.publicId}/suspend`, colleague, { reason })).body.message).toMatch(/^You have suspended/)
    const lift = await post(`/staff/members/${thief.publicId}/lift-suspension`, third, { reason })
    expect(statusAndMessage(await post(`/staff/changes/${lift.body.data.proposalId}/approve`, third))).toEqual(refusal('FOUR_EYES'))
    expect(await rejectionsOf(colleague)).toEqual(['staff.change.propose SUSPENDER_WAITS', 'staff.suspend SUSPENDER_WAITS'])
    expect(await rejectionsOf(third)).toEqual(['staff.change.approve FOUR_EYES'])
    expect(await rejectionsOf(thief)).toEqual(['auth.suspended-call STAFF_SUSPENDED'])
  })

  it('of an admin with a linked account approves nothing for it', async () => {
    const thief = await admin()
    const puppet = await createTestMember(db, { sponsorId: thief.id })
    const seen = { first_seen_at: now(), last_seen_at: now(), same_address: true, same_device: true, same_payout_address: false }
    await db
      .insertInto('linked_account')
      .values({ member_id: puppet.id, upline_id: thief.id, level: 1, ...seen })
      .execute()
    for (const [path, body] of [
      [`/staff/members/${puppet.publicId}/special-rcm`, { isSpecialRcm: true, reason }],
      [`/staff/members/${puppet.publicId}/recovery`, { secondFactor: false, email: 'eve@gmail.com', reason }],
    ] as const)
      expect(statusAndMessage(await post(path, thief, body))).toEqual(refusal('FOUR_EYES'))
    expect(await rejectionsOf(thief)).toEqual(['staff.member.special-rcm FOUR_EYES', 'staff.member.start-recovery FOUR_EYES'])
  })

  it('of one admin loosens no planned limit and decides no old proposal', async () => {
    const [thief, colleague] = [await admin(), await admin()]
    const startsAt = new Date(now().getTime() + DAY_MS).toISOString()
    const planned = (await post('/staff/changes', thief, { subject: 'limits', value: { payoutDayUsd: 1 }, reason, startsAt })).body.data.id
    expect((await post(`/staff/changes/${planned}/approve`, colleague)).status).toBe(200)
    for (let turn = 0; turn < 2; turn += 1)
      expect(statusAndMessage(await post(`/staff/changes/${planned}/cancel`, thief, { reason }))).toEqual(refusal('FOUR_EYES'))
    const popup = { subject: 'popup', value: { title: 'Old', message: 'M', isActive: true }, reason }
    const old = (await post('/staff/changes', thief, popup)).body.data.id
    at.clock.advance(14 * DAY_MS + 1)
    const later = { token: (await at.signIn(colleague.id)).token }
    expect((await post(`/staff/changes/${old}/approve`, later)).status).toBe(400)
    expect(await rejectionsOf(thief)).toEqual(['staff.change.cancel FOUR_EYES', 'staff.change.cancel FOUR_EYES'])
    expect(await rejectionsOf(colleague)).toEqual(['staff.change.approve CHANGE_OUTDATED'])
  })

  it('of a reader without the role gets nothing, whatever the body', async () => {
    const reader = await createTestMember(db, { role: 'AUDITOR' })
    const { token } = await at.signIn(reader.id)
    const bodies = [
      ['application/json', '{"reason":'],
      ['application/json', '{"unknown":1}'],
      ['application/json', 'x'.repeat(70_000)],
      ['text/plain', 'x'],
    ] as const
    for (const [type, payload] of bodies) {
      const headers = { authorization: token, 'content-type': type }
      const reply = await at.app.inject({ method: 'POST', url: '/api/v1/staff/reward-pool/fund', headers, payload })
      expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual(refusal('STAFF_ONLY'))
    }
    expect(await rejectionsOf(reader)).toEqual(bodies.map(() => 'staff.rewards.fund-pool STAFF_ONLY'))
  })

  it('of a person with two staff accounts decides nothing alone, and the command line does not separate them', async () => {
    const [thief, colleague, third] = [await admin(), await admin(), await admin()]
    const puppet = await createTestMember(db)
    const shared = { ip: THIEF['x-forwarded-for'], network: callerNetwork(THIEF['x-forwarded-for']) }
    for (const { id } of [thief, puppet]) {
      const { sessionId } = await at.signIn(id)
      await db.updateTable('session').set(shared).where('id', '=', sessionId).execute()
    }
    const role = (await post('/staff/roles', colleague, { email: puppet.email, role: 'ADMIN', reason })).body.data.proposalId
    expect((await post(`/staff/changes/${role}/approve`, third)).status).toBe(200)
    at.clock.advance(10 * DAY_MS)
    const [one, other] = [await at.signIn(thief.id), await at.signIn(puppet.id)]
    const popup = { subject: 'popup', value: { title: 'T', message: 'M', isActive: true }, reason }
    const { id } = (await post('/staff/changes', one, popup)).body.data
    expect(statusAndMessage(await post(`/staff/changes/${id}/approve`, other))).toEqual(refusal('FOUR_EYES'))
    expect(await rejectionsOf(puppet)).toEqual(['staff.change.approve FOUR_EYES'])
    const command = { NODE_ENV: 'test', DATABASE_URL: url, LOG_LEVEL: 'silent', ...env }
    const separate = startEntry('staff', command, 'confirm-people', thief.email, puppet.email)
    const restore = startEntry('staff', command, 'confirm-staff', puppet.email)
    expect([await separate.ended, separate.output]).toEqual([
      1,
      expect.stringContaining('Two other admins can confirm this in the console'),
    ])
    expect([await restore.ended, restore.output]).toEqual([
      1,
      expect.stringMatching(/No staff member was confirmed|Two admins have their rights/),
    ])
    expect(await rejectedCommands()).toEqual(
      expect.arrayContaining(['staff.separate-people.operator FOUR_EYES', 'staff.confirm-restored.operator FOUR_EYES']),
    )
  })

  it('of a stolen staff account reveals no more than the hourly limit', async () => {
    const thief = await admin()
    const { rateLimitScale } = at.deps.config
    Object.assign(at.deps.config, { rateLimitScale: 1 })
    const owner = await createTestMember(db)
    const statuses: number[] = []
    for (let turn = 0; turn < 62; turn += 1)
      statuses.push((await post(`/staff/members/${owner.publicId}/reveal`, thief, { field: 'phone' })).status)
    Object.assign(at.deps.config, { rateLimitScale })
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([60, 429])
    expect(await rejectionsOf(thief)).toEqual(expect.arrayContaining(['staff.view-limit VIEW_LIMIT', 'staff.member.reveal VIEW_LIMIT']))
  })

  it('by one admin cannot move an account to a mailbox of this admin', async () => {
    const [thief, owner] = [await admin(), await createTestMember(db)]
    const body = { secondFactor: false, email: 'thief-mailbox@gmail.com', reason }
    const { proposalId } = (await post(`/staff/members/${owner.publicId}/recovery`, thief, body)).body.data
    expect(statusAndMessage(await post(`/staff/changes/${proposalId}/approve`, thief))).toEqual(refusal('FOUR_EYES'))
    expect(await rejectionsOf(thief)).toEqual(['staff.change.approve FOUR_EYES'])
  })

  it('on a weak setting is named once in the log of a production server', async () => {
    const weak = { ...PRODUCTION, DATABASE_URL: url, RATE_LIMIT_SCALE: '2', TRUST_PROXY: '3', RESET_LINK_MINUTES: '121' }
    const folder = mkdtempSync(join(tmpdir(), 'weak-'))
    const production = startEntry('api', {
      ...weak,
      DATA_DIR: folder,
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
    })
    const named = () =>
      ['RATE_LIMIT_SCALE is 2: ', 'TRUST_PROXY is 3: ', 'RESET_LINK_MINUTES is 121: '].map(
        (text) => production.output.split(text).length - 1,
      )
    await expect.poll(named).toEqual([1, 1, 1])
    production.stop()
    await production.ended
    rmSync(folder, { recursive: true })
    expect(named()).toEqual([1, 1, 1])
  })

  it('on weak settings starts no production server, which names all faults', async () => {
    const production = startEntry('api', {
      NODE_ENV: 'production',
      DATABASE_URL: url,
      PUBLIC_URL: 'http://tizara.example',
      ALLOWED_ORIGINS: '*',
      TOKEN_SECRET: 'short',
    })
    expect(await production.ended).not.toBe(0)
    for (const name of ['PUBLIC_URL', 'ALLOWED_ORIGINS', 'TOKEN_SECRET']) expect(production.output).toContain(name)
  })
})
