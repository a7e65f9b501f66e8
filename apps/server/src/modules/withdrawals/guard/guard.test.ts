import { ONE, parseUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp, type TestReply } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { SoftAuthenticator } from '../../../../test/soft-authenticator.ts'
import { byOne, byTwo, createTestMember, fund, TEST_PASSWORD } from '../../../../test/members.ts'
import { rejectionsOf } from '../../../../test/rejections.ts'
import { encryptedMails } from '../../../gateways/mailer/index.ts'
import { balancesOf, runAudit } from '../../../ledger/index.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { decrypt } from '../../../platform/crypto/encrypt.ts'
import { authRoutes, mailResetLink } from '../../auth/index.ts'
import { applySettings } from '../../settings/index.ts'
import { auditAddresses, auditChecks, approvePayout, payoutQueue, withdrawalRoutes, withdrawalJobs, stopAndAuditPayouts } from '../index.ts'
import { ownerMac } from '../payout-mac.ts'
import { linkToken } from '../confirmation/payout-token.ts'
import { sendPayoutNotifications } from '../notify-member.ts'
import { requestWithdrawals } from '../request-withdrawal.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
const HOUR = 3_600_000
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const OTHER = '0xde709f2102306220921060314715629080e2fb77'
const STOPPED = 'The member has stopped all payouts. They resume after the member resets their password by email'
const PASSWORD = { password: TEST_PASSWORD }

let at: TestApp
let staff: bigint
let second: bigint

beforeAll(async () => {
  const { db } = await testDatabase(24)
  at = await testApp(db, {
    routes: (bind) => {
      authRoutes(bind, stopAndAuditPayouts)
      withdrawalRoutes(bind)
    },
    jobs: withdrawalJobs,
  })
  staff = (await createTestMember(db, { role: 'ADMIN' })).id
  second = (await createTestMember(db, { role: 'ADMIN' })).id
})

type Payer = Awaited<ReturnType<typeof member>>
async function member(usd = '1000') {
  const created = await createTestMember(at.db)
  await fund(at.db, created.id, 'depositWallet', u(usd))
  await fund(at.db, created.id, 'icoWallet', u('1000'))
  return { ...created, token: (await at.signIn(created.id)).token }
}

const post = (who: { token: string }, path: string, body: object = {}) => at.call('POST', path, { token: who.token, body })
const withdraw = (who: Payer, amount: number, more: object = {}) =>
  post(who, '/deposit-wallet/transfer-deposit-wallet', { amount, address: ADDRESS, ...more })
const bridge = (who: Payer, amount: number, more: object = {}) => post(who, '/withdrow-request', { amount, to: ADDRESS, ...more })
const idOf = (reply: { body: { data: { receipt: { id: string } } } }) => reply.body.data.receipt.id
const filed = async (who: Payer, amount = 100) => idOf(await withdraw(who, amount))
const confirm = (who: Payer, id: string, proof: object = PASSWORD) => post(who, `/withdrawals/requests/${id}/confirm`, proof)
const decide = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(at.db, work)
const approve = (payoutId: string, how = byOne, staffId = staff) =>
  decide((tx) => approvePayout(tx, at.deps, { payoutId, staffId, reason: 'checked', ...how })).catch(
    (error: { code: string }) => error.code,
  )
const row = (id: string) => at.db.selectFrom('payout_request').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
const usdOf = async (who: Payer) => (await balancesOf(at.db, who.id)).depositWallet
const queued = async () => (await payoutQueue(at.db, 'withdrawal', { pageRange: readPageRange({}) })).data.map((item) => item.id)

/** Returns the queued mails to a member, oldest first. */
async function mailsTo(who: Payer): Promise<{ subject: string; text: string }[]> {
  await decide((tx) => sendPayoutNotifications(tx, at.deps))
  const rows = await at.db.selectFrom('mail_outbox').select('encrypted').where('recipient', '=', who.email).orderBy('id').execute()
  return rows.map(({ encrypted }) =>
    JSON.parse(decrypt(at.deps.config, encryptedMails.purpose, encrypted ?? Buffer.alloc(0), who.email) ?? '{}'),
  )
}
const subjectsTo = async (who: Payer) => (await mailsTo(who)).map(({ subject }) => subject.replace('Tizara: ', ''))

/** Resets the password by a mailed link, as a member does after a theft. */
async function resetPassword(who: Payer): Promise<void> {
  await decide((tx) => mailResetLink(tx, at.deps, who.id))
  const tokens = (await mailsTo(who)).flatMap(({ text }) => /reset-password\?token=(\S+)/.exec(text)?.[1] ?? [])
  const body = { newPassword: 'quiet-lantern-58', confirmPassword: 'quiet-lantern-58' }
  expect((await at.call('POST', '/auth/reset-password', { token: decodeURIComponent(tokens.at(-1) ?? ''), body })).status).toBe(200)
  who.token = (await at.signIn(who.id)).token
}

