import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthTestApp, authTestApp, freshEmail } from '../../../../test/auth-app.ts'
import { createTestMember, type TestMember } from '../../../../test/members.ts'
import { memberByEmail, ownedAddresses } from '../../members/index.ts'

const STRANGER = { name: 'Mallory Moore', password: 'copper-lantern-64' }
const OWNER = { name: 'Ada Byron', password: 'violet-harbour-93' }
const DAY_MS = 24 * 3_600_000

let app: AuthTestApp
let [strangers, friends]: TestMember[] = []
beforeAll(async () => {
  app = await authTestApp()
  strangers = await createTestMember(app.db)
  friends = await createTestMember(app.db)
})

const registers = (who: typeof OWNER, email: string) =>
  app.register({ ...who, email, referralCode: who === OWNER ? friends?.referralCode : strangers?.referralCode })
const login = (who: typeof OWNER, email: string) => app.call('POST', '/auth/login', { body: { email, password: who.password } })
const opens = (link: string, cookie?: string) => app.call('POST', '/auth', { token: link, cookie })
const mayActAs = async (token: string) => (await app.call('GET', '/auth/sessions', { token })).status === 200
const newestLink = async (email: string) => {
  await app.runJobs()
  return app.mails.linkTokenFor(email)
}

/** Returns true if the password alone opens the account, or its session can verify it without the mailbox. */
async function passwordOpens(who: typeof OWNER, email: string): Promise<boolean> {
  const reply = await login(who, email)
  return reply.status === 200 && (reply.body.data.user.isVerified === true || (await mayActAs(String(reply.body.data.token))))
}

describe('unfinished registration', () => {
  it('[ER-52] decides neither sponsor nor password of the next registration', async () => {
    const email = freshEmail()
    const stranger = await registers(STRANGER, email)
    app.clock.advance(DAY_MS)
    const owner = await registers(OWNER, email)
    await app.runJobs()
    expect((await app.call('GET', '/profile', { token: stranger.body.data.token })).status).toBe(401)
    const verified = await app.call('POST', '/limit/auth/verify-token', {
      token: owner.body.data.token,
      body: { token: app.mails.codeFor(email) },
    })
    expect(verified.status).toBe(200)
    expect(await memberByEmail(app.db, email)).toMatchObject({ name: OWNER.name, sponsor_id: friends?.id, is_verified: true })
    expect([await passwordOpens(STRANGER, email), await passwordOpens(OWNER, email)]).toEqual([false, true])
  })

  it("[ER-13] reserves the address for a day, but a mailed link lets the owner's registration win", async () => {
    const email = freshEmail()
    const stranger = await registers(STRANGER, email)
    expect(await registers(OWNER, email)).toMatchObject({ status: 400, body: { message: 'Email already exists' } })
    const link = await newestLink(email)
    const strangersCode = app.mails.codeFor(email)
    // The stranger retries meanwhile; the owner's mail stays valid.
    expect((await registers(STRANGER, email)).status).toBe(400)
    const opened = await opens(link)
    expect(opened.status).toBe(200)
    expect(await mayActAs(String(opened.body.data.token))).toBe(true)
    expect(await memberByEmail(app.db, email)).toMatchObject({ name: OWNER.name, sponsor_id: friends?.id, is_verified: true })
    for (const last of [await newestLink(email), link]) expect((await opens(last)).status).toBe(400)
    const typed = { token: stranger.body.data.token, body: { token: strangersCode } }
    expect((await app.call('POST', '/limit/auth/verify-token', typed)).status).toBe(401)
    expect(await passwordOpens(STRANGER, email)).toBe(false)
  })

  it('from another platform needs a mailed code after the link is opened without the old password', async () => {
    const email = freshEmail()
    const { id } = await createTestMember(app.db, { email, verified: false })
    await app.db.updateTable('member').set({ password_proved: true }).where('id', '=', id).execute()
    const { token } = (await login(OWNER, email)).body.data
    expect((await app.call('POST', '/limit/auth/resend-otp', { token })).status).toBe(200)
    // The mailed link is opened in another browser than the one that knows the password.
    expect((await opens(await newestLink(email))).status).toBe(200)
    expect(await passwordOpens(OWNER, email)).toBe(false)
    expect((await registers(STRANGER, email)).status).toBe(400)
  })

  it('owns no address, also if it was added a moment ago, unlike a member with a proved address or password', async () => {
    const [unfinished, proved, moved] = [freshEmail(), freshEmail(), freshEmail()]
    await registers(STRANGER, unfinished)
    await createTestMember(app.db, { email: proved })
    const { id } = await createTestMember(app.db, { email: moved, verified: false })
    await app.db.updateTable('member').set({ password_proved: true }).where('id', '=', id).execute()
    expect(await ownedAddresses(app.db, [unfinished, proved, moved, freshEmail()])).toEqual(new Set([proved, moved]))
  })

  it('mails the owner of the address at most ten times a day', async () => {
    const email = freshEmail()
    for (let count = 0; count < 14; count += 1) await registers(STRANGER, email)
    await app.runJobs()
    expect(app.mails.to(email)).toHaveLength(11)
  })

  it('[API-31] gets no password reset mail', async () => {
    const email = freshEmail()
    await registers(STRANGER, email)
    await app.runJobs()
    expect((await app.call('POST', '/auth/forgot-password', { body: { email } })).body.message).toBe(
      'Password reset email sent successfully',
    )
    await app.runJobs()
    expect(app.mails.to(email).map((mail) => mail.subject)).toEqual(['Tizara: confirm your registration'])
  })
})

