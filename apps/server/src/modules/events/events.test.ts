import { eventKinds } from '@tizara/contract/staff-events'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestMember, fund } from '../../../test/members.ts'
import { instance, openStaffApp, staff } from '../../../test/staff-calls.ts'
import { runOnce } from '../../jobs/run-worker.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { recordAudit, RESTORED } from '../audit/index.ts'
import { buyToken } from '../coin/index.ts'
import { addOperatorKey, endOperatorKey } from '../auth/index.ts'
import { setActive } from '../members/index.ts'
import { currentSettings } from '../settings/index.ts'
import { retentionJob } from '../../jobs/retention.ts'
import { eventJobs, eventRetention } from './index.ts'

await openStaffApp()
const { db, deps, clock } = instance.at
const move = () => runOnce(db, deps, eventJobs)

interface Page {
  events: { id: string; kind: string; subject: string; memberId?: string }[]
  cursor: string
  more: boolean
}
const read = async (after?: string, limit = 500) => {
  const query = new URLSearchParams({ limit: String(limit), ...(after === undefined ? {} : { after }) })
  return instance.get(`/events?${query.toString()}`, staff.FINANCE)
}
const page = async (after?: string, limit?: number): Promise<Page> => (await read(after, limit)).body.data
/** Moves what happened before, and returns a cursor behind it. */
const begin = async (): Promise<string> => {
  await move()
  return (await page()).cursor
}
const setStatus = (tx: Tx, id: bigint, isActive: boolean) => setActive(tx, { id, isActive, at: clock.now() })
const buyer = async () => {
  const member = await createTestMember(db)
  await fund(db, member.id, 'depositWallet', 100n * ONE)
  return member
}
const purchase = async (tx: Tx, memberId: bigint) => {
  const { coinPrice } = await currentSettings(tx, clock.now())
  return buyToken(tx, deps, { memberId, coinAmount: 1000n * ONE, coinPrice, totalPrice: 1000n * coinPrice })
}