/** Calls the route with a mailed link's token and without a session. */
const byLink = (token: string, what?: 'confirm' | 'stop') =>
  at.call(what === undefined ? 'GET' : 'POST', `/withdrawals/link${what === undefined ? '' : `/${what}`}`, { token })
const linkOf = (id: string, about: 'payout' | 'address' = 'payout') => linkToken(at.deps, { about, id })

const sound = async () => expect((await runAudit(at.db, auditChecks)).filter((result) => result.broken > 0)).toEqual([])

describe('payout without a proof', () => {
  it('[MF-03] is accepted, held and pending, and waits for its member before staff see it', async () => {
    const payer = await member()
    const reply = await withdraw(payer, 100)
    expect(reply.body).toMatchObject({ statusCode: 200, message: 'Withdraw request success. It waits for your confirmation' })
    const until = new Date(at.clock.now().getTime() + 24 * HOUR).toISOString()
    expect(reply.body.data.waitsUntil).toBe(until)
    expect(await usdOf(payer)).toBe(u('900'))
    const list = await at.call('GET', '/deposit-wallet/transfer-history', { token: payer.token })
    expect(list.body.data.data[0]).toMatchObject({ status: 'PENDING', waitsUntil: until })
    const id = idOf(reply)
    expect(await queued()).not.toContain(id)
    expect(await approve(id)).toBe('PAYOUT_UNCONFIRMED')
    expect((await confirm(payer, id)).status).toBe(200)
    expect(await queued()).toContain(id)
    expect(await approve(id)).toBe('approved')
    expect(await subjectsTo(payer)).toEqual(['please confirm a withdrawal', 'a withdrawal was confirmed', 'a withdrawal was approved'])
    await sound()
  })

  it('[MF-04] is returned in full and once when it is not confirmed in time, not a moment earlier', async () => {
    const payer = await member()
    const ids = [await filed(payer), idOf(await bridge(payer, 40))]
    at.clock.advance(24 * HOUR - 1)
    await at.runJobs()
    expect(await usdOf(payer)).toBe(u('900'))
    at.clock.advance(1)
    const late = await member()
    expect((await confirm({ ...late, token: (await at.signIn(payer.id)).token }, ids[0] ?? '')).body.message).toBe(
      'The confirmation period has expired',
    )
    await at.runJobs()
    await at.runJobs()
    expect(await balancesOf(at.db, payer.id)).toMatchObject({ depositWallet: u('1000'), icoWallet: u('1000') })
    for (const id of ids) expect(await row(id)).toMatchObject({ status: 'REJECTED', return_reason: 'expired', decided_by: null })
    expect((await subjectsTo(payer)).slice(-2)).toEqual(['a withdrawal was not confirmed', 'a bridge was not confirmed'])
    await sound()
  })

  it('is confirmed or returned, never both, in parallel', async () => {
    const payer = await member('3000')
    const ids = await Promise.all(Array.from({ length: 20 }, () => filed(payer, 100)))
    await at.db
      .updateTable('payout_request')
      .set({ confirm_by: new Date(at.clock.now().getTime() + 1) })
      .where('public_id', 'in', ids)
      .execute()
    const clicks = ids.map((id, index) => {
      if (index === 10) at.clock.advance(1)
      return byLink(linkOf(id), 'confirm')
    })
    await Promise.all([...clicks, at.runJobs()])
    await at.runJobs()
    const ends = await Promise.all(ids.map(row))
    for (const end of ends) expect((end.confirmed_at === null) === (end.status === 'REJECTED')).toBe(true)
    expect(await usdOf(payer)).toBe(u('3000') - u('100') * BigInt(ends.filter((end) => end.confirmed_at !== null).length))
    await sound()
  })

  it('is cancelled by its member until it is decided, also after a first approval', async () => {
    const payer = await member()
    const cancel = (id: string, who = payer) => post(who, `/withdrawals/requests/${id}/cancel`)
    const [unseen, half, paid] = [await filed(payer), await filed(payer), await filed(payer)]
    for (const id of [half, paid]) await confirm(payer, id)
    expect(await approve(half, byTwo)).toBe('waits-for-second')
    expect(await approve(paid)).toBe('approved')
    expect((await cancel(unseen, await member())).status).toBe(404)
    for (const id of [unseen, half]) expect((await cancel(id)).status).toBe(200)
    for (const id of [unseen, half, paid]) expect((await cancel(id)).body.message).toBe('This request has already been decided')
    expect(await approve(half, byTwo, second)).toBe('ALREADY_DECIDED')
    expect(await usdOf(payer)).toBe(u('900'))
    expect(await row(half)).toMatchObject({ status: 'REJECTED', return_reason: 'cancelled', decided_by: null, first_approved_by: null })
    await sound()
  })
})

