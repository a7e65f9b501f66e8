import { type AddressInfo, createServer } from 'node:net'
import { CompiledQuery, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { queryDeferred, asOneTransaction, type Db, inTransaction, openDatabase, executeDeferred } from './database.ts'

describe('several transactions as one', async () => {
  const { db } = await testDatabase()
  await sql`create table step (n int primary key)`.execute(db)
  const steps = async () => (await sql<{ n: number }>`select n from step order by n`.execute(db)).rows.map((row) => row.n)

  it('commit together', async () => {
    await asOneTransaction(db, async (story) => {
      for (const n of [1, 2]) await inTransaction(story, (tx) => sql`insert into step values (${n})`.execute(tx))
    })
    expect(await steps()).toEqual([1, 2])
  })

  it('commit nothing when a part failed, even if the failure was caught', async () => {
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

  it('are the only case in which a nested transaction is allowed', async () => {
    await expect(db.transaction().execute((tx) => inTransaction(tx, () => Promise.resolve(1)))).rejects.toThrow(/transaction/)
  })
})

describe('deferred statements', async () => {
  const { db, embedded } = await testDatabase()
  await sql`create table note (n int primary key)`.execute(db)
  const notes = async (at: Db = db) => (await sql<{ n: number }>`select n from note order by n`.execute(at)).rows.map((row) => row.n)
  const write = (at: Db, n: number) => executeDeferred(at, 'insert into note values ($1)', [n])

  it('run before the next statement, in order, and at commit at the latest', async () => {
    const seen = await inTransaction(db, async (tx) => {
      await write(tx, 1)
      await executeDeferred(tx, 'update note set n = $1 where n = $2', [2, 1])
      const found = await notes(tx)
      await executeDeferred(tx, 'select n from note where n = $1 for update', [2])
      await write(tx, 3)
      return found
    })
    expect([seen, await notes()]).toEqual([[2], [2, 3]])
    await write(db, 4)
    expect(await notes()).toEqual([2, 3, 4])
  })

  it('return their own rows once the next statement is answered', async () => {
    const seen = await inTransaction(db, async (tx) => {
      const ask = (n: number) => queryDeferred(tx, sql<{ n: number }>`select n from note where n > ${n} order by n`.compile(tx))
      const [all, none] = [await ask(2), await ask(100)]
      await executeDeferred(tx, 'select n, n as twice from note for update', [])
      const few = await ask(3)
      // The embedded database is asked at once.
      if (!embedded) expect(() => all()).toThrow('not answered yet')
      const next = await notes(tx)
      return [all(), none(), few()].map((rows) => rows.map((row) => row.n)).concat([next])
    })
    expect(seen).toEqual([[3, 4], [], [4], [2, 3, 4]])
    const unbatched = await queryDeferred(db, sql<{ n: number }>`select 1 as n`.compile(db))
    expect(unbatched()).toEqual([{ n: 1 }])
    await expect(
      inTransaction(db, async (tx) => {
        await queryDeferred(tx, sql`select 1 / 0`.compile(tx))
        await notes(tx)
      }),
    ).rejects.toMatchObject({ code: '22012' })
    expect(await notes()).toEqual([2, 3, 4])
  })

  it('fail the transaction with their own error, and leave a working connection', async () => {
    const twice = inTransaction(db, async (tx) => {
      await write(tx, 5)
      await write(tx, 2)
    })
    await expect(twice).rejects.toMatchObject({ code: '23505' })
    expect(await notes()).toEqual([2, 3, 4])
  })

  it('are rolled back, also to a savepoint', async () => {
    const undone = inTransaction(db, async (tx) => {
      await write(tx, 6)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await inTransaction(db, async (tx) => {
      await write(tx, 7)
      await sql`savepoint part`.execute(tx)
      await write(tx, 8)
      await sql`rollback to savepoint part`.execute(tx)
      await write(tx, 9)
    })
    expect(await notes()).toEqual([2, 3, 4, 7, 9])
  })
})

const { url } = await testDatabase()

// The embedded database has one connection and no such settings.
if (url !== undefined) {
  const WANTED = ['4s', '6s', '30s', 'UTC', 'off']
  const SETTINGS = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'TimeZone', 'jit']
  const ASK = `select current_setting(name) as value from unnest($1::text[]) with ordinality s (name, place) order by place`
  const settings = async (db: Db) =>
    (await db.executeQuery<{ value: string }>(CompiledQuery.raw(ASK, [SETTINGS]))).rows.map(({ value }) => value)

  it('[I20] statements have time limits, UTC and no JIT, inside and outside a transaction', async () => {
    const database = openDatabase({ url }, { max: 1 })
    expect(await settings(database.db)).toEqual(WANTED)
    expect(await inTransaction(database.db, settings)).toEqual(WANTED)
    expect(await database.db.transaction().setAccessMode('read only').execute(settings)).toEqual(WANTED)
    await expect(database.db.executeQuery(CompiledQuery.raw('select 1 / $1::int', [0]))).rejects.toThrow('division by zero')
    expect(await settings(database.db)).toEqual(WANTED)
    await database.close()
    const batches = openDatabase({ url }, { max: 1, limits: false })
    expect(await inTransaction(batches.db, settings)).toEqual(['0', '0', '1min', 'UTC', 'off'])
    await batches.close()
  })

  it.each<[string, string, unknown]>([
    ['a text', '$1', 'x'.repeat(300_000)],
    ['an array', `array_to_string($1::text[], '')`, ['x'.repeat(150_000), 'x'.repeat(150_000)]],
  ])('deferred statements are sent when a megabyte of parameters waits, each %s', async (_, value, parameter) => {
    const database = openDatabase({ url }, { max: 1 })
    await sql`create table if not exists large_note (text text not null)`.execute(database.db)
    await sql`truncate large_note`.execute(database.db)
    const rows = await inTransaction(database.db, async (tx) => {
      const [client] = (database.pool as unknown as { _clients: { query: (text: string) => Promise<{ rows: { n: string }[] }> }[] })
        ._clients
      const stored = async () => Number((await client?.query('select count(*) as n from large_note'))?.rows[0]?.n)
      const counts: number[] = []
      for (let row = 0; row < 12; row += 1) {
        await executeDeferred(tx, `insert into large_note values (${value})`, [parameter])
        counts.push(await stored())
      }
      return counts
    })
    expect(rows).toEqual([0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12])
    await database.close()
  })

  it('statements leave no session state for the next client of a pooler', async () => {
    const database = openDatabase({ url }, { max: 1 })
    const { rows: fresh } = await database.pool.query<{ value: string }>(ASK, [SETTINGS])
    await settings(database.db)
    await inTransaction(database.db, settings)
    expect((await database.pool.query<{ value: string }>(ASK, [SETTINGS])).rows).toEqual(fresh)
    expect(fresh.map(({ value }) => value)).not.toEqual(WANTED)
    const left = await database.pool.query(
      `select 1 from pg_prepared_statements union all
        select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    )
    expect(left.rows).toEqual([])
    await database.close()
  })

  it('connections send no startup options, which a pooler would reject', async () => {
    const received = Promise.withResolvers<Buffer>()
    const server = createServer((socket) => void socket.once('data', (bytes) => received.resolve(bytes)).on('error', () => undefined))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const database = openDatabase({ url: `postgres://someone@127.0.0.1:${port}/some` }, { max: 1 })
    const pending = settings(database.db).catch((error: unknown) => error)
    const words = (await received.promise).subarray(8).toString().split('\0').filter(Boolean)
    const names = words.filter((_, index) => index % 2 === 0)
    expect(names.filter((name) => !['user', 'database', 'application_name', 'client_encoding'].includes(name))).toEqual([])
    expect(names).toContain('user')
    expect(await pending).toBeInstanceOf(Error)
    await database.close()
    server.close()
  })
}

it('close ends connections that the query builder never used', async () => {
  const { pool, close } = await testDatabase()
  await pool.query('select 1')
  await close()
  expect([pool.ended, pool.totalCount]).toEqual([true, 0])
})