it('records an event in the transaction of its cause, and none for a rolled back one', async () => {
  const start = await begin()
  const member = await buyer()
  const id = await inTransaction(db, (tx) => purchase(tx, member.id))
  await expect(
    inTransaction(db, async (tx) => {
      await purchase(tx, member.id)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await move()
  const { events, more } = await page(start)
  expect(events).toMatchObject([{ kind: 'purchase.created', subject: id, memberId: member.publicId }])
  expect(events[0]?.id).toMatch(/^[0-9a-f-]{36}$/)
  expect(more).toBe(false)
})

it('gives each event of a statement its own id, and the same id when a restored row is moved again', async () => {
  const start = await begin()
  const member = await buyer()
  await inTransaction(db, async (tx) => {
    await purchase(tx, member.id)
    await sql`create temp table source on commit drop as select * from coin_purchase where member_id = ${member.id}`.execute(tx)
    await sql`
      insert into coin_purchase (public_id, member_id, coin_amount, coin_price, total_price, charged, settings_version, posting_id, created_at)
      select 'twin-' || n, member_id, coin_amount, coin_price, total_price, charged, settings_version, posting_id, created_at
      from source, generate_series(1, 3) n`.execute(tx)
  })
  await sql`create table saved_outbox as table event_outbox`.execute(db)
  await move()
  const { events, cursor } = await page(start)
  expect(events.slice(1).map(({ subject }) => subject)).toEqual(['twin-1', 'twin-2', 'twin-3'])
  expect(new Set(events.map(({ id }) => id)).size).toBe(4)
  await sql`insert into event_outbox select * from saved_outbox`.execute(db)
  await sql`drop table saved_outbox`.execute(db)
  await move()
  expect((await page(cursor)).events.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
})

it('never skips an event that commits late, and keeps the order of each object', async () => {
  const start = await begin()
  const [early, late] = [await createTestMember(db), await createTestMember(db)]
  let seen = start
  const found: string[] = []
  const follow = async () => {
    await move()
    const { events, cursor } = await page(seen)
    found.push(...events.map(({ kind, memberId }) => `${kind} ${memberId === late.publicId ? 'late' : 'early'}`))
    seen = cursor
  }
  await inTransaction(db, async (tx) => {
    await setStatus(tx, late.id, false)
    await inTransaction(db, (other) => setStatus(other, early.id, false))
    await follow()
    expect(found).toEqual(['member.deactivated early'])
  })
  await inTransaction(db, (tx) => setStatus(tx, late.id, true))
  await follow()
  expect(found).toEqual(['member.deactivated early', 'member.deactivated late', 'member.activated late'])
})

it('returns pages without gaps or repeats while events are written', async () => {
  const start = await begin()
  const members = await Promise.all(Array.from({ length: 12 }, () => createTestMember(db)))
  const ids = new Set<string>()
  let at = start
  const write = Promise.all(
    members.map(async ({ id }) => {
      for (const isActive of [false, true, false]) await inTransaction(db, (tx) => setStatus(tx, id, isActive))
    }),
  )
  const readOn = async () => {
    await move()
    for (;;) {
      const { events, cursor, more } = await page(at, 7)
      for (const { id } of events) {
        expect(ids.has(id)).toBe(false)
        ids.add(id)
      }
      at = cursor
      if (!more) return
    }
  }
  await readOn()
  await write
  await readOn()
  expect(ids.size).toBe(36)
})

it('rejects the cursor of another restore, of 30 days ago, and one that it has not written', async () => {
  const old = await begin()
  for (const cursor of ['x', '1', `${old}0000000000000`, old.replace(/^\w+/, 'ff'), "0.1'--.1"])
    expect((await read(cursor)).body).toMatchObject({ statusCode: 400 })
  const before = (await page()).events.map(({ id }) => id)
  await inTransaction(db, (tx) => recordAudit(tx, { at: clock.now(), actorId: null, actorRole: 'SYSTEM', action: RESTORED, outcome: 'ok' }))
  expect((await read(old)).body.message).toMatch(/^This cursor is no longer valid/)
  const again = await page()
  expect(again.events.map(({ id }) => id)).toEqual(before)
  expect((await read(again.cursor)).status).toBe(200)
  clock.advance(30 * DAY_MS)
  const { token } = await instance.at.signIn(staff.FINANCE.id)
  expect((await instance.at.call('GET', `/events?after=${again.cursor}`, { token })).status).toBe(400)
})

it('has the time of the platform, whose clock the sandbox can move', async () => {
  const { id } = await createTestMember(db)
  await db.updateTable('clock_offset').set({ seconds: 86_400 }).execute()
  try {
    await inTransaction(db, (tx) => setStatus(tx, id, false))
    await move()
    const { at } = await db.selectFrom('event').select('at').where('member_id', '=', id).executeTakeFirstOrThrow()
    expect(Math.abs(at.getTime() - Date.now() - DAY_MS)).toBeLessThan(600_000)
  } finally {
    await db.updateTable('clock_offset').set({ seconds: 0 }).execute()
  }
})

it('deletes events after 30 days', async () => {
  await move()
  await sql`update event set at = ${new Date(clock.now().getTime() - 30 * DAY_MS - 1)}`.execute(db)
  await runOnce(db, deps, [retentionJob(eventRetention)])
  expect(await db.selectFrom('event').select('id').execute()).toEqual([])
})

it('is read with an API key of the operator that has the right', async () => {
  const input = { name: 'Events', rights: ['staffEvents'], networks: [], days: 30 }
  const id = await inTransaction(db, (tx) => addOperatorKey(tx, deps, staff.ADMIN.id, input))
  const { token } = await instance.at.signIn(staff.ADMIN.id)
  const { key } = (await instance.at.call('POST', `/staff/api-keys/${id}/fetch`, { token })).body.data
  expect((await instance.at.call('GET', '/events', { token: `Bearer ${key}` })).status).toBe(200)
  await inTransaction(db, (tx) => endOperatorKey(tx, deps, id))
  expect((await instance.at.call('GET', '/events', { token: `Bearer ${key}` })).status).toBe(401)
})

it('has a kind in the contract for each trigger', async () => {
  const { rows } = await sql<{ kind: string }>`
    select distinct trim(trailing '\\000' from encode(tgargs, 'escape')) as kind from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where p.proname in ('record_member_event', 'record_new_events', 'record_sale_events', 'record_event', 'record_incident_event', 'record_day_event')
    order by 1`.execute(db)
  expect(rows.map(({ kind }) => kind.replace(/\\000$/, ''))).toEqual([...eventKinds].toSorted())
})