describe('payout with a proof', () => {
  const prove = (who: Payer, more: object = {}) =>
    post(who, '/withdrawals/step-up', { kind: 'withdrawal', amount: 100, address: ADDRESS, ...PASSWORD, ...more })
  const proved = async (who: Payer, more: object = {}): Promise<string> => (await prove(who, more)).body.data.stepUp

  it('is confirmed at once, and each proof counts once', async () => {
    const payer = await member()
    const stepUp = await proved(payer)
    const reply = await withdraw(payer, 100, { stepUp })
    expect(reply.body.data.waitsUntil).toBeUndefined()
    expect(reply.body.message).toBe('Withdraw request success')
    expect(await row(idOf(reply))).toMatchObject({ confirmed_how: 'step-up' })
    expect((await withdraw(payer, 100, { stepUp })).body.message).toBe('Please confirm this once more')
    expect(await usdOf(payer)).toBe(u('900'))
    const coin = await proved(payer, { kind: 'bridge', network: 1 })
    expect((await bridge(payer, 100, { network: 1, stepUp: coin })).body.data.waitsUntil).toBeUndefined()
  })

  it('is rejected when the proof is for another request, member or session, or expired', async () => {
    const [payer, other] = [await member(), await member()]
    const elsewhere = { ...payer, token: (await at.signIn(payer.id)).token }
    const stepUp = await proved(payer)
    const tries = [
      withdraw(payer, 100.01, { stepUp }),
      withdraw(payer, 100, { stepUp, address: OTHER }),
      bridge(payer, 100, { stepUp }),
      withdraw(elsewhere, 100, { stepUp }),
      withdraw(other, 100, { stepUp }),
      withdraw(payer, 100, { stepUp: `${stepUp}x` }),
      withdraw(payer, 100, { stepUp: '' }),
      bridge(payer, 100, { stepUp: await proved(payer, { kind: 'bridge' }), network: 1 }),
    ]
    for (const reply of await Promise.all(tries)) expect(reply.body.message).toBe('Please confirm this once more')
    at.clock.advance(5 * 60_000)
    expect((await withdraw(payer, 100, { stepUp })).status).toBe(400)
    expect([await usdOf(payer), await usdOf(other)]).toEqual([u('1000'), u('1000')])
    for (const who of [payer, other]) expect(await rejectionsOf(at.db, who)).toEqual(['payout.request STEP_UP_REFUSED'])
  })

  it('[ER-02] delays password guesses like sign-in, wherever a proof is required', async () => {
    const payer = await member()
    const id = await filed(payer)
    const guess = { password: 'wrong-guess' }
    for (const reply of [
      await prove(payer, guess),
      await confirm(payer, id, guess),
      await post(payer, '/withdrawals/addresses', { address: OTHER, ...guess }),
      await confirm(payer, id, {}),
      await confirm(payer, id, guess),
    ]) {
      expect(reply.body.message).toBe('The current password is not right')
    }
    expect((await confirm(payer, id)).status).toBe(429)
    expect((await row(id)).confirmed_at).toBeNull()
    const outcomes = at.db.selectFrom('audit_event').select('outcome').where('actor_id', '=', payer.id).where('action', '=', 'auth.step-up')
    expect(await outcomes.execute()).toHaveLength(6)
  })

  it('accepts a passkey in place of the code for a payout and an address, in the same session, once', async () => {
    const payer = await member()
    const { secret } = (await post(payer, '/auth/totp/begin', PASSWORD)).body.data
    const code = () => {
      at.clock.advance(30_000)
      return new TOTP({ secret }).generate({ timestamp: at.clock.now().getTime() })
    }
    await post(payer, '/auth/totp/confirm', { otp: code() })
    const { origin, hostname: rpId } = new URL(at.deps.config.publicUrl)
    const key = new SoftAuthenticator()
    const begun = (await post(payer, '/auth/passkeys/begin', { otp: code() })).body.data
    const credential = key.make({ origin, rpId, challenge: begun.options.challenge })
    expect((await post(payer, '/auth/passkeys', { challengeId: begun.challengeId, name: 'Phone', credential })).status).toBe(200)
    const show = async (from = payer) => {
      const { challengeId, options } = (await post(from, '/auth/passkeys/challenge')).body.data
      return { passkey: { challengeId, credential: key.get({ origin, rpId, challenge: options.challenge }) } }
    }
    expect((await at.call('GET', '/withdrawals/guard', { token: payer.token })).body.data).toMatchObject({ proof: 'otp', passkey: true })
    const shown = await show()
    const reply = await prove(payer, { password: undefined, ...shown })
    expect((await withdraw(payer, 100, { stepUp: reply.body.data.stepUp })).body.data.waitsUntil).toBeUndefined()
    const [id, elsewhere] = [await filed(payer), { ...payer, token: (await at.signIn(payer.id)).token }]
    expect((await confirm(payer, id, shown)).body.message).toBe('This passkey is not right')
    expect((await confirm(elsewhere, id, await show())).body.message).toBe('This passkey is not right')
    expect((await confirm(payer, id, await show())).status).toBe(200)
    const added = await post(payer, '/withdrawals/addresses', { address: OTHER, ...(await show()) })
    expect(added.body.message).toBe('The address is in your address book')
  })

  it('requires an app code if an app is set up, accepts each once, and limits guesses', async () => {
    const payer = await member()
    const { secret } = (await post(payer, '/auth/totp/begin', PASSWORD)).body.data
    const code = () => new TOTP({ secret }).generate({ timestamp: at.clock.now().getTime() })
    await post(payer, '/auth/totp/confirm', { otp: code() })
    at.clock.advance(60_000)
    const [one, two] = [await filed(payer), await filed(payer)]
    expect((await confirm(payer, one)).body.message).toBe('Please enter the code of your authenticator app')
    const otp = code()
    expect((await confirm(payer, one, { otp })).status).toBe(200)
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await confirm(payer, two, { otp })).body.message).toBe('The code of your authenticator app is not right')
    }
    at.clock.advance(30_000 - 1)
    expect((await confirm(payer, two, { otp: code() })).status).toBe(429)
    at.clock.advance(1)
    expect((await confirm(payer, two, { otp: code() })).status).toBe(200)
  })
})

