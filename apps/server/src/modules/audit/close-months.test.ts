import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testInstance } from '../../../test/test-instance.ts'
import { runJob } from '../../jobs/job.ts'
import { ledgerChecks, post, runAudit } from '../../ledger/index.ts'
import { runChecks } from '../../ledger/audit.ts'
import { openWindow } from '../../ledger/audit-window.ts'
import { auditChecks } from './index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { closeLogCheck } from './audit-checks.ts'
import { closeMonthsJob } from './close-months.ts'

const database = await testDatabase()
const instance = await testInstance(database)
const { db, deps, clock } = instance
const checks = [...ledgerChecks, closeLogCheck, ...auditChecks]
const runCloseJob = () => runJob(db, deps, closeMonthsJob, 'test')
/** Closes a number of months, however long other transactions on this server delay it. */
const closeUntil = async (months: number) => {
  let closed = 0
  while (closed < months) closed += (await runCloseJob()) ?? 0
  return closed
}
const closes = async () =>
  (await db.selectFrom('ledger_close').select(['month', 'transfers']).orderBy('month').execute()).map((row) => row.month)
const fund = (amount: bigint) => instance.fundPool('COIN', amount)
/** Titles of failed checks, without the guards, which must be off to damage a row. */
const broken = (results: Awaited<ReturnType<typeof runAudit>>) =>
  results.filter((one) => one.broken > 0 && !one.check.title.startsWith('the append-only guards')).map((one) => one.check.title)

const TRANSFERS = 'closed months have the transfers of their close, and closed balances are the sums of them'
const CLOSES = 'period closes follow each other, and the newest one matches every balance'
const CHAIN = 'on each account every balance follows from the one before it, in order of ids'
const BALANCES = "each stored balance and version is the fold of the account's transfers"

