import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, inTransaction, openDatabase } from '../db/database.ts'
import { type Embedded, startEmbeddedInMemory } from './embedded.ts'

let folder: string
let embedded: Embedded
let database: Database
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'units-'))
  embedded = await startEmbeddedInMemory(folder, null)
  database = openDatabase({ socketDir: folder }, { max: 8 })
  await sql`create table counter (id int primary key, n int not null)`.execute(database.db)
  await sql`insert into counter values (1, 0)`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await embedded.close()
  rmSync(folder, { recursive: true, force: true })
})

/** One message of PostgreSQL's protocol. */
function message(kind: string, body: string): Buffer {
  const bytes = Buffer.from(body, 'utf8')
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length + 4)
  return Buffer.concat([Buffer.from(kind), length, bytes])
}

describe('connections of the embedded database', () => {
  it('keep their statements apart across transactions and single reads', async () => {
    const { db } = database
    for (let round = 0; round < 5; round += 1) {
      const read = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          await inTransaction(db, (tx) => sql`update counter set n = n + 1 where id = 1 returning n`.execute(tx))
          const single = await sql<{ value: number }>`select ${index}::int as value`.execute(db)
          await inTransaction(db, async (tx) => {
            await sql`select pg_advisory_xact_lock(5)`.execute(tx)
            await sql`insert into counter values (${1000 + round * 100 + index}::int, ${index}::int)`.execute(tx)
          })
          return single.rows[0]?.value
        }),
      )
      expect(read).toEqual(Array.from({ length: 20 }, (_, index) => index))
    }
    const count = await sql<{
      n: number
      rows: number
    }>`select max(n) filter (where id = 1) as n, count(*)::int as rows from counter`.execute(db)
    expect(count.rows[0]).toEqual({ n: 100, rows: 101 })
  })

  it('continue after one of them fails in the middle of a statement', async () => {
    const { db } = database
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => sql<{ value: number }>`select 12 / ${index % 4}::int as value`.execute(db)),
    )
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(10)
    expect(results.filter((result) => result.status === 'fulfilled').map((result) => result.value.rows[0]?.value)).toEqual(
      Array.from({ length: 40 }, (_, index) => index % 4)
        .filter((divisor) => divisor > 0)
        .map((divisor) => 12 / divisor),
    )
  })

  it('continue after one of them disconnects in the middle of a statement', async () => {
    const socket = connect(path.join(folder, '.s.PGSQL.5432'))
    const startup = Buffer.from('\u0000\u0003\u0000\u0000user\u0000postgres\u0000database\u0000postgres\u0000\u0000')
    const length = Buffer.alloc(4)
    length.writeInt32BE(startup.length + 4)
    const ready = new Promise<void>((resolve) => {
      socket.on('data', (data: Buffer) => {
        if (data.includes('Z\u0000\u0000\u0000\u0005')) resolve()
      })
    })
    socket.write(Buffer.concat([length, startup]))
    await ready
    socket.write(message('P', '\u0000select 1\u0000\u0000\u0000'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.destroy()
    const answered = await sql<{ value: number }>`select 7 as value`.execute(database.db)
    expect(answered.rows).toEqual([{ value: 7 }])
  })
})
