/**
 * `npm run db:make`: writes everything that follows from the SQL files of the rooms: the baseline, the dump of the database
 * as it stands, and the table types. With `--check` it writes nothing and fails when one of them is not what it would write.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { type Ask, dumpSchema } from './database/dump-schema.ts'
import { readRooms } from './database/sources.ts'
import { writeTableTypes } from './database/table-types.ts'

/** What functions name is looked at once all of it is there. */
const CHECK_BODIES = `
  set check_function_bodies = on;
  select case l.lanname when 'sql' then fmgr_sql_validator(p.oid) else plpgsql_validator(p.oid) end
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a' and l.lanname in ('sql', 'plpgsql')`

const rooms = readRooms()
const parts = rooms.flatMap(({ folder, files }) => files.map(({ name, text }) => `-- ${folder}/${name}\n${text}`))
const baseline = `-- Made by \`npm run db:make\` out of the rooms' SQL files. Do not edit.\nset local check_function_bodies = off;\n\n${parts.join('\n')}`

const lite = await PGlite.create()
const ask: Ask = async <Row>(text: string) => (await lite.query<Row>(text)).rows
await lite.exec("set timezone to 'UTC'")
await lite.transaction((tx) => tx.exec(baseline))
await lite.exec(CHECK_BODIES)
const made = {
  'db/0001_baseline.sql': baseline,
  'db/schema.sql': `-- The database as it stands. Made by \`npm run db:make\`; to change it, edit the room that owns the table.\n\n${await dumpSchema(ask)}`,
  'src/platform/tables.generated.ts': await writeTableTypes(ask),
}
await lite.close()

const check = process.argv.includes('--check')
for (const [name, text] of Object.entries(made)) {
  const file = fileURLToPath(new URL(`../apps/server/${name}`, import.meta.url))
  if (!check) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`apps/server/${name} is not what the rooms' SQL files say: run \`npm run db:make\`.`)
    process.exitCode = 1
  }
}
console.log(`${rooms.length} rooms, ${parts.length} SQL files`)