describe('address book', () => {
  const add = (who: Payer, more: object = {}) => post(who, '/withdrawals/addresses', { address: ADDRESS, label: 'Mine', ...more })
  const book = async (who: Payer) => (await at.call('GET', '/withdrawals/guard', { token: who.token })).body.data
  const waits = async (reply: ReturnType<typeof withdraw>) => (await reply).body.data.waitsUntil !== undefined

  it('lets payouts to an entry skip the confirmation after its delay, on its network only, until it is removed', async () => {
    const payer = await member()
    const { id } = (await add(payer, PASSWORD)).body.data
    const usableFrom = new Date(at.clock.now().getTime() + 24 * HOUR).toISOString()
    expect(await book(payer)).toMatchObject({
      proof: 'password',
      held: null,
      addresses: [{ id, address: ADDRESS, label: 'Mine', usableFrom }],
    })
    at.clock.advance(24 * HOUR - 1)
    payer.token = (await at.signIn(payer.id)).token
    expect(await waits(withdraw(payer, 20))).toBe(true)
    at.clock.advance(1)
    expect(await waits(withdraw(payer, 21, { address: ADDRESS.toLowerCase() }))).toBe(false)
    expect(await waits(bridge(payer, 20))).toBe(false)
    expect(await waits(bridge(payer, 21, { network: 1 }))).toBe(true)
    expect(await waits(withdraw(payer, 22, { address: OTHER }))).toBe(true)
    const remove = (who: Payer) => at.call('DELETE', `/withdrawals/addresses/${id}`, { token: who.token })
    expect((await remove(await member())).status).toBe(404)
    expect((await remove(payer)).status).toBe(200)
    expect((await remove(payer)).status).toBe(404)
    expect(await waits(withdraw(payer, 23))).toBe(true)
    expect((await book(payer)).addresses).toEqual([])
  })

  it('[I7] refuses a payout to an address that SQL confirmed, changed, copied or revived; the refusal is recorded, and the audit reports it', async () => {
    const [payer, other] = [await member(), await member()]
    const { id } = (await add(payer)).body.data
    await add(other, { ...PASSWORD, network: 1 })
    const set = (to: object) => at.db.updateTable('payout_address').set(to).where('public_id', '=', id).execute()
    const [foreign] = await at.db.selectFrom('payout_address').selectAll().where('member_id', '=', other.id).execute()
    const found = async () => {
      const logged = auditChecks.filter(({ title }) => title.startsWith('each address of a book'))
      const results = [await auditAddresses(at.db, at.deps.config), ...(await runAudit(at.db, logged))]
      return results.some(({ examples }) => examples.join(' ').includes(id))
    }
    const refused = async () => {
      expect((await withdraw(payer, 20)).body.message).toBe('Integrity check failed: this address was modified outside the application')
      expect(await found()).toBe(true)
    }
    const long = new Date(at.clock.now().getTime() - 48 * HOUR)
    const usable = { confirmed_at: long, usable_from: long }
    for (const entry_mac of [Buffer.from('none'), foreign?.entry_mac]) {
      await set({ ...usable, entry_mac })
      await refused()
    }
    await set({ confirmed_at: foreign?.confirmed_at, usable_from: foreign?.usable_from, entry_mac: foreign?.entry_mac })
    await refused()
    const { rows } = await sql<{
      outcome: string
    }>`select outcome from audit_event where actor_id = ${payer.id} and action = 'payout.request'`.execute(at.db)
    expect(rows).toEqual([{ outcome: 'ADDRESS_FORGED' }])
    await set({ confirmed_at: null, usable_from: null, entry_mac: null })
    expect((await post(payer, `/withdrawals/addresses/${id}/confirm`, PASSWORD)).status).toBe(200)
    const genuine = await at.db.selectFrom('payout_address').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    for (const change of [
      { usable_from: long },
      { confirmed_at: long },
      { address: OTHER, address_key: OTHER.toLowerCase() },
      { network: 1 },
      { member_id: other.id, label: 'x' },
    ]) {
      await set(change)
      expect(await found()).toBe(true)
      if ('usable_from' in change || 'confirmed_at' in change) await refused()
      if ('address' in change) expect((await withdraw(payer, 20, { address: OTHER })).status).toBe(400)
      await set({ ...genuine, id: undefined })
      expect(await found()).toBe(false)
    }
    // A removal and a stop are final, although the earlier row has a valid MAC.
    await at.call('DELETE', `/withdrawals/addresses/${id}`, { token: payer.token })
    await set({ removed_at: null })
    expect(await found()).toBe(true)
    await set({ removed_at: at.clock.now() })
    expect(await found()).toBe(false)
  })

  it("adds an address without a proof, and starts its delay after the member's confirmation", async () => {
    const payer = await member()
    const { id } = (await add(payer)).body.data
    expect(await book(payer)).toMatchObject({ addresses: [{ id, usableFrom: null }] })
    at.clock.advance(48 * HOUR)
    payer.token = (await at.signIn(payer.id)).token
    expect(await waits(withdraw(payer, 20))).toBe(true)
    const stranger = await member()
    expect((await post(stranger, `/withdrawals/addresses/${id}/confirm`, PASSWORD)).status).toBe(404)
    expect((await post(payer, `/withdrawals/addresses/${id}/confirm`, PASSWORD)).status).toBe(200)
    const { usableFrom } = (await book(payer)).addresses[0]
    at.clock.advance(HOUR)
    payer.token = (await at.signIn(payer.id)).token
    // A second confirmation, also by the mailed link, changes nothing.
    expect((await byLink(linkOf(id, 'address'), 'confirm')).status).toBe(200)
    expect((await book(payer)).addresses[0].usableFrom).toBe(usableFrom)
    expect(await subjectsTo(payer)).toContain('a new payout address')
  })

  it('stores an address once, up to 20, and only payable ones', async () => {
    const payer = await member()
    await add(payer, PASSWORD)
    expect((await add(payer, { address: ADDRESS.toLowerCase() })).body.message).toBe('This address is already in your address book')
    expect((await add(payer, { network: 2 })).body.message).toBe('Invalid wallet address')
    const hex = (n: number) => `0x${(n + 4096).toString(16).padStart(40, 'a')}`
    // Only a few at once: on a busy machine, calls that wait for the member's lock exceed its time limit.
    const replies: TestReply[] = []
    for (let from = 0; from < 22; from += 4)
      replies.push(...(await Promise.all([0, 1, 2, 3].slice(0, 22 - from).map((n) => add(payer, { address: hex(from + n) })))))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(19)
    expect(replies.find((reply) => reply.status === 400)?.body.message).toBe('Your address book is full, please remove an address first')
  })

  it('accepts 20 new addresses a day, removed ones included, because each sends a mail', async () => {
    const payer = await member()
    const hex = (n: number) => `0x${(n + 4096).toString(16).padStart(40, 'a')}`
    const addAndRemove = async (n: number) => {
      const { status, body } = await add(payer, { address: hex(n) })
      if (status === 200) await at.call('DELETE', `/withdrawals/addresses/${body.data.id}`, { token: payer.token })
      return status
    }
    const statuses: number[] = []
    for (let n = 0; n < 22; n += 1) statuses.push(await addAndRemove(n))
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429])
    expect(await subjectsTo(payer)).toHaveLength(20)
    at.clock.advance(24 * HOUR)
    payer.token = (await at.signIn(payer.id)).token
    expect((await add(payer, { address: hex(23) })).status).toBe(200)
  })

  it('restarts the delay for an address that was removed, and an old link does not confirm the new entry', async () => {
    const payer = await member()
    const first = (await add(payer)).body.data.id
    const link = linkOf(first, 'address')
    await at.call('DELETE', `/withdrawals/addresses/${first}`, { token: payer.token })
    const again = (await add(payer, { address: ADDRESS.toLowerCase() })).body.data.id
    expect((await byLink(link, 'confirm')).status).not.toBe(200)
    expect((await book(payer)).addresses).toMatchObject([{ id: again, usableFrom: null }])
    await at.call('DELETE', `/withdrawals/addresses/${again}`, { token: payer.token })
    // A removed entry does not shorten the delay of its replacement.
    await add(payer, PASSWORD)
    at.clock.advance(23 * HOUR)
    payer.token = (await at.signIn(payer.id)).token
    const [{ id }] = (await book(payer)).addresses
    await at.call('DELETE', `/withdrawals/addresses/${id}`, { token: payer.token })
    await add(payer, PASSWORD)
    at.clock.advance(2 * HOUR)
    payer.token = (await at.signIn(payer.id)).token
    expect(await waits(withdraw(payer, 20))).toBe(true)
  })
})

