import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { authTestApp, freshEmail } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD } from '../../../../test/members.ts'
import { multipart, squarePng } from '../../../../test/multipart.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { revokeAllAccess } from '../sessions/revoke-all-access.ts'

const app = await authTestApp()

const PROOF = { password: TEST_PASSWORD }
const PHONE = '+12025550178'
const INVALID = 'This link is not valid any more'

async function person(how: { newDevice?: boolean } = {}) {
  const member = await createTestMember(app.db)
  const { token } = await app.signIn(member.id, how)
  const post = (path: string, body: object) => app.call('POST', path, { token, body })
  const read = () => app.db.selectFrom('member').selectAll().where('id', '=', member.id).executeTakeFirstOrThrow()
  const pending = async () => (await app.call('GET', '/profile/email', { token })).body.data.pending
  const audit = async () =>
    (
      await app.db
        .selectFrom('audit_event')
        .select(['action', 'outcome', 'detail'])
        .where('subject_id', '=', member.publicId)
        .where('action', 'like', 'auth.%')
        .orderBy('id')
        .execute()
    ).map(({ action, outcome, detail }) => [action, outcome, JSON.stringify(detail)].join(' '))
  return { ...member, token, post, read, pending, audit }
}

/** Returns the token of the newest mailed link of a kind. */
async function linkTo(address: string, act: 'confirm' | 'stop'): Promise<string | undefined> {
  await app.runJobs()
  const links = app.mails.to(address).map(({ text }) => new RegExp(`/email-change#${act}:([\\w-]+)`).exec(text)?.[1])
  return links.findLast((one) => one !== undefined)
}
const confirm = (token: string | undefined) => app.call('POST', '/auth/email/confirm', token === undefined ? {} : { token })
const stop = (token: string | undefined) => app.call('POST', '/auth/email/stop', token === undefined ? {} : { token })
const login = (email: string) => app.call('POST', '/auth/login', { body: { email, password: TEST_PASSWORD } })

