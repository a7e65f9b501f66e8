import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp, type TestReply } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund, TEST_PASSWORD, type TestMember } from '../../../test/members.ts'
import { rejectionsOf } from '../../../test/rejections.ts'
import { encryptedMails } from '../../gateways/mailer/index.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../ledger/index.ts'
import { decrypt } from '../../platform/crypto/encrypt.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { authRoutes } from '../auth/index.ts'
import { freezePayouts, setPayoutStop } from '../members/index.ts'
import { applySettings } from '../settings/index.ts'
import { auditChecks as payoutChecks, withdrawalRoutes, withdrawalJobs, stopAndAuditPayouts } from '../withdrawals/index.ts'
import { sendPayoutNotifications } from '../withdrawals/notify-member.ts'
import { auditChecks, transferRoutes } from './index.ts'
import { sendToMember } from './send-to-member.ts'

const HOUR = 3_600_000
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const STOPPED = 'The member has stopped all payouts. They resume after the member resets their password by email'
const WAITS = 'Please confirm this transfer with the link that we mailed you'
const SENT = 'Successfully transferred'

let at: TestApp
beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, {
    routes: (bind) => {
      authRoutes(bind, stopAndAuditPayouts)
      transferRoutes(bind)
      withdrawalRoutes(bind)
    },
    jobs: withdrawalJobs,
  })
})

type Person = TestMember & { token: string }
async function person(usd = 10_000): Promise<Person> {
  const member = await createTestMember(at.db)
  if (usd > 0) await fund(at.db, member.id, 'depositWallet', BigInt(usd) * ONE)
  return { ...member, token: (await at.signIn(member.id)).token }
}
const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(at.db, work)
const send = (from: { token: string }, to: TestMember, amount: number, more: object = {}) =>
  at.call('POST', '/usd-transfer/user-to-user-deposit', { token: from.token, body: { amount, email: to.email, ...more } })
const confirm = (who: { token: string }, id: string, proof: object = { password: TEST_PASSWORD }) =>
  at.call('POST', `/withdrawals/requests/${id}/confirm`, { token: who.token, body: proof })
const cancel = (who: { token: string }, id: string) => at.call('POST', `/withdrawals/requests/${id}/cancel`, { token: who.token, body: {} })
const usdOf = async (who: TestMember): Promise<Units> => (await balancesOf(at.db, who.id)).depositWallet
const messageOf = (reply: TestReply) => reply.body.message
const waiting = async (who: { token: string }) => (await at.call('GET', '/withdrawals/guard', { token: who.token })).body.data.transfers
const byLink = (token: string, what?: 'confirm' | 'stop') =>
  at.call(what === undefined ? 'GET' : 'POST', `/withdrawals/link${what === undefined ? '' : `/${what}`}`, { token })

