import type { PGlite } from '@electric-sql/pglite'
import { joinBaseline, joinBodies, type SqlFolder, type SqlFile } from '../../apps/server/src/platform/db/schema-files.ts'
import { type QueryRunner, dumpSchema } from './dump-schema.ts'
import { writeTableTypes } from './table-types.ts'

/** Generated files below apps/server, by name. */
export type DatabaseFiles = Record<'db/schema.sql' | 'src/platform/db/tables.generated.ts', string>

/**
 * Generates files from the folders' SQL.
 * @param lite embedded database that may be emptied
 * @param released migrations of releases, which must produce the same database as the folders; empty before the first release
 * @throws Error with the first difference
 */
export async function makeDatabase(lite: PGlite, folders: SqlFolder[], released: Pick<SqlFile, 'name' | 'text'>[]): Promise<DatabaseFiles> {
  const baseline = joinBaseline(folders)
  const { dump, types } = await build(lite, [baseline])
  const walked = await build(lite, [...(released.length === 0 ? [baseline] : released.map(({ text }) => text)), joinBodies(folders)])
  if (walked.dump !== dump)
    throw new Error(
      `${released.at(-1)?.name ?? 'putting functions and views in place'} makes other tables: ${firstDifference(walked.dump, dump)}`,
    )
  return {
    'db/schema.sql': `-- Dump of the database. Written by \`npm run db:make\` out of the folders' SQL files. Do not edit.\n\n${dump}`,
    'src/platform/db/tables.generated.ts': types,
  }
}

async function build(lite: PGlite, parts: string[]): Promise<{ dump: string; types: string }> {
  await lite.exec("set timezone to 'UTC'; drop schema public cascade; create schema public")
  for (const part of parts) await lite.transaction((tx) => tx.exec(part))
  const ask: QueryRunner = async <Row>(text: string) => (await lite.query<Row>(text)).rows
  return { dump: await dumpSchema(ask), types: await writeTableTypes(ask) }
}

function firstDifference(walked: string, expected: string): string {
  const lines = expected.split('\n')
  const position = walked.split('\n').findIndex((line, index) => line !== lines[index])
  return `it has "${walked.split('\n')[position]}" where the folders have "${lines[position]}"`
}