describe('profile image', () => {
  const upload = async (token: string, bytes: Uint8Array) => {
    const { payload, headers } = await multipart({}, { name: 'me.png', type: 'image/png', bytes })
    const reply = await app.app.inject({
      method: 'POST',
      url: '/api/v1/profile/image',
      headers: { ...headers, authorization: token },
      payload,
    })
    return [reply.statusCode, reply.json().message]
  }

  it('[EN-09] [EN-11] is stored as a small square without metadata, and removed again', async () => {
    const who = await person()
    const photo = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#1a73e8' } })
      .withExif({ IFD0: { Artist: 'mark-exif' } })
      .jpeg()
      .toBuffer()
    expect(await upload(who.token, photo)).toEqual([200, 'Your image is changed'])
    const { profile_image: stored } = await who.read()
    const [head, text = ''] = stored?.split(',') ?? []
    expect(head).toBe('data:image/webp;base64')
    const bytes = Buffer.from(text, 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 })
    expect(bytes.includes('mark-exif')).toBe(false)
    expect((await app.call('DELETE', '/profile/image', { token: who.token })).status).toBe(200)
    expect((await who.read()).profile_image).toBeNull()
  })

  it('rejects a file of 20 MB, another file and a visitor, and keeps the image', async () => {
    const who = await person()
    await upload(who.token, await squarePng(200))
    const { profile_image: before } = await who.read()
    expect(await upload(who.token, Buffer.alloc(20_000_000, 1))).toEqual([400, 'File size should be less than 5 MB'])
    expect(await upload(who.token, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual([
      400,
      'Please choose a JPEG, PNG or WebP image',
    ])
    expect((await upload('', await squarePng(200)))[0]).toBe(401)
    expect((await who.read()).profile_image).toBe(before)
    expect(before).not.toBeNull()
  })
})

describe('change of name', () => {
  it('is done at once, and mails the member', async () => {
    const who = await person()
    expect((await who.post('/profile/name', { name: 'Ada Byron' })).status).toBe(200)
    expect((await who.read()).name).toBe('Ada Byron')
    expect((await who.post('/profile/name', { name: ' ' })).status).toBe(400)
    await app.runJobs()
    expect(app.mails.to(who.email).map(({ subject }) => subject)).toEqual(['Tizara: your name was changed'])
    expect(await who.audit()).toEqual(['auth.change-name ok {}'])
  })
})

describe('change of phone', () => {
  it('needs a proof, freezes payouts and leaves the number out of the audit log', async () => {
    const who = await person()
    expect((await who.post('/profile/phone', { phone: PHONE })).body.message).toBe('The current password is not right')
    expect((await who.post('/profile/phone', { phone: '+12025550', ...PROOF })).status).toBe(400)
    expect((await who.read()).payouts_frozen_until).toBeNull()
    expect((await who.post('/profile/phone', { phone: '+1 202 555 0178', ...PROOF })).status).toBe(200)
    expect(await who.read()).toMatchObject({ phone: PHONE, payouts_frozen_for: 'contact' })
    expect(await who.audit()).toEqual(['auth.step-up CURRENT_PASSWORD_WRONG {}', 'auth.change-phone ok {}'])
  })

  it('is rejected with the password alone on a new device', async () => {
    const thief = await person({ newDevice: true })
    for (const [path, body] of [
      ['/profile/phone', { phone: PHONE }],
      ['/profile/email', { email: freshEmail() }],
    ] as const)
      expect((await thief.post(path, { ...body, ...PROOF })).body.message).toMatch(/^On a new device your password is not enough/)
    expect(await thief.pending()).toBeNull()
  })
})

describe('change of address', () => {
  it('takes effect with the mailed link, ends all sessions and freezes payouts', async () => {
    const [who, email] = [await person(), freshEmail()]
    expect((await who.post('/profile/email', { email })).body.message).toBe('The current password is not right')
    expect((await who.post('/profile/email', { email: who.email, ...PROOF })).body.message).toBe(
      'This is the address of your account already',
    )
    expect((await who.post('/profile/email', { email: 'ada@elsewhere.example', ...PROOF })).body.message).toBe('Invalid Email')
    expect((await who.post('/profile/email', { email: email.toUpperCase(), ...PROOF })).status).toBe(200)
    expect(await who.pending()).toMatchObject({ email })
    expect(await who.read()).toMatchObject({ email: who.email, payouts_frozen_for: 'contact' })
    const token = await linkTo(email, 'confirm')
    expect((await confirm(token)).status).toBe(200)
    expect((await who.read()).email).toBe(email)
    expect((await app.call('GET', '/profile', { token: who.token })).status).toBe(401)
    expect((await confirm(token)).body.message).toBe(INVALID)
    expect([(await login(who.email)).status, (await login(email)).status]).toEqual([400, 200])
    await app.runJobs()
    // Both mails reach the earlier address.
    expect(app.mails.to(who.email).map(({ subject }) => subject)).toEqual([
      'Tizara: a new email address was requested',
      'Tizara: your email address was changed',
    ])
    expect((await who.audit()).join()).not.toContain('@')
  })

  it('gives the same response for the address of another account, and changes nothing', async () => {
    const [who, other] = [await person(), await person()]
    const free = await who.post('/profile/email', { email: freshEmail(), ...PROOF })
    const reply = await who.post('/profile/email', { email: other.email, ...PROOF })
    expect([reply.status, reply.text]).toEqual([free.status, free.text])
    expect(await who.pending()).toMatchObject({ email: other.email })
    expect(await linkTo(other.email, 'confirm')).toBeUndefined()
    expect((await confirm('')).body.message).toBe(INVALID)
    expect((await confirm(undefined)).body.message).toBe(INVALID)
  })

  it('fails when another account has verified the address, and succeeds over an unfinished registration', async () => {
    const [who, email] = [await person(), freshEmail()]
    await who.post('/profile/email', { email, ...PROOF })
    const token = await linkTo(email, 'confirm')
    await app.register({ email })
    const holder = app.db.selectFrom('member').select(['id', 'is_verified']).where('email', '=', email)
    const { id } = await holder.executeTakeFirstOrThrow()
    await app.db.updateTable('member').set({ is_verified: true }).where('id', '=', id).execute()
    expect((await confirm(token)).body.message).toBe(INVALID)
    await app.db.updateTable('member').set({ is_verified: false }).where('id', '=', id).execute()
    expect((await confirm(token)).status).toBe(200)
    expect((await holder.executeTakeFirstOrThrow()).id).toBe(who.id)
  })

  it('is confirmed once when the link is opened twice at once, and by two accounts for one address', async () => {
    const [one, other, email] = [await person(), await person(), freshEmail()]
    await one.post('/profile/email', { email, ...PROOF })
    const first = await linkTo(email, 'confirm')
    await other.post('/profile/email', { email, ...PROOF })
    const second = await linkTo(email, 'confirm')
    expect(second).not.toBe(first)
    const replies = await Promise.all([confirm(first), confirm(first), confirm(second)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect([(await one.read()).email, (await other.read()).email].filter((held) => held === email)).toHaveLength(1)
  })

  it('is stopped by the link to the earlier address before the change, which ends sessions and stops payouts', async () => {
    const [who, email] = [await person(), freshEmail()]
    await who.post('/profile/email', { email, ...PROOF })
    const stopToken = await linkTo(who.email, 'stop')
    expect((await stop(stopToken)).status).toBe(200)
    expect((await confirm(await linkTo(email, 'confirm'))).body.message).toBe(INVALID)
    expect((await stop(stopToken)).body.message).toBe(INVALID)
    const now = await who.read()
    expect(now.email).toBe(who.email)
    expect(now.payouts_stopped_at).not.toBeNull()
    expect((await app.call('GET', '/profile', { token: who.token })).status).toBe(401)
  })

  it('is reversed by the link to the earlier address for seven days', async () => {
    for (const [days, status] of [
      [6, 200],
      [8, 400],
    ] as const) {
      const [who, email] = [await person(), freshEmail()]
      await who.post('/profile/email', { email, ...PROOF })
      await confirm(await linkTo(email, 'confirm'))
      const stopToken = await linkTo(who.email, 'stop')
      app.clock.advance(days * DAY_MS)
      expect((await stop(stopToken)).status).toBe(status)
      expect((await who.read()).email).toBe(status === 200 ? who.email : email)
    }
  })

  it('leaves the thief without mailbox and payouts when another account has the earlier address by then', async () => {
    const [who, email] = [await person(), freshEmail()]
    await who.post('/profile/email', { email, ...PROOF })
    await confirm(await linkTo(email, 'confirm'))
    const thief = await app.signIn(who.id)
    const stopToken = await linkTo(who.email, 'stop')
    const other = await createTestMember(app.db, { email: who.email })
    expect((await stop(stopToken)).status).toBe(200)
    expect(await who.read()).toMatchObject({ email: expect.stringMatching(/@invalid$/), payouts_stopped_at: app.clock.now() })
    expect((await app.call('GET', '/auth/sessions', { token: thief.token })).status).toBe(401)
    await app.call('POST', '/auth/forgot-password', { body: { email } })
    await app.runJobs()
    expect(app.mails.to(email).filter(({ text }) => text.includes('reset-password'))).toEqual([])
    expect(await app.db.selectFrom('member').select('email').where('id', '=', other.id).execute()).toEqual([{ email: who.email }])
  })

  it('ends the reset links in the mailbox of a thief when it is reversed', async () => {
    const [who, email] = [await person(), freshEmail()]
    await who.post('/profile/email', { email, ...PROOF })
    await confirm(await linkTo(email, 'confirm'))
    const stopToken = await linkTo(who.email, 'stop')
    await app.call('POST', '/auth/forgot-password', { body: { email } })
    await app.runJobs()
    const reset = app.mails.linkTokenFor(email)
    expect((await stop(stopToken)).status).toBe(200)
    const body = { newPassword: 'amber-violin-72', confirmPassword: 'amber-violin-72' }
    expect((await app.call('POST', '/auth/reset-password', { token: reset, body })).status).toBe(400)
  })

  it('is not reversed to the address of a thief who changed it twice', async () => {
    const [who, first, second] = [await person(), freshEmail(), freshEmail()]
    await who.post('/profile/email', { email: first, ...PROOF })
    await confirm(await linkTo(first, 'confirm'))
    const thief = (await app.signIn(who.id)).token
    expect((await app.call('POST', '/profile/email', { token: thief, body: { email: second, ...PROOF } })).status).toBe(200)
    await confirm(await linkTo(second, 'confirm'))
    const token = await linkTo(first, 'stop')
    expect((await who.read()).email).toBe(second)
    expect((await stop(await linkTo(who.email, 'stop'))).status).toBe(200)
    expect((await stop(token)).body.message).toBe(INVALID)
    expect((await who.read()).email).toBe(who.email)
  })

  it('mails at most ten links a day to an address, and answers each request the same', async () => {
    const email = freshEmail()
    const replies: string[] = []
    for (let count = 0; count < 11; count += 1) replies.push((await (await person()).post('/profile/email', { email, ...PROOF })).text)
    expect(new Set(replies).size).toBe(1)
    const links = app.db.selectFrom('email_change').select('id').where('email', '=', email).where('confirm_digest', 'is not', null)
    expect(await links.execute()).toHaveLength(10)
  })

  it('keeps no link after a restore', async () => {
    const [who, other] = [await person(), await person()]
    const [email, next] = [freshEmail(), freshEmail()]
    await who.post('/profile/email', { email, ...PROOF })
    await confirm(await linkTo(email, 'confirm'))
    await other.post('/profile/email', { email: next, ...PROOF })
    const tokens = [await linkTo(who.email, 'stop'), await linkTo(other.email, 'stop')]
    const confirming = await linkTo(next, 'confirm')
    await inTransaction(app.db, (tx) => revokeAllAccess(tx, app.clock.now()))
    for (const token of tokens) expect((await stop(token)).body.message).toBe(INVALID)
    expect((await confirm(confirming)).body.message).toBe(INVALID)
    expect([(await who.read()).email, (await other.read()).email]).toEqual([email, other.email])
  })

  it('is requested at most five times a day, and a newer request ends the earlier link', async () => {
    const [who, email] = [await person(), freshEmail()]
    await who.post('/profile/email', { email, ...PROOF })
    const token = await linkTo(email, 'confirm')
    for (let count = 0; count < 4; count += 1)
      expect((await who.post('/profile/email', { email: freshEmail(), ...PROOF })).status).toBe(200)
    expect((await who.post('/profile/email', { email: freshEmail(), ...PROOF })).status).toBe(429)
    expect((await confirm(token)).body.message).toBe(INVALID)
  })
})
