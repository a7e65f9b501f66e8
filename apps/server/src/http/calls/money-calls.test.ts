import { coinInput, route } from '@tizara/contract'
import { sql } from 'kysely'
import * as v from 'valibot'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { memberSeven as viewer } from '../../../test/viewer.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { createApp } from '../server/app.ts'
import { answer } from './bind-route.ts'
import type { Viewer } from './session-guard.ts'

const spend = route({
  name: 'testGroupSpend',
  method: 'POST',
  path: '/test-group-spend',
  access: 'member',
  money: true,
  summary: 'Notes an amount.',
  body: v.object({ amount: coinInput }),
  reply: v.object({ amount: v.bigint() }),
  errors: ['INSUFFICIENT_BALANCE'],
})
const single = route({ ...spend, name: 'testSingleSpend', path: '/test-single-spend' })
const limited = route({ ...spend, name: 'testLimited', path: '/test-limited', limited: true })
const free = route({ ...spend, name: 'testFree', path: '/test-free', money: false })

const viewers: Record<string, Viewer> = {
  good: viewer,
  other: { ...viewer, memberId: 8n },
  unverified: { ...viewer, isVerified: false },
  blocked: { ...viewer, isActive: false },
}

/** Amounts with a meaning to the handler. HELD needs a row that a test may lock. */
const HELD = 12
const REFUSED = 13
const BUSY = 14
const POISON = 15
const OUTAGE = 16
const LOSER = 17
const LATE = 18
const FAULT = 19

const units = (whole: number) => BigInt(whole) * 100_000_000n
const database = await testDatabase()
/** Batch sizes seen by the handler, and the number of BUSY answers left. */
let groups: number[] = []
let busy = 0
/** Number of lost races per call, and the refusals reported. */
let loses = 0
let notified: string[] = []

const setup = async () => {
  await sql`create table spent (amount bigint not null)`.execute(database.db)
  await sql`create table held_row as select 1 as id`.execute(database.db)
  // A constraint checked at commit: the call fails together with others in its transaction.
  await sql`create function alone_at_commit() returns trigger language plpgsql as $$ begin
    if (select count(*) from spent where xmin = pg_current_xact_id()::xid) > 1 then raise check_violation; end if; return null; end $$`.execute(
    database.db,
  )
  await sql`create constraint trigger late after insert on spent deferrable initially deferred
    for each row when (new.amount = 1800000000) execute function alone_at_commit()`.execute(database.db)
  const deps = {
    config: readConfig({ NODE_ENV: 'test' }),
    clock: testClock('2026-01-01T00:00:00Z'),
    ids: randomIds,
    log: createLog('silent'),
  }
  const app = await createApp({
    deps,
    db: database.db,
    authenticate: async (_, token) => {
      const found = viewers[token]
      if (token === 'expired') throw new AppError('TOKEN_EXPIRED')
      if (found === undefined) throw new AppError('UNAUTHENTICATED')
      return found
    },
    bindRoutes: (bind) => {
      expect(() => bind.moneyBatch(limited, async () => [])).toThrow("can't be grouped")
      expect(() => bind.money(free, async ({ body }) => answer(body))).toThrow('moves no money')
      expect(() => bind.write(spend, async ({ body }) => answer(body))).toThrow('moves money')
      bind.money(
        single,
        async ({ tx, body: { amount } }) => {
          groups.push(1)
          await sql`insert into spent values (${amount})`.execute(tx)
          if (amount === units(REFUSED)) throw new AppError('INSUFFICIENT_BALANCE')
          if (amount === units(BUSY) && busy-- > 0) throw new AppError('BUSY')
          if (amount === units(POISON)) await sql`select 1 / 0`.execute(tx)
          if (amount === units(LOSER) && loses-- > 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
          return answer({ amount }, 'Spent')
        },
        {
          onRejection: async ({ body }, error) => {
            if (body.amount === units(REFUSED)) notified.push(error.code)
          },
        },
      )
      bind.moneyBatch(spend, async (tx, _, calls) => {
        groups.push(calls.length)
        const amounts = calls.map(({ body }) => body.amount).filter((amount) => amount !== units(REFUSED) && amount !== units(BUSY))
        if (amounts.includes(units(HELD))) await sql`select from held_row for update`.execute(tx)
        await sql`insert into spent select * from unnest(${amounts}::bigint[])`.execute(tx)
        if (amounts.includes(units(POISON))) await sql`select 1 / 0`.execute(tx)
        if (amounts.includes(units(OUTAGE))) throw Object.assign(new Error('the server is going down'), { code: '57P01' })
        return calls.map(({ body: { amount } }) => {
          if (amount === units(REFUSED)) return new AppError('INSUFFICIENT_BALANCE')
          if (amount === units(BUSY) && busy-- > 0) return new AppError('BUSY')
          if (amount === units(FAULT)) return new AppError('INTERNAL')
          return answer({ amount }, 'Spent')
        })
      })
    },
  })
  return app
}

let app: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  app = await setup()
})
beforeEach(() => {
  groups = []
  notified = []
})

