import { describe, expect, it } from 'vitest'
import type { TestReply } from '../../../../test/app.ts'
import { authTestApp, freshEmail } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD, type TestMember } from '../../../../test/members.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { freezePayouts, memberByEmail, memberById } from '../../members/index.ts'
import { assertTrustedDevice, deleteDevices, recordDevice } from './known-devices.ts'
import { startPayoutFreeze } from '../passwords/payout-freeze.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

const app = await authTestApp()

const signIn = (member: { email: string }, devices?: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/auth/login', {
    body: { email: member.email, password: TEST_PASSWORD },
    ...(devices === undefined ? {} : { cookie: `devices=${devices}` }),
    headers,
  })
const devicesIn = (reply: TestReply): string => reply.cookies['devices']?.value ?? ''
const mailsAboutDevices = async ({ email }: { email: string }) => {
  await app.runJobs()
  return app.mails.to(email).filter((mail) => mail.subject === 'Tizara: sign-in from a new device')
}
const frozenUntil = async ({ id }: TestMember) => (await memberById(app.db, id))?.payouts_frozen_until
const devicesOf = ({ id }: { id: bigint }) =>
  app.db.selectFrom('known_device').selectAll().where('member_id', '=', id).orderBy('id').execute()

/** Returns the code of the refusal; undefined if the newest session of the account is on a trusted device. */
async function rejectionOn({ id }: { id: bigint }): Promise<string | undefined> {
  const session = await app.db
    .selectFrom('session')
    .select('id')
    .where('member_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return assertTrustedDevice(app.db, app.deps, session.id).then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
}

describe('a new device', () => {
  it('is one without a known cookie, also at the first sign-in; the owner gets a mail and payouts are frozen', async () => {
    const member = await createTestMember(app.db)
    await signIn(member, undefined, FIREFOX)
    const mails = await mailsAboutDevices(member)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('Firefox on Linux')
    expect(await frozenUntil(member)).toEqual(new Date(app.clock.now().getTime() + DAY))
  })

  it('is recognized by its cookie alone: a copied User-Agent without it is new, another one with it is known', async () => {
    const member = await createTestMember(app.db)
    const devices = devicesIn(await signIn(member))
    await signIn(member, devices, FIREFOX)
    expect(await mailsAboutDevices(member)).toHaveLength(1)
    await signIn(member)
    expect(await mailsAboutDevices(member)).toHaveLength(2)
    const entries = app.db.selectFrom('audit_event').select('outcome').where('actor_id', '=', member.id).where('action', '=', 'auth.login')
    expect(await entries.execute()).toEqual([{ outcome: 'ok' }, { outcome: 'ok' }, { outcome: 'ok' }])
  })

  it('stays known after years without a sign-in', async () => {
    const member = await createTestMember(app.db)
    const devices = devicesIn(await signIn(member))
    await app.runJobs()
    app.clock.advance(800 * DAY)
    await app.runJobs()
    await signIn(member, devices)
    expect(await mailsAboutDevices(member)).toHaveLength(1)
  })

  it('gets a random token in an HttpOnly cookie; the database has only its digest', async () => {
    const member = await createTestMember(app.db)
    const reply = await signIn(member)
    expect(reply.cookies['devices']?.attributes).toBe('Max-Age=34560000; Path=/api/v1/auth; HttpOnly; SameSite=Lax')
    const [device] = await devicesOf(member)
    expect(device?.token_digest).toBe(digest(devicesIn(reply)))
    expect(JSON.stringify(device, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      devicesIn(reply),
    )
  })

  it('gets a new token from the server when its cookie was planted by an attacker', async () => {
    const [thief, victim] = [await createTestMember(app.db), await createTestMember(app.db)]
    const planted = devicesIn(await signIn(thief))
    const issued = devicesIn(await signIn(victim, planted))
    expect(issued.split('.')).toEqual([expect.not.stringMatching(planted), planted])
    await signIn(victim, planted)
    expect(await mailsAboutDevices(victim)).toHaveLength(2)
  })

  it('keeps the tokens of all accounts of a browser, and ignores malformed ones', async () => {
    const [one, other] = [await createTestMember(app.db), await createTestMember(app.db)]
    const first = devicesIn(await signIn(one))
    const both = devicesIn(await signIn(other, `${first}.<script>.${'x'.repeat(500)}`))
    expect(both).toMatch(/^[\w-]{43}\.[\w-]{43}$/)
    await signIn(one, both)
    await signIn(other, both)
    expect([await mailsAboutDevices(one), await mailsAboutDevices(other)].map((mails) => mails.length)).toEqual([1, 1])
  })

  it('is not the one of a page of another site', async () => {
    const member = await createTestMember(app.db)
    const devices = devicesIn(await signIn(member))
    await signIn(member, devices, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })
    expect(await mailsAboutDevices(member)).toHaveLength(2)
  })
})

describe('a trusted device', () => {
  it('is a new one after the hours of the payout freeze', async () => {
    const member = await createTestMember(app.db)
    const devices = devicesIn(await signIn(member))
    app.clock.advance(DAY - 1000)
    await signIn(member, devices)
    expect(await rejectionOn(member)).toBe('DEVICE_NOT_TRUSTED')
    app.clock.advance(1000)
    await signIn(member)
    expect(await rejectionOn(member)).toBe('DEVICE_NOT_TRUSTED')
    await signIn(member, devices)
    expect(await rejectionOn(member)).toBeUndefined()
  })

  it('is the one where the member proved the address, and no other', async () => {
    const email = freshEmail()
    const registered = await app.register({ email })
    const [member] = [await memberByEmail(app.db, email)]
    expect(await rejectionOn(member ?? { id: 0n })).toBe('DEVICE_NOT_TRUSTED')
    await app.runJobs()
    const code = /\b\d{6}\b/.exec(app.mails.to(email).at(-1)?.text ?? '')?.[0]
    const verified = await app.call('POST', '/limit/auth/verify-token', {
      token: registered.body.data.token,
      body: { token: code },
      cookie: `devices=${devicesIn(registered)}`,
    })
    expect(verified.status).toBe(200)
    expect(await rejectionOn(member ?? { id: 0n })).toBeUndefined()
    expect(devicesIn(verified)).toBe(devicesIn(registered))
    await signIn({ email }, devicesIn(verified))
    expect(await mailsAboutDevices({ email })).toHaveLength(0)
    await signIn({ email })
    expect(await rejectionOn(member ?? { id: 0n })).toBe('DEVICE_NOT_TRUSTED')
  })
})

describe('the devices of an account', () => {
  it('are all new after its owner reported an attacker', async () => {
    const member = await createTestMember(app.db)
    const devices = devicesIn(await signIn(member))
    await inTransaction(app.db, (tx) => deleteDevices(tx, member.id))
    expect(await rejectionOn(member)).toBe('DEVICE_NOT_TRUSTED')
    await signIn(member, devices)
    expect(await mailsAboutDevices(member)).toHaveLength(2)
  })

  it.each([1, 2])('are at most 100; 101 new devices that sign in %s times do not replace a trusted one', async (times) => {
    const member = await createTestMember(app.db)
    const devices = devicesIn(await signIn(member))
    app.clock.advance(DAY)
    const at = (tokens: string[]) =>
      inTransaction(app.db, (tx) => recordDevice(tx, app.deps, { memberId: member.id, tokens, provedAddress: false }))
    for (let count = 0; count < 101; count += 1) {
      const { token = '' } = await at([])
      if (times > 1) await at([token])
    }
    expect(await devicesOf(member)).toHaveLength(100)
    expect(devicesIn(await signIn(member, devices))).toBe(devices)
    expect(await rejectionOn(member)).toBeUndefined()
    expect(await devicesOf(member)).toHaveLength(100)
  })
})

describe('the freeze after a sign-in from a new device', () => {
  it.each(['password', 'second-factor', 'contact', 'restore'] as const)(
    'is replaced by a freeze for %s, whichever ends later',
    async (cause) => {
      for (const hours of [1, 24, 48]) {
        const member = await createTestMember(app.db)
        await signIn(member)
        const [at, until] = [app.clock.now(), new Date(app.clock.now().getTime() + hours * HOUR)]
        await inTransaction(app.db, (tx) => freezePayouts(tx, { id: member.id, at, until, cause }))
        const end = new Date(at.getTime() + Math.max(hours, 24) * HOUR)
        expect(await memberById(app.db, member.id)).toMatchObject({ payouts_frozen_until: end, payouts_frozen_for: cause })
      }
    },
  )

  it('extends a running freeze after a new password without replacing its cause', async () => {
    const member = await createTestMember(app.db)
    await inTransaction(app.db, (tx) => startPayoutFreeze(tx, member.id, 'password', app.clock.now()))
    app.clock.advance(HOUR)
    await signIn(member)
    expect(await memberById(app.db, member.id)).toMatchObject({
      payouts_frozen_until: new Date(app.clock.now().getTime() + DAY),
      payouts_frozen_for: 'password',
    })
    app.clock.advance(2 * DAY)
    await signIn(member)
    expect((await memberById(app.db, member.id))?.payouts_frozen_for).toBe('device')
  })
})
