import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { openDatabase } from './database.ts'

const { url } = await testDatabase()

it('[I20] lets no connection wait without end, reckon in another zone or compile statements', async () => {
  // The embedded database has one connection and no such settings.
  if (url === undefined) return
  const database = openDatabase({ url })
  const settings = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'TimeZone', 'jit']
  const found = await sql<{ value: string }>`
    select current_setting(name) as value from unnest(${settings}::text[]) with ordinality s (name, place) order by place`.execute(
    database.db,
  )
  await database.close()
  expect(found.rows.map(({ value }) => value)).toEqual(['5s', '20s', '30s', 'UTC', 'off'])
})