describe('mailed link', () => {
  it('[API-26] confirms the password too when it is opened in the registering browser', async () => {
    const email = freshEmail()
    const registered = await registers(OWNER, email)
    const cookie = `refreshToken=${registered.cookies['refreshToken']?.value}`
    expect((await opens(await newestLink(email), cookie)).status).toBe(200)
    expect(await passwordOpens(OWNER, email)).toBe(true)
  })

  it("opened elsewhere requires a mailed code before the password is accepted, so a stranger's password does not work", async () => {
    const email = freshEmail()
    const stranger = await registers(STRANGER, email)
    const strangersCookie = `refreshToken=${stranger.cookies['refreshToken']?.value}`
    const owner = await opens(await newestLink(email))
    expect(await mayActAs(String(owner.body.data.token))).toBe(true)
    const back = await login(STRANGER, email)
    expect(back).toMatchObject({ status: 200, body: { data: { user: { isVerified: false } } } })
    const token = String(back.body.data.token)
    expect((await app.call('GET', '/profile', { token })).body.data.isVerified).toBe(false)
    expect((await app.call('GET', '/auth/sessions', { token })).body.message).toBe('Please verify your email')
    expect((await app.call('POST', '/auth/refresh-token', { cookie: strangersCookie })).status).toBe(401)
    await app.call('POST', '/auth/forgot-password', { body: { email } })
    const reset = await newestLink(email)
    const body = { newPassword: OWNER.password, confirmPassword: OWNER.password }
    expect((await app.call('POST', '/auth/reset-password', { token: reset, body })).status).toBe(200)
    expect([await passwordOpens(STRANGER, email), await passwordOpens(OWNER, email)]).toEqual([false, true])
  })

  it('[API-28] opened elsewhere by the registering person costs one more code at the next sign-in', async () => {
    const email = freshEmail()
    await registers(OWNER, email)
    const elsewhere = String((await opens(await newestLink(email))).body.data.token)
    app.clock.advance(120_000)
    const again = await login(OWNER, email)
    const token = String(again.body.data.token)
    expect((await app.call('POST', '/limit/auth/resend-otp', { token })).status).toBe(200)
    await app.runJobs()
    const verified = await app.call('POST', '/limit/auth/verify-token', { token, body: { token: app.mails.codeFor(email) } })
    expect(await mayActAs(String(verified.body.data.token))).toBe(true)
    expect(await mayActAs(elsewhere)).toBe(true)
    expect(await passwordOpens(OWNER, email)).toBe(true)
  })

  it('belongs to one registration: the cookie of another account confirms nothing', async () => {
    const email = freshEmail()
    await registers(STRANGER, email)
    const other = await registers(STRANGER, freshEmail())
    await opens(await newestLink(email), `refreshToken=${other.cookies['refreshToken']?.value}`)
    expect(await passwordOpens(STRANGER, email)).toBe(false)
  })
})

describe('earlier actions of a stranger', () => {
  const MOVES = {
    'the stranger registers': async (email: string) => void (await registers(STRANGER, email)),
    'the owner registers': async (email: string) => void (await registers(OWNER, email)),
    'a day passes': async () => app.clock.advance(DAY_MS),
    'somebody forgets a password': async (email: string) => void (await app.call('POST', '/auth/forgot-password', { body: { email } })),
  } as const
  const names = Object.keys(MOVES) as (keyof typeof MOVES)[]
  const stories = names.flatMap((first) => names.map((second) => [first, second] as const))

  it.each(stories)("%s, %s: then the owner's registration has the right owner, sponsor and password", async (...moves) => {
    const email = freshEmail()
    await registers(STRANGER, email)
    for (const move of moves) await MOVES[move](email)
    app.clock.advance(1000)
    await app.runJobs()
    await registers(OWNER, email)
    expect((await opens(await newestLink(email))).status).toBe(200)
    expect(await memberByEmail(app.db, email)).toMatchObject({ name: OWNER.name, sponsor_id: friends?.id, is_verified: true })
    expect(await passwordOpens(STRANGER, email)).toBe(false)
  })
})
