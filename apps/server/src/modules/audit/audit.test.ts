import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { runAudit } from '../../ledger/index.ts'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import { auditHead, auditChecks, recordAudit } from './index.ts'

let db: Db
beforeEach(async () => {
  db = (await testDatabase()).db
})

const at = new Date('2026-03-02T09:00:00.123Z')
const record = (action: string, detail: Record<string, unknown> = {}) =>
  inTransaction(db, (tx) =>
    recordAudit(tx, {
      at,
      actorId: 7n,
      actorRole: 'ADMIN',
      action,
      subject: { type: 'member', id: 'abc' },
      reason: 'because "quoted", ünïcode 🦊',
      outcome: 'ok',
      ip: '127.0.0.1',
      requestId: 'r1',
      detail,
    }),
  )
const broken = async () => (await runAudit(db, auditChecks)).filter((result) => result.broken > 0).map((result) => result.check.invariant)

/** Tampers like a database superuser. */
const tamper = (statement: string) =>
  db.transaction().execute(async (tx) => {
    await sql`alter table audit_event disable trigger all`.execute(tx)
    await sql.raw(statement).execute(tx)
    await sql`alter table audit_event enable trigger all`.execute(tx)
  })

describe('audit log', () => {
  it('[I17] is an unbroken chain, also when 40 rows are appended in parallel', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => record(`action-${index}`, { b: { z: 1, a: [1, 2] }, a: index, amount: '1.50' })),
    )
    const rows = await db.selectFrom('audit_event').select(['id', 'hash', 'previous_hash']).orderBy('id').execute()
    expect(rows).toHaveLength(40)
    expect(new Set(rows.map((row) => row.previous_hash)).size).toBe(40)
    expect(await broken()).toEqual([])
    expect(await auditHead(db)).toMatchObject({ id: rows.at(-1)?.id, hash: rows.at(-1)?.hash })
  })

  it('[I17] drops its row when the transaction is rolled back, and stays unbroken', async () => {
    await record('one')
    await inTransaction(db, async (tx) => {
      await recordAudit(tx, { at, actorId: null, actorRole: 'VISITOR', action: 'two', outcome: 'ok' })
      throw new Error('rolled back')
    }).catch(() => undefined)
    await record('three')
    expect((await db.selectFrom('audit_event').select('action').orderBy('id').execute()).map((row) => row.action)).toEqual(['one', 'three'])
    expect(await broken()).toEqual([])
  })

  it('[I3] rejects update, delete and truncate', async () => {
    await record('one')
    await expect(db.updateTable('audit_event').set({ outcome: 'x' }).execute()).rejects.toThrow('append-only')
    await expect(db.deleteFrom('audit_event').execute()).rejects.toThrow('append-only')
    await expect(sql`truncate audit_event`.execute(db)).rejects.toThrow('append-only')
  })

  it.each([
    ['a changed outcome', "update audit_event set outcome = 'bad' where id = (select min(id) + 1 from audit_event)"],
    ['a changed time', "update audit_event set at = at + interval '1 millisecond' where id = (select min(id) from audit_event)"],
    ['a changed detail', `update audit_event set detail = '{"a":2}' where id = (select max(id) from audit_event)`],
    ['a changed hash', "update audit_event set hash = repeat('a', 64) where id = (select max(id) from audit_event)"],
    ['a deleted row', 'delete from audit_event where id = (select min(id) + 1 from audit_event)'],
    ['a deleted first row', 'delete from audit_event where id = (select min(id) from audit_event)'],
    [
      'an inserted row',
      `insert into audit_event (at, actor_role, action, outcome, previous_hash, hash)
      select at, actor_role, 'extra', outcome, hash, hash from audit_event order by id desc limit 1`,
    ],
  ])('[I17] check reports %s', async (_, statement) => {
    for (const action of ['one', 'two', 'three']) await record(action, { a: 1 })
    expect(await broken()).toEqual([])
    await tamper(statement)
    expect(await broken()).toEqual(['I17'])
  })
})