async function mailsTo(who: TestMember): Promise<{ subject: string; text: string }[]> {
  await inTx((tx) => sendPayoutNotifications(tx, at.deps))
  const rows = await at.db.selectFrom('mail_outbox').select('encrypted').where('recipient', '=', who.email).orderBy('id').execute()
  return rows.map(({ encrypted }) =>
    JSON.parse(decrypt(at.deps.config, encryptedMails.purpose, encrypted ?? Buffer.alloc(0), who.email) ?? '{}'),
  )
}
const linkIn = (mail: { text: string } | undefined) => decodeURIComponent(/https?:\/\/\S+\/payout#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '')
const sound = async () =>
  expect((await runAudit(at.db, [...auditChecks, ...payoutChecks])).filter((result) => result.broken > 0)).toEqual([])

describe('transfer to another member', () => {
  it('counts each of many small transfers for 24 hours, in a short row', async () => {
    const [ann, bob] = [await person(), await person(0)]
    for (let turn = 0; turn < 99; turn += 1) {
      const sent = await inTx((tx) => sendToMember(tx, at.deps, { senderId: ann.id, amount: ONE, email: bob.email }))
      expect(sent.waiting).toBeUndefined()
      at.clock.advance(60_000)
    }
    const { rows } = await sql<{ minutes: number; sum: Units }>`select cardinality(times) as minutes,
      (select sum(a)::bigint from unnest(amounts) a) as sum from unconfirmed_transfer where member_id = ${ann.id}`.execute(at.db)
    expect(rows).toEqual([{ minutes: expect.toSatisfy((minutes: number) => minutes <= 60), sum: 99n * ONE }])
    const again = async () => messageOf(await send({ token: (await at.signIn(ann.id)).token }, bob, 5))
    expect(await again()).toBe(WAITS)
    at.clock.advance(24 * HOUR - 60_000 - 1)
    expect(await again()).toBe(SENT)
    await sound()
  })

  it('[MF-09] is posted at once up to the small sum of 24 hours and held above it', async () => {
    const [ann, bob] = [await person(), await person(0)]
    expect(messageOf(await send(ann, bob, 60))).toBe(SENT)
    expect(messageOf(await send(ann, bob, 40))).toBe(SENT)
    const held = await send(ann, bob, 5)
    expect(held.body).toMatchObject({ statusCode: 200, message: WAITS })
    expect([await usdOf(ann), await usdOf(bob)]).toEqual([9_895n * ONE, 100n * ONE])
    expect(await waiting(ann)).toMatchObject([{ id: held.body.data.request, amount: 5, email: bob.email }])
    at.clock.advance(24 * HOUR - 1)
    expect(messageOf(await send({ token: (await at.signIn(ann.id)).token }, bob, 5))).toBe(WAITS)
    at.clock.advance(1)
    expect(messageOf(await send({ token: (await at.signIn(ann.id)).token }, bob, 100))).toBe(SENT)
    await sound()
  })

  it('is posted once when the sender confirms it by the mailed link, which names the receiver', async () => {
    const [ann, bob] = [await person(), await person(0)]
    await send(ann, bob, 500)
    const [mail] = await mailsTo(ann)
    expect(mail?.subject).toBe('Tizara: please confirm a transfer')
    expect(mail?.text).toContain(`A transfer of 500.00 USD to ${bob.email} was requested`)
    expect(mail?.text).toMatch(/^Receiver: T\. \d\.$/m)
    const token = linkIn(mail)
    expect((await byLink(token)).body.data).toMatchObject({ about: 'transfer', state: 'waiting', address: bob.email, amount: 500 })
    const clicks = await Promise.all(Array.from({ length: 5 }, () => byLink(token, 'confirm')))
    expect(clicks.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect([await usdOf(ann), await usdOf(bob)]).toEqual([9_500n * ONE, 500n * ONE])
    expect((await mailsTo(ann)).at(-1)).toMatchObject({
      subject: 'Tizara: a transfer was sent',
      text: expect.stringMatching(/This transfer can no longer be stopped\.[^]*Receiver: T\. \d\./),
    })
    await sound()
  })

  it('is confirmed, cancelled or returned only once and only by its sender', async () => {
    const [ann, bob, eve] = [await person(), await person(0), await person()]
    const ids = await Promise.all([send(ann, bob, 200), send(ann, bob, 300), send(ann, bob, 400)])
    const [one, two, three] = ids.map((reply) => String(reply.body.data.request))
    expect((await confirm(eve, one ?? '')).status).toBe(404)
    expect((await cancel(eve, one ?? '')).status).toBe(404)
    expect((await confirm(ann, one ?? '')).status).toBe(200)
    expect((await cancel(ann, one ?? '')).status).toBe(400)
    expect((await cancel(ann, two ?? '')).status).toBe(200)
    expect((await confirm(ann, two ?? '')).status).toBe(400)
    at.clock.advance(24 * HOUR)
    await at.runJobs()
    const again = { token: (await at.signIn(ann.id)).token }
    expect((await confirm(again, three ?? '')).status).toBe(400)
    expect([await usdOf(ann), await usdOf(bob)]).toEqual([9_800n * ONE, 200n * ONE])
    expect(await waiting(again)).toEqual([])
    await sound()
  })

  it('is posted at once with a proof of exactly this transfer, once', async () => {
    const [ann, bob, eve] = [await person(), await person(0), await person(0)]
    const prove = (address: string) =>
      at.call('POST', '/withdrawals/step-up', {
        token: ann.token,
        body: { kind: 'transfer', amount: 700, address, password: TEST_PASSWORD },
      })
    const { stepUp } = (await prove(bob.email)).body.data
    expect((await send(ann, eve, 700, { stepUp })).status).toBe(400)
    expect((await send(ann, bob, 701, { stepUp })).status).toBe(400)
    expect(messageOf(await send(ann, bob, 700, { stepUp }))).toBe(SENT)
    expect((await send(ann, bob, 700, { stepUp })).status).toBe(400)
    expect([await usdOf(ann), await usdOf(bob), await usdOf(eve)]).toEqual([9_300n * ONE, 700n * ONE, 0n])
    expect(await rejectionsOf(at.db, ann)).toEqual(['payout.request STEP_UP_REFUSED'])
    await sound()
  })

  it.each([{ is_active: false }, { role: 'SUPPORT' as const }])(
    'is not posted when its receiver became %o before the confirmation',
    async (change) => {
      const [ann, bob] = [await person(), await person(0)]
      const id = String((await send(ann, bob, 500)).body.data.request)
      await at.db.updateTable('member').set(change).where('id', '=', bob.id).execute()
      expect((await confirm(ann, id)).status).toBe(400)
      expect((await cancel(ann, id)).status).toBe(200)
      expect([await usdOf(ann), await usdOf(bob)]).toEqual([10_000n * ONE, 0n])
    },
  )

  it('[I7] is not posted when its receiver or amount was changed in the database', async () => {
    const [ann, bob, eve] = [await person(), await person(0), await person(0)]
    const id = String((await send(ann, bob, 500)).body.data.request)
    const set = (change: object) => at.db.updateTable('payout_request').set(change).where('public_id', '=', id).execute()
    await set({ receiver_id: eve.id })
    expect(messageOf(await confirm(ann, id))).toMatch(/^Integrity check failed/)
    await set({ receiver_id: bob.id, amount: 400n * ONE, received: 400n * ONE })
    expect(messageOf(await confirm(ann, id))).toMatch(/^Integrity check failed/)
    expect([await usdOf(bob), await usdOf(eve)]).toEqual([0n, 0n])
    expect(await rejectionsOf(at.db, ann)).toEqual(['payout.confirm PAYOUT_CHANGED'])
    await set({ amount: 500n * ONE, received: 500n * ONE })
    expect((await confirm(ann, id)).status).toBe(200)
  })

  it('counts towards the daily limit together with payouts', async () => {
    const limit = (payoutDayUsd: Units) =>
      inTx((tx) => applySettings(tx, at.deps, { changes: { payoutDayUsd }, actorId: null, reason: 'test' }))
    await limit(1_000n * ONE)
    const [ann, bob] = [await person(), await person(0)]
    const withdraw = (amount: number) =>
      at.call('POST', '/deposit-wallet/transfer-deposit-wallet', { token: ann.token, body: { amount, address: ADDRESS } })
    expect((await send(ann, bob, 100)).status).toBe(200)
    expect((await send(ann, bob, 500)).status).toBe(200)
    expect(messageOf(await withdraw(401))).toBe('At most 1000 can be paid out within 24 hours')
    expect((await withdraw(400)).status).toBe(200)
    expect(messageOf(await send(ann, bob, 5))).toBe('At most 1000 can be paid out within 24 hours')
    expect(await rejectionsOf(at.db, ann)).toEqual(['payout.request PAYOUT_DAY_LIMIT'])
    await limit(50_000n * ONE)
  })
})

describe('thief with a stolen password', () => {
  /** Returns the accomplice's final balance after all attempts. */
  const stolen = async (accomplice: TestMember) => (await usdOf(accomplice)) / ONE

  it('sends nothing to an accomplice after the owner stopped payouts, in one sum or in parts', async () => {
    const [owner, accomplice] = [await person(24_000), await person(0)]
    const id = String((await send(owner, accomplice, 500)).body.data.request)
    const [mail] = await mailsTo(owner)
    const { stepUp } = (
      await at.call('POST', '/withdrawals/step-up', {
        token: owner.token,
        body: { kind: 'transfer', amount: 900, address: accomplice.email, password: TEST_PASSWORD },
      })
    ).body.data
    expect((await byLink(linkIn(mail), 'stop')).body.data).toEqual({ returned: true })
    const thief = { token: (await at.signIn(owner.id)).token }
    const replies = [
      await send(thief, accomplice, 10_000),
      ...(await Promise.all(Array.from({ length: 20 }, () => send(thief, accomplice, 5)))),
      await send(thief, accomplice, 900, { stepUp }),
      await at.call('POST', '/withdrawals/step-up', {
        token: thief.token,
        body: { kind: 'transfer', amount: 900, address: accomplice.email, password: TEST_PASSWORD },
      }),
    ]
    expect(new Set(replies.map(messageOf))).toEqual(new Set([STOPPED]))
    expect((await confirm(thief, id)).status).toBe(400)
    expect((await byLink(linkIn(mail), 'confirm')).status).toBe(400)
    expect([await stolen(accomplice), await usdOf(owner)]).toEqual([0n, 24_000n * ONE])
  })

  it('gets at most the small sum of 24 hours, from several sessions, in one batch and around midnight', async () => {
    const [owner, accomplice] = [await person(24_000), await person(0)]
    const next = new Date(at.clock.now())
    next.setUTCHours(24, 0, 0, 0)
    at.clock.advance(next.getTime() - at.clock.now().getTime() - 60_000)
    const signedIn = async () => Promise.all(Array.from({ length: 4 }, async () => at.signIn(owner.id)))
    for (const minutes of [0, 2, 60, 22 * 60]) {
      at.clock.advance(minutes * 60_000)
      const sessions = await signedIn()
      const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => send(sessions[index % 4] ?? owner, accomplice, 30)))
      expect(replies.every((reply) => reply.status === 200 || reply.status === 400)).toBe(true)
    }
    expect(await stolen(accomplice)).toBe(90n)
    await sound()
    expect((await runAudit(at.db, ledgerChecks)).filter((result) => result.broken > 0)).toEqual([])
  })

  it('cannot transfer during a freeze after a new password or second factor', async () => {
    for (const cause of ['password', 'second-factor'] as const) {
      const [owner, accomplice] = [await person(), await person(0)]
      const id = String((await send(owner, accomplice, 500)).body.data.request)
      await inTx((tx) => freezePayouts(tx, { id: owner.id, at: at.clock.now(), until: new Date(at.clock.now().getTime() + HOUR), cause }))
      for (const reply of [await send(owner, accomplice, 5), await send(owner, accomplice, 500), await confirm(owner, id)])
        expect(messageOf(reply)).toMatch(/^The security settings of this account changed recently/)
      at.clock.advance(HOUR)
      expect((await confirm({ token: (await at.signIn(owner.id)).token }, id)).status).toBe(200)
      expect(await stolen(accomplice)).toBe(500n)
      expect(await rejectionsOf(at.db, owner)).toEqual(['payout.request PAYOUT_HELD', 'payout.confirm PAYOUT_HELD'])
    }
  })

  it('cannot confirm a transfer by password on a new device; the mailed link and a trusted device can', async () => {
    const [owner, accomplice] = [await person(), await person(0)]
    const [first, second] = [await send(owner, accomplice, 500), await send(owner, accomplice, 300)].map((reply) =>
      String(reply.body.data.request),
    )
    const thief = await at.signIn(owner.id, { newDevice: true })
    const body = { kind: 'transfer', amount: 900, address: accomplice.email, password: TEST_PASSWORD }
    for (const reply of [await confirm(thief, first ?? ''), await at.call('POST', '/withdrawals/step-up', { token: thief.token, body })])
      expect(messageOf(reply)).toMatch(/^On a new device your password is not enough/)
    expect(await stolen(accomplice)).toBe(0n)
    expect(await rejectionsOf(at.db, owner)).toEqual(['auth.step-up DEVICE_NOT_TRUSTED'])
    expect((await byLink(linkIn((await mailsTo(owner))[0]), 'confirm')).status).toBe(200)
    expect((await confirm(owner, second ?? '')).status).toBe(200)
    expect(await stolen(accomplice)).toBe(800n)
  })

  it('cannot win a race against the stop: each transfer is covered by it or rejected', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner, accomplice] = [await person(), await person(0)]
      const [replies] = await Promise.all([
        Promise.all(Array.from({ length: 10 }, () => send(owner, accomplice, 10))),
        inTx((tx) => setPayoutStop(tx, owner.id, at.clock.now())),
      ])
      const passed = replies.filter((reply) => messageOf(reply) === SENT).length
      expect(await stolen(accomplice)).toBe(BigInt(passed * 10))
      expect(messageOf(await send(owner, accomplice, 5))).toBe(STOPPED)
      expect(await rejectionsOf(at.db, owner)).toEqual(['payout.request PAYOUTS_STOPPED'])
    }
  })
})