describe('mailed link', () => {
  it('shows the request and changes nothing until a click; a second click changes nothing', async () => {
    const payer = await member()
    const id = await filed(payer)
    const [mail] = await mailsTo(payer)
    const token = decodeURIComponent(/https?:\/\/\S+\/payout#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '')
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await byLink(token)).body.data).toMatchObject({
        about: 'payout',
        state: 'waiting',
        address: ADDRESS,
        amount: 100,
        asset: 'usd',
        stopped: false,
      })
    }
    expect((await row(id)).confirmed_at).toBeNull()
    for (let turn = 0; turn < 2; turn += 1) expect((await byLink(token, 'confirm')).status).toBe(200)
    expect(await row(id)).toMatchObject({ confirmed_how: 'link' })
    expect((await byLink(token)).body.data.state).toBe('confirmed')
    expect((await subjectsTo(payer)).filter((subject) => subject === 'a withdrawal was confirmed')).toHaveLength(1)
    await approve(id)
    expect((await byLink(token)).body.data.state).toBe('paid')
    expect((await byLink(token, 'confirm')).body.message).toBe('This request has already been decided')
  })

  it('works for its payout only, and not when forged, old or unknown', async () => {
    const payer = await member()
    const [one, two] = [await filed(payer), await filed(payer)]
    const [link, other] = [linkOf(one), linkOf(two)]
    const swapped = [...link.split('.').slice(0, 2), other.split('.')[2]].join('.')
    const dead = [
      swapped,
      linkOf(one, 'address'),
      linkOf('nobody'),
      `${link}x`,
      `${link}.x`,
      link.replace('payout', 'address'),
      payer.token,
      '',
    ]
    for (const token of dead) {
      for (const what of [undefined, 'confirm', 'stop'] as const) {
        expect((await byLink(token, what)).body.message, `${what} ${token}`).toBe('This link is not valid any more')
      }
    }
    await post(payer, `/withdrawals/requests/${one}/cancel`)
    expect((await byLink(link, 'confirm')).body.message).toBe('This request has already been decided')
    at.clock.advance(25 * HOUR)
    expect((await byLink(other)).body.data.state).toBe('expired')
    expect((await byLink(other, 'confirm')).body.message).toBe('The confirmation period has expired')
    at.clock.advance(29 * 24 * HOUR)
    expect((await byLink(other, 'stop')).body.message).toBe('This link is not valid any more')
    await at.runJobs()
    expect(await usdOf(payer)).toBe(u('1000'))
  })

  it('stop returns all payouts, ends sessions, and blocks payouts until a password reset by mail', async () => {
    const payer = await member()
    const { id: entry } = (await post(payer, '/withdrawals/addresses', { address: OTHER, ...PASSWORD })).body.data
    const [robbed, also, later] = [await filed(payer), await filed(payer), await filed(payer)]
    for (const id of [robbed, also, later]) await confirm(payer, id)
    await approve(also, byTwo)
    expect((await byLink(linkOf(robbed), 'stop')).body).toMatchObject({ data: { returned: true } })
    expect(await row(robbed)).toMatchObject({ status: 'REJECTED', return_reason: 'stopped' })
    expect((await at.call('GET', '/withdrawals/guard', { token: payer.token })).status).toBe(401)
    expect(await approve(also, byOne, second)).toBe('PAYOUT_UNCONFIRMED')
    expect((await byLink(linkOf(later), 'confirm')).body.message).toBe(STOPPED)
    await at.runJobs()
    expect(await usdOf(payer)).toBe(u('1000'))
    payer.token = (await at.signIn(payer.id)).token
    for (const reply of [await withdraw(payer, 100), await bridge(payer, 100)]) expect(reply.body.message).toBe(STOPPED)
    expect(await rejectionsOf(at.db, payer)).toEqual(['payout.request PAYOUTS_STOPPED'])
    const stops = at.db.selectFrom('audit_event').select('outcome').where('actor_id', '=', payer.id).where('action', '=', 'payout.stop')
    expect(await stops.execute()).toEqual([{ outcome: 'ok' }])
    // Simulates a request filed at the moment of the stop.
    await at.db.updateTable('member').set({ payouts_stopped_at: null }).where('id', '=', payer.id).execute()
    const next = await filed(payer)
    await at.db.updateTable('member').set({ payouts_stopped_at: at.clock.now() }).where('id', '=', payer.id).execute()
    for (const reply of [
      await confirm(payer, next),
      await post(payer, '/withdrawals/step-up', { kind: 'withdrawal', amount: 100, address: ADDRESS, ...PASSWORD }),
      await post(payer, `/withdrawals/addresses/${entry}/confirm`, PASSWORD),
      await post(payer, '/withdrawals/addresses', { address: ADDRESS, ...PASSWORD }),
    ]) {
      expect(reply.body.message).toBe(STOPPED)
    }
    // Simulates a confirmation just when payouts stop.
    const crossed = { confirmed_at: at.clock.now(), confirmed_how: 'book' }
    const signed = { ...crossed, owner_mac: ownerMac(at.deps.config, { ...(await row(next)), ...crossed }) }
    await at.db.updateTable('payout_request').set(signed).where('public_id', '=', next).execute()
    expect(await approve(next)).toBe('PAYOUTS_STOPPED')
    expect((await byLink(linkOf(next))).body.data.stopped).toBe(true)
    const guard = (await at.call('GET', '/withdrawals/guard', { token: payer.token })).body.data
    expect(guard).toMatchObject({ held: { until: null }, addresses: [{ id: entry, usableFrom: null }] })
    expect((await byLink(linkOf(robbed), 'stop')).body).toMatchObject({ data: { returned: false } })
    await sound()
    await resetPassword(payer)
    expect(await approve(next)).toBe('PAYOUT_UNCONFIRMED')
    const own = await filed(payer)
    await confirm(payer, own, { password: 'quiet-lantern-58' })
    expect(await approve(own)).toBe('PAYOUT_HELD')
    at.clock.advance(24 * HOUR)
    expect(await approve(own)).toBe('approved')
  })

  it('removes an address from the book and stops payouts', async () => {
    const payer = await member()
    const { id } = (await post(payer, '/withdrawals/addresses', { address: OTHER, ...PASSWORD })).body.data
    expect((await byLink(linkOf(id, 'address'))).body.data).toMatchObject({ about: 'address', state: 'confirmed', address: OTHER })
    expect((await byLink(linkOf(id, 'address'), 'stop')).status).toBe(200)
    expect((await byLink(linkOf(id, 'address'))).body.data).toMatchObject({ state: 'removed', stopped: true })
    expect((await byLink(linkOf(id, 'address'), 'stop')).status).toBe(200)
  })
})

