import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { asOneTransaction, inTransaction, openDatabase } from './database.ts'

describe('many transactions as one', async () => {
  const { db } = await testDatabase()
  await sql`create table step (n int primary key)`.execute(db)
  const steps = async () => (await sql<{ n: number }>`select n from step order by n`.execute(db)).rows.map((row) => row.n)

  it('keeps everything together', async () => {
    await asOneTransaction(db, async (story) => {
      for (const n of [1, 2]) await inTransaction(story, (tx) => sql`insert into step values (${n})`.execute(tx))
    })
    expect(await steps()).toEqual([1, 2])
  })

  it('keeps nothing when a part failed, also when the failure was caught', async () => {
    const run = asOneTransaction(db, async (story) => {
      await inTransaction(story, (tx) => sql`insert into step values (3)`.execute(tx))
      await inTransaction(story, async (tx) => {
        await sql`insert into step values (4)`.execute(tx)
        throw new Error('half done')
      }).catch(() => undefined)
    })
    await expect(run).rejects.toThrow('half done')
    expect(await steps()).toEqual([1, 2])
  })

  it('leaves a transaction inside a transaction a mistake everywhere else', async () => {
    await expect(db.transaction().execute((tx) => inTransaction(tx, () => Promise.resolve(1)))).rejects.toThrow(/transaction/)
  })
})

const { url } = await testDatabase()

// The embedded database has one connection and no such settings.
if (url !== undefined) {
  it('[I20] lets no connection wait without end, reckon in another zone or compile statements', async () => {
    const database = openDatabase({ url })
    const settings = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'TimeZone', 'jit']
    const found = await sql<{ value: string }>`
      select current_setting(name) as value from unnest(${settings}::text[]) with ordinality s (name, place) order by place`.execute(
      database.db,
    )
    await database.close()
    expect(found.rows.map(({ value }) => value)).toEqual(['5s', '20s', '30s', 'UTC', 'off'])
  })
}

it('closes connections that the query builder never used', async () => {
  const { pool, close } = await testDatabase()
  await pool.query('select 1')
  await close()
  expect([pool.ended, pool.totalCount]).toEqual([true, 0])
})
