import { randomUUID } from 'node:crypto'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ApiProcess, startApiProcess } from '../../../test/api-process.ts'
import { type TestApp, testApp, type TestReply } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, FREE_TRANSFERS, fund, type TestMember } from '../../../test/members.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../ledger/index.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { applySettings } from '../settings/index.ts'
import { transferRoutes } from './index.ts'
import { listPayees } from './payees.ts'
import { rejectUnknown } from './unknown-receivers.ts'

const database = await testDatabase()
const { db } = database
let app: TestApp
beforeAll(async () => {
  app = await testApp(db, { routes: (bind) => transferRoutes(bind) })
  await inTransaction(db, (tx) => applySettings(tx, app.deps, { changes: FREE_TRANSFERS, actorId: null, reason: 'test' }))
})

interface Person extends TestMember {
  token: string
}
async function person(usd: number): Promise<Person> {
  const member = await createTestMember(db)
  if (usd > 0) await fund(db, member.id, 'depositWallet', BigInt(usd) * ONE)
  return { ...member, token: (await app.signIn(member.id)).token }
}
/** Sends USD. Repeats a call with its key a few times if a busy machine refuses it, like our clients. */
async function send(
  from: { token: string },
  to: { email: string },
  amount: number,
  key: string = randomUUID(),
  repeats = 5,
): Promise<TestReply> {
  const call = { token: from.token, body: { amount, email: to.email }, key }
  const reply = await app.call('POST', '/usd-transfer/user-to-user-deposit', call)
  return reply.status === 503 && repeats > 0 ? send(from, to, amount, key, repeats - 1) : reply
}
const usdOf = async (member: { id: bigint }) => (await balancesOf(db, member.id)).depositWallet
const broken = async () => (await runAudit(db, ledgerChecks)).filter((result) => result.broken > 0).map((result) => result.check.title)
const countMoves = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ledger_transfer where kind = 'userToUser'`.execute(db)
  return rows[0]?.n ?? 0
}
const statusAndMessage = (reply: TestReply) => [reply.status, reply.body.message]

describe('POST /usd-transfer/user-to-user-deposit', () => {
  it('[MF-09] [API-41] moves USD from deposit wallet to deposit wallet, 1:1 and without fee', async () => {
    const [ann, bob] = [await person(100), await person(0)]
    const reply = await send(ann, { email: ` ${bob.email.toUpperCase()} ` }, 30.25)
    expect(statusAndMessage(reply)).toEqual([200, 'Successfully transferred'])
    expect(await usdOf(ann)).toBe(69_75000000n)
    expect(await usdOf(bob)).toBe(30_25000000n)
    const { rows } = await sql<{ kind: string; cause_type: string; cause_id: string }>`
      select kind, cause_type, cause_id from ledger_transfer where id = ${BigInt(reply.body.data.receipt.id)}`.execute(db)
    expect(rows).toEqual([{ kind: 'userToUser', cause_type: 'member', cause_id: String(bob.id) }])
  })

  it('[VA-56] rejects the sender, unknown, unverified and blocked receivers, and more than the balance', async () => {
    const [ann, bob] = [await person(100), await person(0)]
    const [fresh, blocked] = [await createTestMember(db, { verified: false }), await createTestMember(db, { active: false })]
    const unknownReceiver = { email: 'nobody@gmail.com' }
    const replies = await Promise.all([unknownReceiver, fresh, blocked, ann].map((to) => send(ann, to, 10)))
    expect(replies.map((reply) => reply.status)).toEqual([400, 400, 400, 400])
    expect(new Set(replies.slice(0, 3).map((reply) => reply.text)).size).toBe(1)
    expect(replies[3]?.body.message).not.toBe(replies[0]?.body.message)
    expect(statusAndMessage(await send(ann, bob, 100.01))).toEqual([400, 'Insufficient balance'])
    expect(await usdOf(ann)).toBe(100n * ONE)
  })

  it('[VA-52] [VA-53] [VA-54] rejects less than 5, more than 10000, and a missing address', async () => {
    const [ann, bob] = [await person(20_000), await person(0)]
    expect((await send(ann, bob, 4.99)).status).toBe(400)
    expect((await send(ann, bob, 10_000.01)).status).toBe(400)
    expect((await send(ann, { email: '' }, 10)).status).toBe(400)
    expect((await send(ann, bob, 5)).status).toBe(200)
    expect((await send(ann, bob, 10_000)).status).toBe(200)
  })

  it('[I14] rejects the next call after the session ended', async () => {
    const [ann, bob] = [await person(100), await person(0)]
    expect((await send(ann, bob, 10)).status).toBe(200)
    await sql`update session set ended_at = now(), end_reason = 'log-out' where member_id = ${ann.id}`.execute(db)
    expect((await send(ann, bob, 10)).status).toBe(401)
    const cleo = await person(100)
    await sql`update member set is_active = false where id = ${cleo.id}`.execute(db)
    expect((await send(cleo, bob, 10)).status).toBe(401)
    expect(await usdOf(bob)).toBe(10n * ONE)
  })
})

describe('POST /usd-transfer/receiver', () => {
  const callOn = (on: TestApp, url: string) => (from: { token: string }, to: { email: string }, amount: number) =>
    on.call('POST', url, { token: from.token, body: { amount, email: to.email } })
  const findOn = (on: TestApp) => callOn(on, '/usd-transfer/receiver')
  const sendOn = (on: TestApp) => callOn(on, '/usd-transfer/user-to-user-deposit')
  const find = (from: { token: string }, to: { email: string }, amount: number) => findOn(app)(from, to, amount)
  /** The same platform with the limits of production. */
  const strictApp = () => testApp(db, { clock: app.clock, routes: (bind) => transferRoutes(bind), env: { RATE_LIMIT_SCALE: '1' } })
  const named = (name: string) => createTestMember(db, { name })

  it('shows the initials of the receiver to a sender who has the amount, and nothing else', async () => {
    const ann = await person(100)
    const reply = await find(ann, await named('Lena Maria Hofer'), 30)
    expect([reply.status, reply.body.data]).toEqual([200, { initials: 'L. H.' }])
    expect((await find(ann, await named('Öykü'), 30)).body.data).toEqual({ initials: 'Ö.' })
    expect(await usdOf(ann)).toBe(100n * ONE)
  })

  it('rejects like the transfer itself', async () => {
    const [ann, bob] = [await person(100), await person(0)]
    const [fresh, blocked] = [await createTestMember(db, { verified: false }), await createTestMember(db, { active: false })]
    for (const to of [{ email: 'nobody@gmail.com' }, fresh, blocked, ann]) {
      expect(statusAndMessage(await find(ann, to, 10))).toEqual(statusAndMessage(await send(ann, to, 10)))
    }
    for (const to of [bob, { email: 'nobody@gmail.com' }])
      expect(statusAndMessage(await find(ann, to, 100.01))).toEqual([400, 'Insufficient balance'])
    for (const amount of [4.99, 10_000.01]) expect((await find(ann, bob, amount)).status).toBe(400)
  })

  it('counts unknown receivers together with transfers, and keeps the count of a rejected call', async () => {
    const [ann, bob] = [await person(100), await person(0)]
    const strict = await strictApp()
    const [findStrict, sendStrict] = [findOn(strict), sendOn(strict)]
    const guess = (index: number) => ({ email: `guess-${index}@gmail.com` })
    for (let index = 0; index < 3; index += 1) expect((await findStrict(ann, guess(index), 10)).status).toBe(400)
    for (let index = 3; index < 5; index += 1) expect((await sendStrict(ann, guess(index), 10)).status).toBe(400)
    expect((await findStrict(ann, guess(5), 10)).status).toBe(429)
    expect((await findStrict(ann, bob, 10)).status).toBe(429)
    expect((await sendStrict(ann, bob, 10)).status).toBe(429)
  })

  it('shows 30 different receivers a day, one of them as often as wanted, and never stops a transfer', async () => {
    const ann = await person(1000)
    const strict = await strictApp()
    const [findStrict, sendStrict] = [findOn(strict), sendOn(strict)]
    const people = await Promise.all(Array.from({ length: 31 }, () => createTestMember(db)))
    const [first, last] = [people[0], people[30]]
    if (first === undefined || last === undefined) throw new Error('no people')
    for (const to of people.slice(0, 30)) expect((await findStrict(ann, to, 10)).status).toBe(200)
    expect((await findStrict(ann, last, 10)).status).toBe(429)
    expect((await findStrict(ann, first, 10)).status).toBe(200)
    expect((await sendStrict(ann, last, 10)).status).toBe(200)
  })
})

describe('parallel calls', () => {
  it('[I1] [I4] accept one of 24 spends of 80 from 100', async () => {
    const [ann, bob] = [await person(100), await person(0)]
    const replies = await Promise.all(Array.from({ length: 24 }, (_, index) => send(ann, bob, 80, `spend-${index}`)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.body.message === 'Insufficient balance')).toHaveLength(23)
    expect([await usdOf(ann), await usdOf(bob)]).toEqual([20n * ONE, 80n * ONE])
    const again = await Promise.all(Array.from({ length: 24 }, (_, index) => send(ann, bob, 80, `spend-${index}`)))
    expect(again.map((reply) => reply.text)).toEqual(replies.map((reply) => reply.text))
  })

  it('[I4] [I5] match an independent account book over 200 mixed calls', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => person(1000)))
    const poor = await person(0)
    const at = (index: number): Person => people[index % people.length] ?? poor
    // Every fifth call repeats the previous key and body. The others are fresh, and some are refused.
    const plans = Array.from({ length: 200 }, (_, index) => {
      const position = index % 5 === 4 ? index - 1 : index
      const [from, to, amount] = [at(position), at(position + 1 + (position % 3)), 5 + (position % 7)]
      const plan = { from, to, amount, key: `mixed-${position}`, expected: 'Successfully transferred' }
      if (position % 10 === 0) return { ...plan, to: from, expected: 'self' }
      if (position % 10 === 1) return { ...plan, to: { ...to, email: 'nobody@gmail.com' }, expected: 'unknown' }
      if (position % 10 === 2) return { ...plan, from: poor, expected: 'Insufficient balance' }
      return plan
    })
    const texts = {
      self: (await send(at(0), at(0), 5)).body.message,
      unknown: (await send(at(0), { email: 'nobody@gmail.com' }, 5)).body.message,
    }
    const before = await countMoves()
    const replies = await Promise.all(plans.map((plan) => send(plan.from, plan.to, plan.amount, plan.key)))

    const book = new Map(people.map((one) => [one.id, 1000n * ONE]))
    const done = new Set<string>()
    const answers = new Map<string, string>()
    plans.forEach((plan, index) => {
      const reply = replies[index]
      // A repeat gets 409 while its first call runs in another batch.
      if (reply?.status === 409) return
      const expected = plan.expected === 'self' ? texts.self : plan.expected === 'unknown' ? texts.unknown : plan.expected
      expect(reply?.body.message).toBe(expected)
      expect(answers.get(plan.key) ?? reply?.text).toBe(reply?.text)
      answers.set(plan.key, reply?.text ?? '')
      if (reply?.status !== 200 || done.has(plan.key)) return
      done.add(plan.key)
      book.set(plan.from.id, (book.get(plan.from.id) ?? 0n) - BigInt(plan.amount) * ONE)
      book.set(plan.to.id, (book.get(plan.to.id) ?? 0n) + BigInt(plan.amount) * ONE)
    })
    expect(answers.size).toBe(160)
    expect(await Promise.all(people.map(usdOf))).toEqual([...book.values()])
    expect(await countMoves()).toBe(before + done.size)
    expect(await broken()).toEqual([])
  })

  it('[I4] fail only for a sender whose wallets are missing', async () => {
    const [ann, bob] = [await person(100), await person(0)]
    const odd = await createTestMember(db)
    await sql`alter table ledger_account disable trigger ledger_account_stays`.execute(db)
    await sql`delete from ledger_account where owner_id = ${odd.id}`.execute(db)
    await sql`alter table ledger_account enable always trigger ledger_account_stays`.execute(db)
    const strange = { ...odd, token: (await app.signIn(odd.id)).token }
    const replies = await Promise.all([
      send(ann, bob, 10, 'a'),
      send(strange, bob, 10, 'b'),
      send(ann, bob, 20, 'c'),
      send(ann, odd, 5, 'd'),
    ])
    expect(replies.map((reply) => reply.status)).toEqual([200, 500, 200, 500])
    expect(await usdOf(bob)).toBe(30n * ONE)
  })
})

/** Starts an API process that crashes at a named point, and waits until it responds. */
async function startApi(url: string, faultPoint: string): Promise<ApiProcess> {
  const seconds = Math.round((app.clock.now().getTime() - Date.now()) / 1000)
  await app.db.updateTable('clock_offset').set({ seconds }).execute()
  const started = await startApiProcess({
    ...process.env,
    NODE_ENV: 'development',
    LOG_LEVEL: 'silent',
    DATABASE_URL: url,
    FAULT_POINT: faultPoint,
  })
  onTestFinished(() => void started.child.kill('SIGKILL'))
  return started
}

// Killing a process requires a database server; e2e/crash.spec.ts kills the server with the embedded database.
const { url } = database
if (url !== undefined) {
  describe.each([
    ['before_commit:3', 'nothing of the group is kept'],
    ['after_commit_before_response:3', 'all of the group is kept'],
  ])('[I4] [I5] process that dies at %s', (faultPoint, outcome) => {
    it(`loses and duplicates nothing: ${outcome}`, async () => {
      const people = await Promise.all(Array.from({ length: 6 }, () => person(1000)))
      const transferOf = (index: number) => {
        const [from, to] = [people[index % 6], people[(index + 1) % 6]]
        return { token: from?.token ?? '', email: to?.email ?? '', amount: 5 + index, key: `${faultPoint}-${index}` }
      }
      const running = await startApi(url, faultPoint)
      const pay = (index: number) => {
        const { token, email, amount, key } = transferOf(index)
        return fetch(`${running.url}/api/v1/usd-transfer/user-to-user-deposit`, {
          method: 'POST',
          headers: { authorization: token, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ amount, email }),
        }).then(
          (reply) => (reply.status === 503 ? undefined : reply.text()),
          () => undefined,
        )
      }
      const before = await countMoves()
      const replies: (string | undefined)[] = []
      for (let wave = 0; wave < 4; wave += 1) {
        replies.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => pay(wave * 10 + index)))))
      }
      await running.ended
      const acknowledged = replies.filter((reply) => reply !== undefined).length
      expect(acknowledged).toBeGreaterThan(0)
      expect(acknowledged).toBeLessThan(40)
      const kept = (await countMoves()) - before
      if (faultPoint.startsWith('before')) expect(kept).toBeGreaterThanOrEqual(acknowledged)
      else expect(kept).toBeGreaterThan(acknowledged)

      // The test's own app works on the same database, like the process that is started next.
      const repeats = await Promise.all(
        replies.map(async (_, index) => {
          const { token, email, amount, key } = transferOf(index)
          return (await send({ token }, { email }, amount, key)).text
        }),
      )
      replies.forEach((reply, index) => expect(repeats[index]).toBe(reply ?? repeats[index]))
      expect(repeats.every((reply) => reply?.includes('Successfully transferred'))).toBe(true)
      expect((await countMoves()) - before).toBe(40)
      expect(await broken()).toEqual([])
    })
  })
}

it('[VA-56] count guesses in the order of the senders, so that batches never deadlock', async () => {
  const [low, high] = [await person(50), await person(50)]
  const payments = [high, low].map(({ id: senderId }) => ({ senderId, amount: ONE, email: 'nobody@gmail.com' }))
  await inTransaction(db, (tx) => rejectUnknown(tx, app.deps, payments))
  const keys = [low, high].map(({ id }) => `unknown-receiver-of-day:account:${id}`)
  // Without deletes, the table stores rows in order of insertion.
  const { rows } = await sql<{ key: string }>`select key from rate_limit where key = any (${keys}::text[]) order by ctid`.execute(db)
  expect(rows.map((row) => row.key)).toEqual(keys)
})

describe('GET /usd-transfer/payees', () => {
  const payeesOf = async (of: Person) => (await app.call('GET', '/usd-transfer/payees', { token: of.token })).body.data.data
  const emailsOf = async (of: Person) => ((await payeesOf(of)) as { email: string }[]).map(({ email }) => email)

  it('[MF-09] lists each person once with the newest transfer, newest first', async () => {
    const [ann, bob, cid] = [await person(100), await person(50), await person(0)]
    await send(ann, bob, 5)
    await send(ann, cid, 6)
    await send(ann, bob, 7.5)
    await send(bob, ann, 8)
    expect(await payeesOf(ann)).toEqual([
      { email: bob.email, initials: expect.stringMatching(/^T\. \d\.$/), amount: 7.5, sentAt: expect.any(String) },
      { email: cid.email, initials: expect.stringMatching(/^T\. \d\.$/), amount: 6, sentAt: expect.any(String) },
    ])
    expect(await emailsOf(bob)).toEqual([ann.email])
    expect(await payeesOf(cid)).toEqual([])
  })

  it('leaves out people who can no longer receive money', async () => {
    const [ann, bob, cid] = [await person(100), await person(0), await person(0)]
    await send(ann, bob, 5)
    await send(ann, cid, 6)
    await db.updateTable('member').set({ is_active: false }).where('id', '=', cid.id).execute()
    expect(await emailsOf(ann)).toEqual([bob.email])
  })

  it('lists at most eight people, and none to a visitor', async () => {
    const ann = await person(100)
    const sent: string[] = []
    for (let count = 0; count < 9; count += 1) {
      const receiver = await person(0)
      sent.unshift(receiver.email)
      await send(ann, receiver, 5)
    }
    expect(await emailsOf(ann)).toEqual(sent.slice(0, 8))
    expect((await app.call('GET', '/usd-transfer/payees')).status).toBe(401)
  })

  const name = (of: Person, email: string, text: string) =>
    app.call('POST', '/usd-transfer/payees', { token: of.token, body: { email, name: text } })

  it('[MF-09] keeps a name that only its member sees, also when the transfer is older than the list', async () => {
    const [ann, bob, cid] = [await person(100), await person(50), await person(0)]
    await send(ann, bob, 5)
    await send(ann, cid, 5)
    expect((await name(ann, bob.email, ' My  brother ')).body.message).toBe('Saved')
    await name(ann, cid.email, 'Cid')
    await name(ann, bob.email, 'Bob')
    await name(ann, cid.email, '')
    expect((await payeesOf(ann)).map((row: { name?: string }) => row.name)).toEqual([undefined, 'Bob'])
    expect(JSON.stringify(await payeesOf(bob))).not.toContain('Bob')
    const later = new Date(Date.now() + 400 * 86_400_000)
    expect((await listPayees(db, ann.id, later)).data).toEqual([{ email: bob.email, initials: expect.any(String), name: 'Bob' }])
  })

  it('gives no name to an address without an earlier transfer, whether it has an account or not', async () => {
    const [ann, bob] = [await person(100), await person(50)]
    await send(bob, ann, 5)
    const answers = await Promise.all([bob.email, ann.email, 'nobody.here@gmail.com'].map((email) => name(ann, email, 'Bob')))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`))).toEqual(new Set(['404 Not found']))
    for (const text of ['a\nb', 'a\u202eb', 'x'.repeat(61)]) expect((await name(bob, ann.email, text)).status).toBe(400)
    expect(await db.selectFrom('payee_name').select('name').where('member_id', 'in', [ann.id, bob.id]).execute()).toEqual([])
  })

  it('keeps at most 20 names when two are given at once, and frees the place of a removed one', async () => {
    const ann = await person(200)
    const others = await Promise.all(Array.from({ length: 21 }, () => person(0)))
    for (const other of others) await send(ann, other, 5)
    const row = (other: Person) => ({ member_id: ann.id, receiver_id: other.id, name: 'X', created_at: new Date() })
    await db.insertInto('payee_name').values(others.slice(2).map(row)).execute()
    const [first, second] = others as [Person, Person]
    const [one, two] = await Promise.all([name(ann, first.email, 'One'), name(ann, second.email, 'Two')])
    expect([one.status, two.status].toSorted()).toEqual([200, 400])
    expect([one.body.message, two.body.message]).toContain('You have given names to 20 people, please remove one first')
    await name(ann, (others[5] as Person).email, '')
    expect((await name(ann, one.status === 400 ? first.email : second.email, 'Last')).status).toBe(200)
    expect(await payeesOf(ann)).toHaveLength(20)
  })
})
