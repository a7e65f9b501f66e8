import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD } from '../../../../test/members.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { removeSecondFactor } from './second-factor.ts'

const app = await authTestApp()

const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() })
const WRONG = 'AAAAA-AAAAA'
const REFUSED = 'The code of your authenticator app is not right'

async function withCodes(role: 'MEMBER' | 'ADMIN' = 'MEMBER') {
  const member = await createTestMember(app.db, { role })
  const { token } = await app.signIn(member.id)
  const post = (path: string, body: object) => app.call('POST', path, { token, body })
  const secret = String((await post('/auth/totp/begin', { password: TEST_PASSWORD })).body.data.secret)
  const codes: string[] = (await post('/auth/totp/confirm', { otp: codeOf(secret) })).body.data.recoveryCodes
  app.clock.advance(30_000)
  const login = (otp: string, path = '/auth/login') =>
    app.call('POST', path, { body: { email: member.email, password: TEST_PASSWORD, otp } })
  const unused = async (): Promise<number> => (await app.call('GET', '/auth/recovery-codes', { token })).body.data.unused
  const first = codes[0] ?? ''
  return { member, token, post, secret, codes, first, login, unused }
}

describe('recovery codes', () => {
  it('are ten different ones, shown once and stored as digests', async () => {
    const { member, codes, unused, token } = await withCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/)
    expect(await unused()).toBe(10)
    const rows = await app.db.selectFrom('recovery_code').selectAll().where('member_id', '=', member.id).execute()
    for (const row of rows) for (const code of codes) expect(row.code_digest).not.toContain(code.replace('-', ''))
    expect((await app.call('GET', '/auth/recovery-codes', { token })).text).not.toContain(codes[0])
  })

  it.each(['MEMBER', 'ADMIN'] as const)('sign a %s in once each, with a mail and an audit entry', async (role) => {
    const { member, codes, first, login } = await withCodes(role)
    expect((await login(first)).status).toBe(200)
    expect((await login(first)).body.message).toBe(REFUSED)
    // As people type it.
    expect((await login(` ${(codes[1] ?? '').toLowerCase().replace('-', ' ')} `, '/auth/user-login')).status).toBe(200)
    await app.runJobs()
    const mails = app.mails.to(member.email).filter(({ subject }) => subject === 'Tizara: a recovery code was used')
    expect(mails.map(({ text }) => /Unused recovery codes: (\d+)/.exec(text)?.[1])).toEqual(['9', '8'])
    const entries = await app.db
      .selectFrom('audit_event')
      .select(['actor_id', 'detail'])
      .where('action', '=', 'auth.recovery-code-used')
      .where('subject_id', '=', member.publicId)
      .orderBy('id')
      .execute()
    expect(entries).toEqual([9, 8].map((unused) => ({ actor_id: member.id, detail: { unused } })))
  })

  it('are accepted once when sent several times at once', async () => {
    const { first, login, unused, post } = await withCodes()
    // The calls of a session have another queue than sign-ins.
    const replies = await Promise.all([login(first), login(first), post('/auth/passkeys/begin', { otp: first })])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await unused()).toBe(9)
  })

  it('count wrong ones like wrong codes', async () => {
    const { first, login, unused } = await withCodes()
    for (let count = 0; count < 5; count += 1) expect((await login(WRONG)).body.message).toBe(REFUSED)
    expect((await login(first)).status).toBe(429)
    expect(await unused()).toBe(10)
  })

  it('are never another account’s', async () => {
    const [one, other] = [await withCodes(), await withCodes()]
    expect((await other.login(one.first)).body.message).toBe(REFUSED)
    expect(await one.unused()).toBe(10)
  })

  it('cannot confirm a new app', async () => {
    const { post, first, token } = await withCodes()
    await post('/auth/totp/disable', { password: TEST_PASSWORD, otp: first })
    await post('/auth/totp/begin', { password: TEST_PASSWORD })
    expect((await post('/auth/totp/confirm', { otp: first })).status).toBe(400)
    expect((await app.call('GET', '/profile', { token })).body.data.secondFactor).toBe(false)
  })

  it('are renewed with a proof, which ends the earlier ones and other sessions', async () => {
    const { member, codes, first, login, post, secret, unused } = await withCodes()
    const other = await app.signIn(member.id)
    expect((await post('/auth/recovery-codes', { password: TEST_PASSWORD })).body.message).toBe(
      'Please enter the code of your authenticator app',
    )
    expect((await post('/auth/recovery-codes', { otp: WRONG })).body.message).toBe(REFUSED)
    const renewed: string[] = (await post('/auth/recovery-codes', { otp: codeOf(secret) })).body.data.recoveryCodes
    expect(renewed.filter((code) => codes.includes(code))).toEqual([])
    expect(await unused()).toBe(10)
    expect((await app.call('GET', '/profile', { token: other.token })).status).toBe(401)
    expect((await login(first)).body.message).toBe(REFUSED)
    expect((await login(renewed[0] ?? '')).status).toBe(200)
    await app.runJobs()
    expect(app.mails.to(member.email).map(({ subject }) => subject)).toContain('Tizara: recovery codes renewed')
    const { payouts_frozen_until: held } = await app.db
      .selectFrom('member')
      .select('payouts_frozen_until')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(held).not.toBeNull()
  })

  it('end with the app, also when staff remove a lost one', async () => {
    const [left, lost] = [await withCodes(), await withCodes()]
    expect((await left.post('/auth/totp/disable', { password: TEST_PASSWORD, otp: left.first })).status).toBe(200)
    await inTransaction(app.db, (tx) => removeSecondFactor(tx, app.deps, lost.member.id))
    for (const { member } of [left, lost])
      expect(await app.db.selectFrom('recovery_code').select('id').where('member_id', '=', member.id).execute()).toEqual([])
    expect((await left.post('/auth/recovery-codes', { password: TEST_PASSWORD })).body.message).toBe('No authenticator app is set up')
  })
})