describe('closed ledger months', () => {
  beforeAll(async () => {
    await fund(1000n * ONE)
    clock.set(new Date('2026-03-31T23:59:59.999Z'))
    await fund(5n)
    clock.set(new Date('2026-04-01T00:00:00Z'))
    await fund(7n)
  })

  it('[I3] are closed a day after their end, in order, each once, with their last transfer', async () => {
    expect(await closeUntil(2)).toBe(2)
    expect(await closes()).toEqual(['2026-01-01', '2026-02-01'])
    clock.set(new Date('2026-04-01T23:59:59.999Z'))
    expect(await runCloseJob()).toBe(0)
    clock.advance(1)
    expect(await closeUntil(1)).toBe(1)
    expect(await runCloseJob()).toBe(0)
    const march = await sql<{ amounts: string[] }>`
      select array_agg(t.amount::text order by t.id) as amounts from ledger_close s join ledger_transfer t on t.id > s.after_id and t.id <= s.last_id
      where s.month = '2026-03-01'`.execute(db)
    expect(march.rows[0]?.amounts).toEqual([String(1000n * ONE), '5'])
    expect(broken(await runAudit(db, checks))).toEqual([])
    expect(broken(await runAudit(db, checks, openWindow))).toEqual([])
  })

  if (database.url !== undefined) {
    it('[I3] are not closed before open transactions that have numbers in the month', async () => {
      let end = () => {}
      const ended = new Promise<void>((resolve) => (end = resolve))
      let posted = () => {}
      const isPosted = new Promise<void>((resolve) => (posted = resolve))
      const late = inTransaction(db, async (tx) => {
        await post(tx, {
          kind: 'testFunds',
          cause: { type: 'test', id: 'late' },
          at: clock.now(),
          transfers: [{ from: { system: 'SYS-OPERATOR', asset: 'USD' }, to: { system: 'SYS-REWARD', asset: 'USD' }, amount: 3n }],
        })
        posted()
        await ended
      })
      await isPosted
      await fund(9n)
      clock.set(new Date('2026-05-02T00:00:00Z'))
      expect(await runCloseJob()).toBe(0)
      end()
      await late
      expect(await closeUntil(1)).toBe(1)
      const april = await sql<{ amounts: string[] }>`
        select array_agg(t.amount::text order by t.id) as amounts from ledger_close s join ledger_transfer t on t.id > s.after_id and t.id <= s.last_id
        where s.month = '2026-04-01'`.execute(db)
      expect(april.rows[0]?.amounts).toEqual(['7', '3', '9'])
    })
  }

  it('[I3] cannot be changed or deleted', async () => {
    await expect(sql`update ledger_close set transfers = 0`.execute(db)).rejects.toThrow('append-only')
    await expect(sql`delete from ledger_close`.execute(db)).rejects.toThrow('append-only')
  })

  const LAST_CLOSED = `(select id from ledger_transfer where id <= (select max(last_id) from ledger_close) order by id desc limit 1)`
  const NEWER = `(select max(id) from ledger_transfer)`
  /** Damage by the owner of the database. The full audit and the daily one must both report it. */
  const damages: [name: string, damage: string, everything: string, daily: string | undefined][] = [
    [
      'a transfer of a closed month is changed',
      `update ledger_transfer set cause_id = 'other' where id = ${LAST_CLOSED}`,
      TRANSFERS,
      undefined,
    ],
    ['a transfer of a closed month is deleted', `delete from ledger_transfer where id = ${LAST_CLOSED}`, TRANSFERS, undefined],
    [
      'a transfer is inserted into a closed month',
      `update ledger_transfer set id = -5, posting_id = -5 where id = ${NEWER}`,
      CHAIN,
      BALANCES,
    ],
    ['a balance at close is changed', `update ledger_closed_balance set balance = balance + 1 where account = -9200`, TRANSFERS, CLOSES],
    ['a balance at close is deleted', `delete from ledger_closed_balance where account = -9200`, TRANSFERS, CLOSES],
    ['a close is changed', `update ledger_close set last_id = last_id + 1 where month = '2026-02-01'`, CLOSES, CLOSES],
    ['the newest close is deleted', `delete from ledger_close where month = (select max(month) from ledger_close)`, CLOSES, CLOSES],
    ['an earlier close is deleted', `delete from ledger_close where month = '2026-02-01'`, CLOSES, CLOSES],
    [
      'a balance is changed with a matching close',
      `update ledger_closed_balance set balance = balance + 1 where account = -9200; update ledger_account set balance = balance + 1 where id = -9200;
       update ledger_close set balances_hash = ledger_balances_hash() where month = (select max(month) from ledger_close);
       update ledger_close set close_hash = ledger_close_text(month, after_id, last_id, transfers, transfers_hash, balances_hash, previous)`,
      TRANSFERS,
      closeLogCheck.title,
    ],
    ['a later transfer is changed', `update ledger_transfer set amount = amount + 1 where id = ${NEWER}`, BALANCES, BALANCES],
    ['a later transfer is deleted', `delete from ledger_transfer where id = ${NEWER}`, BALANCES, BALANCES],
    ['a balance is changed', `update ledger_account set balance = balance + 1 where id = -9200`, BALANCES, BALANCES],
  ]

  it.each(damages)('[I3] make the audit report when %s', async (_, damage, everything, daily) => {
    await fund(11n)
    class Undo extends Error {}
    await db
      .transaction()
      .execute(async (tx) => {
        for (const table of ['ledger_transfer', 'ledger_account', 'ledger_close'])
          await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
        for (const part of damage.split(';')) await sql.raw(part).execute(tx)
        expect(broken(await runChecks(tx, checks))).toContain(everything)
        const found = broken(await runChecks(tx, checks, await openWindow(tx)))
        if (daily === undefined) expect(found).toEqual([])
        else expect(found).toContain(daily)
        throw new Undo()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error
      })
  })

  it('[I3] differ from the audit log when all closes are rewritten after a change', async () => {
    class Undo extends Error {}
    await db
      .transaction()
      .execute(async (tx) => {
        for (const table of ['ledger_transfer', 'ledger_close']) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
        await sql.raw(`update ledger_transfer set cause_id = 'other' where id = ${LAST_CLOSED}`).execute(tx)
        const old = await sql<{
          month: string
          lastId: bigint
        }>`select month, last_id as "lastId" from ledger_close order by month`.execute(tx)
        await sql`delete from ledger_close`.execute(tx)
        await sql`delete from ledger_closed_balance`.execute(tx)
        for (const { month, lastId } of old.rows) await sql`select ledger_close_month(${month}::date, ${lastId}, now())`.execute(tx)
        for (const window of [undefined, await openWindow(tx)])
          expect(broken(await runChecks(tx, checks, window))).toContain(closeLogCheck.title)
        throw new Undo()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error
      })
    clock.advance(DAY_MS)
    expect(broken(await runAudit(db, checks))).toEqual([])
  })
})