describe('stop of all payouts', () => {
  const ways: Record<string, (payer: Payer, requestId: string, addressId: string) => Promise<TestReply>> = {
    'link of a payout': (_, requestId) => byLink(linkOf(requestId), 'stop'),
    'link of an address': (_, __, addressId) => byLink(linkOf(addressId, 'address'), 'stop'),
    'link mailed before a change of address': async (payer) => {
      expect((await post(payer, '/profile/email', { email: `thief-${payer.id}@gmail.com`, ...PASSWORD })).status).toBe(200)
      const tokens = (await mailsTo(payer)).flatMap(({ text }) => /email-change#stop:([\w-]+)/.exec(text)?.[1] ?? [])
      return at.call('POST', '/auth/email/stop', { token: tokens.at(-1) ?? '' })
    },
  }

  it.each(Object.keys(ways))('by the %s revokes confirmations, first approvals and addresses for good', async (way) => {
    const payer = await member()
    const { id: entry } = (await post(payer, '/withdrawals/addresses', { address: OTHER, ...PASSWORD })).body.data
    const [once, also] = [await filed(payer), await filed(payer)]
    for (const id of [once, also]) await confirm(payer, id)
    expect(await approve(also, byTwo)).toBe('waits-for-second')
    expect((await ways[way]?.(payer, once, entry))?.status).toBe(200)
    expect(await row(also)).toMatchObject({ confirmed_at: null, first_approved_by: null })
    const addresses = at.db.selectFrom('payout_address').select(['confirmed_at', 'usable_from']).where('public_id', '=', entry)
    expect(await addresses.execute()).toEqual([{ confirmed_at: null, usable_from: null }])
    const log = at.db.selectFrom('audit_event').select('reason').where('subject_id', '=', also).where('action', 'like', 'staff.request.%')
    expect(await log.where('actor_role', '=', 'SYSTEM').execute()).toEqual([{ reason: 'The member stopped it' }])
    expect((await at.call('GET', '/withdrawals/guard', { token: payer.token })).status).toBe(401)
    await resetPassword(payer)
    expect(await approve(also, byOne, second)).toBe('PAYOUT_UNCONFIRMED')
    await at.runJobs()
    expect(await usdOf(payer)).toBe(u('1000'))
    await sound()
  })
})

describe('daily outflow', () => {
  const limits = (changes: Parameters<typeof applySettings>[2]['changes']) =>
    decide((tx) => applySettings(tx, at.deps, { changes, actorId: null, reason: 'test' }))

  it('is limited per member for any number of parallel calls, without returned amounts', async () => {
    await limits({ payoutDayUsd: 300n * ONE })
    const payer = await member()
    const replies = await Promise.all(Array.from({ length: 8 }, () => withdraw(payer, 60)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(5)
    expect(replies.find((reply) => reply.status === 400)?.body.message).toBe('At most 300 can be paid out within 24 hours')
    expect(await usdOf(payer)).toBe(u('700'))
    const first = replies.find((reply) => reply.status === 200)
    if (first !== undefined) await post(payer, `/withdrawals/requests/${idOf(first)}/cancel`)
    expect((await withdraw(payer, 60.01)).status).toBe(400)
    expect((await withdraw(payer, 60)).status).toBe(200)
    expect((await withdraw(await member(), 300.01)).status).toBe(400)
    await limits({ payoutDayUsd: 50_000n * ONE })
  })

  it('is rejected for the balance before a limit, also behind another one in its batch', async () => {
    await limits({ payoutDayUsd: 300n * ONE, payoutDayCoin: 300n * ONE })
    const payer = await member()
    const limit = 'At most 300 can be paid out within 24 hours'
    const messageOf = async (reply: ReturnType<typeof withdraw>) => (await reply).body.message
    expect(await messageOf(withdraw(payer, 1000.01))).toBe('Insufficient balance')
    expect(await messageOf(withdraw(payer, 1000))).toBe(limit)
    expect(await messageOf(bridge(payer, 1000.01))).toBe('Insufficient balance')
    expect(await messageOf(bridge(payer, 1000))).toBe(limit)
    const batch = await decide((tx) =>
      requestWithdrawals(
        tx,
        at.deps,
        [u('200'), u('801'), u('800')].map((amount) => ({ memberId: payer.id, amount, address: ADDRESS })),
      ),
    )
    expect(batch.map((one) => ('code' in one ? one.code : 'filed'))).toEqual(['filed', 'INSUFFICIENT_BALANCE', 'PAYOUT_DAY_LIMIT'])
    expect(await usdOf(payer)).toBe(u('800'))
    await limits({ payoutDayCount: 1 })
    expect(await messageOf(withdraw(payer, 801))).toBe('Insufficient balance')
    expect(await messageOf(withdraw(payer, 10))).toBe('At most 1 payouts can be requested within 24 hours')
    await limits({ payoutDayUsd: 50_000n * ONE, payoutDayCoin: 5_000_000n * ONE, payoutDayCount: 20 })
  })

  it('is limited in number per member for both kinds, for any number of parallel calls, returned ones included', async () => {
    await limits({ payoutDayCount: 4 })
    const payer = await member()
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? withdraw(payer, 10) : bridge(payer, 10))))
    const accepted = replies.filter((reply) => reply.status === 200)
    expect(accepted).toHaveLength(4)
    const refused = replies.filter((reply) => reply.status === 400)
    expect(new Set(refused.map((reply) => reply.body.message))).toEqual(new Set(['At most 4 payouts can be requested within 24 hours']))
    for (const reply of accepted) await post(payer, `/withdrawals/requests/${idOf(reply)}/cancel`)
    expect([await usdOf(payer), (await withdraw(payer, 10)).status]).toEqual([u('1000'), 400])
    expect((await withdraw(await member(), 10)).status).toBe(200)
    at.clock.advance(24 * HOUR)
    expect((await withdraw({ ...payer, token: (await at.signIn(payer.id)).token }, 10)).status).toBe(200)
    await limits({ payoutDayCount: 20 })
  })

  it('is limited in total at approval, and continues when the day is over', async () => {
    at.clock.advance(24 * HOUR)
    const payers = await Promise.all([member(), member(), member()])
    const ids = await Promise.all(payers.map((payer) => filed(payer)))
    for (const [index, payer] of payers.entries()) await confirm(payer, ids[index] ?? '')
    await limits({ payoutDayTotalUsd: 200n * ONE })
    const [one = '', two = '', three = ''] = ids
    expect([await approve(one), await approve(two), await approve(three)]).toEqual(['approved', 'approved', 'PAYOUT_DAY_LIMIT'])
    at.clock.advance(24 * HOUR)
    expect(await approve(three)).toBe('approved')
    await limits({ payoutDayTotalUsd: 250_000n * ONE })
    await sound()
  })
})

it('is not returned without its status, or by staff who decided it', async () => {
  const payer = await member()
  const id = await filed(payer)
  const set = (facts: object) => at.db.updateTable('payout_request').set(facts).where('public_id', '=', id).execute()
  await expect(set({ return_reason: 'cancelled' })).rejects.toThrow(/check/)
  await confirm(payer, id)
  expect(await approve(id)).toBe('approved')
  await expect(set({ status: 'REJECTED', return_reason: 'cancelled' })).rejects.toThrow(/check/)
})
