import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { staffInstance } from '../../../../test/staff-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { applySettings } from '../../settings/index.ts'
import { poolDepletionDate } from '../rewards/pool-forecast.queries.ts'

const instance = await staffInstance()

describe('staff search', () => {
  const find = async (q: string, who = instance.maker) => (await instance.get(`/staff/search?q=${encodeURIComponent(q)}`, who)).body.data
  const ids = (hits: { id: string }[]) => hits.map((hit) => hit.id)

  it('finds a member by mail, word of the name, code, id and payout address, with open requests', async () => {
    const who = await instance.person({ name: 'Ifeoma Balogun' })
    const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
    const payout = await instance.withdrawal(who, 77n, address)
    const { referral_code: code } = await instance.at.db
      .selectFrom('member')
      .select('referral_code')
      .where('id', '=', who.id)
      .executeTakeFirstOrThrow()
    for (const q of [who.email, 'balo', 'Ifeoma', code, who.publicId, address]) {
      const found = await find(q)
      expect([q, ids(found.members)]).toEqual([q, expect.arrayContaining([who.publicId])])
      expect([q, ids(found.waiting)]).toEqual([q, expect.arrayContaining([payout])])
    }
    for (const q of [payout, '77.00', '77']) expect([q, ids((await find(q)).waiting)]).toEqual([q, [payout]])
    expect((await find('nobody at all')).members).toEqual([])
  })

  it('treats the input as text, and finds a transfer by number and a proposal by id', async () => {
    for (const q of ["' or 1=1 --", '%%%', ':* | !', '\\', '((', 'a & b', '<->']) expect((await find(q)).members).toEqual([])
    const { id } = await instance.at.db.selectFrom('ledger_transfer').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    expect((await find(String(id))).transfers).toMatchObject([{ id: String(id), href: `/staff/ledger/-/${id}` }])
    const body = { subject: 'popup', value: { title: 'T', message: 'M', isActive: true }, reason: 'x' }
    const { body: made } = await instance.post('/staff/changes', instance.maker, body)
    expect(ids((await find(made.data.id)).changes)).toEqual([made.data.id])
  })
})

it('uses the target hours of the settings', async () => {
  await inTransaction(instance.at.db, (tx) =>
    applySettings(tx, instance.at.deps, { changes: { payoutTargetHours: 2, answerTargetHours: 1 }, actorId: null, reason: 'test' }),
  )
  const id = await instance.withdrawal(await instance.person(), 20n)
  const { work } = (await instance.get('/staff/overview', instance.maker)).body.data
  expect([work.payouts.targetHours, work.deposits.targetHours, work.tickets.targetHours]).toEqual([2, 24, 1])
  const { dueAt, createdAt } = (await instance.get(`/staff/queues/withdrawals/${id}`, instance.maker)).body.data
  expect(Date.parse(dueAt) - Date.parse(createdAt)).toBe(2 * 3_600_000)
})

it('lists all staff with the table of rights that is enforced', async () => {
  const { people, rights } = (await instance.get('/staff/people', instance.support)).body.data
  const roles = people.map((one: { role: string }) => one.role).toSorted()
  expect(roles).toEqual(['ADMIN', 'ADMIN', 'ADMIN', 'SUPPORT'])
  expect(people[0]).toMatchObject({ factor: 'none', passkey: false, sessions: 1, isActive: true })
  const key = {
    credential_id: 'c',
    public_key: 'k',
    counter: 0n,
    may_sync: false,
    synced: false,
    name: 'Key',
    created_at: instance.at.clock.now(),
  }
  await instance.at.db
    .insertInto('passkey')
    .values({ public_id: 'k1', member_id: instance.checker.id, ...key })
    .execute()
  const again = (await instance.get('/staff/people', instance.support)).body.data.people
  expect(again.filter((one: { passkey: boolean }) => one.passkey)).toMatchObject([{ person: { id: instance.checker.publicId } }])
  expect(rights.SUPPORT).not.toContain('approveRequest')
  expect(rights.ADMIN).toContain('grantRole')
})

it('[MF-15] returns the day until which the pool alone covers the liabilities', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const months = [
    { month: '2026-11', amount: 90n * ONE },
    { month: '2026-12', amount: 310n * ONE },
  ]
  expect(poolDepletionDate(1000n * ONE, months, now)).toBeNull()
  expect(poolDepletionDate(-1n, months, now)).toBe('2026-11-21')
  expect(poolDepletionDate(45n * ONE, months, now)).toBe('2026-11-25')
  expect(poolDepletionDate(190n * ONE, months, now)).toBe('2026-12-11')
  expect(poolDepletionDate(0n, [], now)).toBeNull()
})
