import { coinInput, route } from '@tizara/contract'
import { sql } from 'kysely'
import * as v from 'valibot'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { answer, type Bind } from './bind-route.ts'

const batchRoute = route({
  name: 'testTogether',
  method: 'POST',
  path: '/test-together',
  access: 'member',
  money: true,
  summary: 'Notes an amount.',
  body: v.object({ amount: coinInput, to: v.optional(v.string()) }),
  reply: v.object({ amount: v.bigint() }),
  errors: ['INSUFFICIENT_BALANCE'],
})
const single = route({ ...batchRoute, name: 'testSingle', path: '/test-single' })

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
let refuse = false
const routes = (bind: Bind) => {
  bind.money(single, async ({ tx, body }) => {
    if (refuse) throw new AppError('INSUFFICIENT_BALANCE')
    await sql`insert into moved values (${body.amount})`.execute(tx)
    return answer({ amount: body.amount })
  })
  bind.moneyBatch(batchRoute, async (tx, _, calls) => {
    if (!refuse) await sql`insert into moved select * from unnest(${calls.map(({ body }) => body.amount)}::bigint[])`.execute(tx)
    return calls.map(({ body }) => (refuse ? new AppError('INSUFFICIENT_BALANCE') : answer({ amount: body.amount })))
  })
}

/** Two processes on one database, and two members. */
let processes: TestApp[] = []
let [mine, others]: string[] = []
beforeAll(async () => {
  await sql`create table moved (amount bigint not null)`.execute(db)
  processes = [await testApp(db, { routes, clock }), await testApp(db, { routes, clock })]
})
beforeEach(async () => {
  refuse = false
  clock.advance(60_000)
  const people = [await createTestMember(db), await createTestMember(db)]
  ;[mine, others] = await Promise.all(people.map(async ({ id }) => (await processes[0]!.signIn(id)).token))
})
const moves = async () => (await sql<{ n: number }>`select count(*)::int as n from moved`.execute(db)).rows[0]?.n ?? 0

describe.each(['/test-together', '/test-single'])('equal calls of %s without a key', (path) => {
  const send = (body: unknown, how: { token?: string | undefined; key?: string | null; at?: number } = {}) =>
    processes[how.at ?? 0]!.call('POST', path, { token: how.token ?? mine, body, key: how.key ?? null })
  const counting = async (work: () => Promise<unknown>) => {
    const before = await moves()
    await work()
    return (await moves()) - before
  }

  it('have one effect within 10 seconds; the second one answers 400', async () => {
    expect(
      await counting(async () => {
        expect((await send({ amount: 5 })).status).toBe(200)
        clock.advance(9_999)
        const again = await send({ amount: 5 })
        expect(again).toMatchObject({ status: 400, body: { success: false, message: expect.stringContaining('wait 10 seconds') } })
        expect(again.headers['retry-after']).toBe('10')
      }),
    ).toBe(1)
  })

  it('have two effects when the second one comes later or has a key', async () => {
    expect(
      await counting(async () => {
        await send({ amount: 5 })
        expect((await send({ amount: 5 }, { key: `meant${path}` })).status).toBe(200)
        clock.advance(10_000)
        expect((await send({ amount: 5 })).status).toBe(200)
      }),
    ).toBe(3)
  })

  it('have one effect when many arrive at once at two processes', async () => {
    const replies = await Promise.all(Array.from({ length: 24 }, (_, index) => send({ amount: 7 }, { at: index % 2 })))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 400)).toHaveLength(23)
  })

  it('count as different when the amount, the receiver or the member differs', async () => {
    expect(
      await counting(async () => {
        const calls = [send({ amount: 5 }), send({ amount: 6 }), send({ amount: 5, to: 'a' }), send({ amount: 5 }, { token: others })]
        expect((await Promise.all(calls)).map((reply) => reply.status)).toEqual([200, 200, 200, 200])
      }),
    ).toBe(4)
  })

  it('are allowed at once after a rejection, which moved nothing', async () => {
    refuse = true
    const refused = await Promise.all([send({ amount: 5 }), send({ amount: 5 })])
    expect(refused.map((reply) => reply.body.message)).toEqual(['Insufficient balance', 'Insufficient balance'])
    refuse = false
    expect(await counting(() => send({ amount: 5 }))).toBe(1)
    refuse = true
    expect((await send({ amount: 5 })).status).toBe(400)
  })
})