const GROUPED = '/test-group-spend'
const SINGLE = '/test-single-spend'
const pay = async (amount: unknown, key?: string, token = 'good', path = GROUPED) => {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    payload: { amount },
    headers: { ...(token === '' ? {} : { authorization: token }), ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
  return { status: reply.statusCode, text: reply.body, body: reply.json<{ message: string }>() }
}
const spent = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from spent`.execute(database.db)
  return rows[0]?.n ?? 0
}
const stored = async (key: string) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from idempotency where key = ${key}`.execute(database.db)
  return rows[0]?.n ?? 0
}

describe('batched calls', () => {
  it('[API-10] share transactions and get separate answers', async () => {
    const before = await spent()
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => pay(100 + index, `together-${index}`)))
    expect(replies.map((reply) => JSON.parse(reply.text))).toEqual(
      Array.from({ length: 40 }, (_, index) => ({ success: true, statusCode: 200, message: 'Spent', data: { amount: 100 + index } })),
    )
    expect(groups.length).toBeLessThan(10)
    expect(await spent()).toBe(before + 40)
  })

  it('are rejected separately, and a rejection is stored under its key', async () => {
    const before = await spent()
    const [first, second, third] = await Promise.all([pay(1, 'mixed-1'), pay(REFUSED, 'mixed-2'), pay(2)])
    expect([first.status, second.status, third.status]).toEqual([200, 400, 200])
    expect(second.body.message).toBe('Insufficient balance')
    expect(await spent()).toBe(before + 2)
    expect((await pay(REFUSED, 'mixed-2')).text).toBe(second.text)
    expect(groups).toHaveLength(1)
  })

  it('[I5] return the first answer for a repeated key, and reject the key for another body', async () => {
    const before = await spent()
    const replies = await Promise.all([pay(3, 'twice'), pay(3, 'twice'), pay(4, 'twice'), pay(3, 'twice', 'other')])
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 400, 200])
    expect(replies[1]?.text).toBe(replies[0]?.text)
    expect(replies[2]?.body.message).toBe('This idempotency key was used for another request')
    expect(await spent()).toBe(before + 2)
    expect((await pay(3, 'twice')).text).toBe(replies[0]?.text)
    expect((await pay(4, 'twice')).status).toBe(400)
    expect(await spent()).toBe(before + 2)
  })

  it('[I5] are compared with the stored body, not with each other', async () => {
    const first = await pay(5, 'measured')
    const replies = await Promise.all([pay(6, 'measured'), pay(5, 'measured')])
    expect(replies.map((reply) => reply.status)).toEqual([400, 200])
    expect(replies[1]?.text).toBe(first.text)
  })

  it('may be retried under their key after "try again"', async () => {
    busy = 1
    expect((await pay(BUSY, 'busy')).status).toBe(503)
    expect(await stored('busy')).toBe(0)
    expect((await pay(BUSY, 'busy')).status).toBe(200)
  })

  it('succeed beside one that fails', async () => {
    const before = await spent()
    const amounts = [1, 2, POISON, 3, 4, 5]
    const replies = await Promise.all(amounts.map((amount, index) => pay(amount, `poison-${index}`)))
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 500, 200, 200, 200])
    expect(replies[2]?.body.message).toBe('Something went wrong')
    expect(await spent()).toBe(before + 5)
    expect(await stored('poison-2')).toBe(0)
    expect(await stored('poison-3')).toBe(1)
  })

  it('are repeated one by one when their common commit fails', async () => {
    const before = await spent()
    const replies = await Promise.all([71, LATE, 72].map((amount) => pay(amount)))
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200])
    expect(groups).toEqual([3, 1, 1, 1])
    expect(await spent()).toBe(before + 3)
  })

  it('store no server error under a key', async () => {
    const replies = await Promise.all([pay(1, 'f-1'), pay(FAULT, 'f-2')])
    expect(replies.map((reply) => reply.status)).toEqual([200, 500])
    expect([await stored('f-1'), await stored('f-2')]).toEqual([1, 0])
  })

  it('are not repeated one by one while the database shuts down', async () => {
    const before = await spent()
    const replies = await Promise.all([pay(1, 'down-1'), pay(OUTAGE, 'down-2'), pay(2, 'down-3')])
    expect(replies.map((reply) => reply.status)).toEqual([503, 503, 503])
    expect(groups).toHaveLength(1)
    expect(await spent()).toBe(before)
    expect((await pay(1, 'down-1')).status).toBe(200)
  })

  it('are all answered within one time limit while a table is locked, and run when it is free', async () => {
    if (database.embedded) return expect((await pay(1, 'free-0')).status).toBe(200)
    const before = await spent()
    const unlocked = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = inTransaction(database.db, async (tx) => {
      await sql`lock table spent in exclusive mode`.execute(tx)
      locked.resolve()
      await unlocked.promise
    })
    await locked.promise
    const calls = Promise.all(Array.from({ length: 40 }, (_, index) => pay(1, `locked-${index}`)))
    // Ten seconds, and something for a busy machine.
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer in time')), 13_000).unref())
    expect(new Set((await Promise.race([calls, late])).map((reply) => reply.status))).toEqual(new Set([503]))
    unlocked.resolve()
    await holder
    expect(await spent()).toBe(before)
    expect((await pay(1, 'locked-0')).status).toBe(200)
  })

  it('are answered while another transaction holds a row that one call of the batch needs', async () => {
    if (database.embedded) return expect((await pay(HELD)).status).toBe(200)
    const unlocked = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = inTransaction(database.db, async (tx) => {
      await sql`select from held_row for update`.execute(tx)
      locked.resolve()
      await unlocked.promise
    })
    await locked.promise
    const [waiting, ...others] = [HELD, 41, 42, 43].map((amount) => pay(amount))
    try {
      // The row stays locked until the others are answered. The call that waits for it may start after them.
      expect((await Promise.all(others)).map((reply) => reply.status)).toEqual([200, 200, 200])
      await expect.poll(() => groups).toEqual([4, 1, 1, 1, 1])
    } finally {
      unlocked.resolve()
      await holder
    }
    expect((await waiting)?.status).toBe(200)
  })

  it('[I5] answer 409 while another transaction holds the key', async () => {
    // The embedded engine has one session: there, nothing runs while a transaction is open.
    const held = database.embedded ? undefined : Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = inTransaction(database.db, async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('7:testGroupSpend:elsewhere', 5))`.execute(tx)
      locked.resolve()
      await held?.promise
    })
    await locked.promise
    const reply = await pay(1, 'elsewhere')
    expect(reply.status).toBe(database.embedded ? 200 : 409)
    held?.resolve()
    await holder
    expect((await pay(1, 'elsewhere')).status).toBe(200)
  })
})

describe('single calls', () => {
  const one = (amount: number, key?: string, token?: string) => pay(amount, key, token, SINGLE)

  it('[I5] are rejected separately: a rejected call changes nothing, and its rejection is stored under its key and reported once', async () => {
    const before = await spent()
    const replies = await Promise.all([one(1, 'o1'), one(REFUSED, 'o2'), one(2, 'o3', 'other'), one(REFUSED)])
    expect(replies.map((reply) => reply.status)).toEqual([200, 400, 200, 400])
    expect((await one(1, 'o1')).text).toBe(replies[0]?.text)
    expect(await spent()).toBe(before + 2)
    expect(notified).toEqual(['INSUFFICIENT_BALANCE', 'INSUFFICIENT_BALANCE'])
    expect((await one(REFUSED, 'o2')).text).toBe(replies[1]?.text)
    expect(notified).toHaveLength(2)
    expect(await stored('o2')).toBe(1)
  })

  it('succeed in a batch with a call that fails or must be retried', async () => {
    busy = 1
    const before = await spent()
    const amounts = [1, POISON, 2, BUSY, 3]
    const replies = await Promise.all(amounts.map((amount, index) => one(amount, `p-${index}`)))
    expect(replies.map((reply) => reply.status)).toEqual([200, 500, 200, 503, 200])
    expect(await spent()).toBe(before + 3)
    expect([await stored('p-1'), await stored('p-3'), await stored('p-4')]).toEqual([0, 0, 1])
    expect((await one(BUSY, 'p-3')).status).toBe(200)
  })

  it.each([1, 3])('are retried after losing to another transaction %i times', async (times) => {
    loses = times
    const before = await spent()
    const replies = await Promise.all([one(20 + times), one(LOSER, `l-${times}`), one(40 + times)])
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200])
    expect(await spent()).toBe(before + 3)
    expect(await stored(`l-${times}`)).toBe(1)
  })
})

describe('session guard', () => {
  it('[API-15] [RO-16] [I14] rejects each call of a batch separately', async () => {
    const before = await spent()
    const tokens = ['good', '', 'dead', 'expired', 'unverified', 'blocked', 'other']
    const replies = await Promise.all(tokens.map((token) => pay(1, undefined, token)))
    expect(replies.map((reply) => reply.status)).toEqual([200, 401, 401, 403, 400, 401, 200])
    expect(await spent()).toBe(before + 2)
  })

  it('runs before the input check', async () => {
    expect((await pay('x', undefined, 'dead')).status).toBe(401)
    expect((await pay('x', undefined, 'good')).status).toBe(400)
    expect((await pay(1, 'sp ace')).status).toBe(400)
    expect(groups).toEqual([])
  })
})
