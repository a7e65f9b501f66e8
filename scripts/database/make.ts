import type { PGlite } from '@electric-sql/pglite'
import type { SqlFile } from '../../apps/server/src/platform/db/schema-files.ts'
import { type Ask, dumpSchema } from './dump-schema.ts'
import type { Room } from './rooms.ts'
import { writeTableTypes } from './table-types.ts'

/** What functions name is looked at once all of it is there. */
const BODIES_LATER = 'set local check_function_bodies = off;\n'
const BODIES_NOW = `set local check_function_bodies = on;
select case l.lanname when 'sql' then fmgr_sql_validator(p.oid) else plpgsql_validator(p.oid) end
from pg_proc p join pg_language l on l.oid = p.prolang
where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a' and l.lanname in ('sql', 'plpgsql');
`
const head = (tells: string) => `-- ${tells} Made by \`npm run db:make\` out of the rooms' SQL files. Do not edit.\n`

/** The files below apps/server that follow from the rooms' SQL files, by name. */
export type Made = Record<string, string>

/**
 * Makes what follows from the rooms' SQL files.
 * @param lite an embedded database that may be emptied
 * @param released the migrations of a release: its baseline stays as it is, and with the changes after it has to lead to
 *   the same database as the rooms; empty as long as nothing was released
 */
export async function makeDatabase(lite: PGlite, rooms: Room[], released: Pick<SqlFile, 'name' | 'text'>[]): Promise<Made> {
  const baseline = [head('The schema that a database begins with.'), BODIES_LATER, ...texts(rooms)].join('\n')
  const bodies = writeBodies(rooms)
  const { dump, types } = await build(lite, [baseline])
  const walked = await build(lite, [...(released.length === 0 ? [baseline] : released.map(({ text }) => text)), bodies])
  if (walked.dump !== dump)
    throw new Error(`${released.at(-1)?.name ?? 'bodies.sql'} leads elsewhere: ${firstDifference(walked.dump, dump)}`)
  return {
    ...(released.length === 0 ? { 'db/0001_baseline.sql': baseline } : {}),
    'db/bodies.sql': bodies,
    'db/schema.sql': `${head('The database as it stands.')}\n${dump}`,
    'src/platform/db/tables.generated.ts': types,
  }
}

const texts = (rooms: Room[], names?: string) =>
  rooms.flatMap(({ folder, files }) =>
    files.filter(({ name }) => names === undefined || name === names).map(({ name, text }) => `-- ${folder}/${name}\n${text}`),
  )

/** A view may come in another shape: all of them go, from the top, and come back from the bottom. */
function writeBodies(rooms: Room[]): string {
  const views = texts(rooms, 'views.sql')
  const names = [...views.join('\n').matchAll(/^create view (\w+)/gm)].map(([, name]) => name)
  const drop = names.length === 0 ? [] : [`drop view if exists ${names.toReversed().join(', ')};\n`]
  return [head('All functions and views.'), BODIES_LATER, ...drop, ...texts(rooms, 'functions.sql'), ...views, BODIES_NOW].join('\n')
}

async function build(lite: PGlite, parts: string[]): Promise<{ dump: string; types: string }> {
  await lite.exec("set timezone to 'UTC'; drop schema public cascade; create schema public")
  for (const part of parts) await lite.transaction((tx) => tx.exec(part))
  const ask: Ask = async <Row>(text: string) => (await lite.query<Row>(text)).rows
  return { dump: await dumpSchema(ask), types: await writeTableTypes(ask) }
}

function firstDifference(walked: string, wanted: string): string {
  const lines = wanted.split('\n')
  const place = walked.split('\n').findIndex((line, index) => line !== lines[index])
  return `it has "${walked.split('\n')[place]}" where the rooms have "${lines[place]}"`
}
