import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD } from '../../../../test/members.ts'
import { decrypt } from '../../../platform/crypto/encrypt.ts'
import { reEncryptNext } from '../../../platform/crypto/encrypted-column.ts'
import { encryptedFactors } from './second-factor.ts'

const app = await authTestApp()

const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() })
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')
const login = (email: string, otp?: string, path = '/auth/login') =>
  app.call('POST', path, { body: { email, password: TEST_PASSWORD, otp } })

async function withFactor(role: 'MEMBER' | 'ADMIN' = 'MEMBER') {
  const member = await createTestMember(app.db, { role })
  const session = await app.signIn(member.id)
  const enrollment = await app.call('POST', '/auth/totp/begin', { token: session.token, body: { password: TEST_PASSWORD } })
  const secret = String(enrollment.body.data.secret)
  const confirmed = await app.call('POST', '/auth/totp/confirm', { token: session.token, body: { otp: codeOf(secret) } })
  app.clock.advance(30_000)
  return { member, session, secret, enrollment, confirmed }
}

describe('authenticator app', () => {
  it('is enabled by a first code, which ends other sessions and notifies the member', async () => {
    const member = await createTestMember(app.db)
    const [current, otherSession] = [await app.signIn(member.id), await app.signIn(member.id)]
    const begin = (password: string) => app.call('POST', '/auth/totp/begin', { token: current.token, body: { password } })
    const confirm = (otp: string) => app.call('POST', '/auth/totp/confirm', { token: current.token, body: { otp } })
    expect((await confirm('123456')).body.message).toBe('No authenticator app is set up')
    expect((await begin('not-the-password')).body.message).toBe('The current password is not right')
    const enrollment = await begin(TEST_PASSWORD)
    expect(enrollment.body.data.uri).toMatch(/^otpauth:\/\/totp\/Tizara/)
    const secret = String(enrollment.body.data.secret)
    expect((await confirm(wrongFor(codeOf(secret)))).body.message).toBe('The code of your authenticator app is not right')
    expect((await login(member.email)).status).toBe(200)
    expect((await confirm(codeOf(secret))).status).toBe(200)
    expect((await app.call('GET', '/profile', { token: current.token })).body.data.secondFactor).toBe(true)
    expect((await app.call('GET', '/profile', { token: otherSession.token })).status).toBe(401)
    expect((await confirm(codeOf(secret))).body.message).toBe('An authenticator app is already set up')
    expect((await begin(TEST_PASSWORD)).body.message).toBe('An authenticator app is already set up')
    await app.runJobs()
    expect(app.mails.to(member.email).map((mail) => mail.subject)).toContain('Tizara: authenticator app switched on')
  })

  it('is required on both sign-in pages, after the password', async () => {
    for (const path of ['/auth/login', '/auth/user-login']) {
      const { member, secret } = await withFactor('ADMIN')
      const without = await login(member.email, undefined, path)
      expect(without).toMatchObject({ status: 400, body: { message: 'Please enter the code of your authenticator app' } })
      expect(without.cookies).toEqual({})
      expect((await login(member.email, wrongFor(codeOf(secret)), path)).body.message).toBe(
        'The code of your authenticator app is not right',
      )
      expect((await login(member.email, codeOf(secret), path)).status).toBe(200)
    }
  })

  it('accepts each code once, and none older than one step', async () => {
    const { member, secret } = await withFactor()
    const code = codeOf(secret)
    const replies = await Promise.all([login(member.email, code), login(member.email, code), login(member.email, code)])
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    const late = codeOf(secret)
    app.clock.advance(90_000)
    expect((await login(member.email, late)).status).toBe(400)
  })

  it('counts wrong codes like wrong passwords', async () => {
    const { member, secret } = await withFactor()
    for (let count = 0; count < 5; count += 1) expect((await login(member.email, wrongFor(codeOf(secret)))).status).toBe(400)
    expect((await login(member.email, codeOf(secret))).status).toBe(429)
  })

  it('stays enabled after a password reset', async () => {
    const { member, secret } = await withFactor()
    await app.call('POST', '/auth/forgot-password', { body: { email: member.email } })
    await app.runJobs()
    await app.call('POST', '/auth/reset-password', {
      token: app.mails.linkTokenFor(member.email),
      body: { newPassword: TEST_PASSWORD, confirmPassword: TEST_PASSWORD },
    })
    expect((await login(member.email)).body.message).toBe('Please enter the code of your authenticator app')
    expect((await login(member.email, codeOf(secret))).status).toBe(200)
  })

  it('is disabled with password and code together', async () => {
    const { member, session, secret } = await withFactor()
    const disable = (password: string, otp: string) =>
      app.call('POST', '/auth/totp/disable', { token: session.token, body: { password, otp } })
    expect((await disable('not-the-password', codeOf(secret))).body.message).toBe('The current password is not right')
    expect((await disable(TEST_PASSWORD, wrongFor(codeOf(secret)))).body.message).toBe('The code of your authenticator app is not right')
    expect((await disable(TEST_PASSWORD, codeOf(secret))).status).toBe(200)
    expect((await disable(TEST_PASSWORD, codeOf(secret))).body.message).toBe('No authenticator app is set up')
    expect((await login(member.email)).status).toBe(200)
  })

  it('[I15] is stored encrypted', async () => {
    const { member, secret } = await withFactor()
    const row = await app.db.selectFrom('second_factor').selectAll().where('member_id', '=', member.id).executeTakeFirstOrThrow()
    expect(row.encrypted_secret.toString('latin1')).not.toContain(secret)
  })

  it('[I15] secret belongs to one member: copied to another row it is useless, before and after a key rotation', async () => {
    const [thief, owner] = [await withFactor(), await withFactor()]
    const of = (id: bigint) =>
      app.db.selectFrom('second_factor').select('encrypted_secret').where('member_id', '=', id).executeTakeFirstOrThrow()
    await app.db
      .updateTable('second_factor')
      .set(await of(thief.member.id))
      .where('member_id', '=', owner.member.id)
      .execute()
    app.clock.advance(60_000)
    const refused = await login(owner.member.email, codeOf(thief.secret))
    expect([refused.status, refused.body.message]).toEqual([400, 'The code of your authenticator app is not right'])
    const old = app.deps.config.dataKey
    const rotated = { dataKey: 'another-key-of-this-test-40-characters-x', dataKeyPrevious: old }
    await app.db.transaction().execute((tx) => reEncryptNext(tx, rotated, encryptedFactors, -1n))
    const [own, planted] = [await of(thief.member.id), await of(owner.member.id)]
    expect(decrypt(rotated, encryptedFactors.purpose, own.encrypted_secret, String(thief.member.id))).toBe(thief.secret)
    expect(decrypt(rotated, encryptedFactors.purpose, planted.encrypted_secret, String(owner.member.id))).toBeUndefined()
  })
})
