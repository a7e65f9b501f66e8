import { shellCommand } from '../runtime/release.ts'
import type { Schema, SqlFile } from './schema-files.ts'

/** Whatever answers a query. */
export interface Asks {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** One connection to a database. */
export interface SqlSession extends Asks {
  /** Runs statements without parameters, one after the other. */
  exec(text: string): Promise<unknown>
}

/** This version cannot use or migrate the database. The message names the reason and the next step. */
export class SchemaError extends Error {
  override name = 'SchemaError'
}

/** State of a database compared with a version's schema. */
export interface SchemaState {
  /** The last migration run, without `.sql`; undefined on an empty database. */
  version: string | undefined
  /** Pending migrations, in order. */
  missing: SqlFile[]
  /** Migrations run by a newer version. */
  beyond: string[]
  /** True if functions and views are exactly those of this version. */
  bodiesInPlace: boolean
  /** True if this version's functions and views were installed at some time. The present functions and views are then equal or newer. */
  bodiesSeen: boolean
}

const START_AGAIN = 'It cannot be upgraded: set DATABASE_URL to an empty database, or delete DATA_DIR in the sandbox.'

/**
 * Compares a database with the required schema.
 * @throws SchemaError when an applied migration differs from this version's, is older than the baseline, or is too far
 * ahead of this version
 */
export async function readSchemaState(session: Asks, schema: Schema): Promise<SchemaState> {
  const { rows: tables } = (await session.query(`
    select to_regclass('schema_migration') is not null as known, current_database() as name,
      (select count(*)::int from pg_class where relkind in ('r', 'p') and relnamespace = to_regnamespace('public')
        and relname not in ('schema_migration', 'schema_bodies')
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')) as others,
      to_regclass('ledger_account') is not null and to_regclass('member') is not null as ours,
      lower('I') = 'i' and upper('i') = 'I' as plain,
      exists (select from pg_attribute where attrelid = to_regclass('schema_migration') and attname = 'version') as versions`)) as {
    rows: { known: boolean; name: string; others: number; ours: boolean; plain: boolean; versions: boolean }[]
  }
  if (tables[0] !== undefined && !tables[0].known && tables[0].ours) throw lostNote(tables[0].name)
  if (tables[0] !== undefined && !tables[0].known && tables[0].others > 0)
    throw new SchemaError(`The database ${tables[0].name} contains other tables. Set DATABASE_URL to a database of this product.`)
  if (tables[0]?.known === false && !tables[0].plain)
    throw new SchemaError(
      `In the database ${tables[0].name} the lower case of I is not i (as in Turkish). Create it with locale 'C' (deploy/postgresql.sql).`,
    )
  if (tables[0]?.known !== true)
    return { version: undefined, missing: schema.migrations, beyond: [], bodiesInPlace: false, bodiesSeen: false }
  if (!tables[0].versions) throw new SchemaError(`This database is older than ${schema.migrations[0]?.name}. ${START_AGAIN}`)
  const ran = (await session.query('select name, digest, version from schema_migration order by name collate "C"')) as {
    rows: AppliedMigration[]
  }
  if (ran.rows.length === 0 && tables[0].others > 0) throw lostNote(tables[0].name)
  const bodies = (await session.query('select digest, version from schema_bodies order by ran_at desc')) as { rows: AppliedBodies[] }
  return schemaStateOf(ran.rows, bodies.rows, schema)
}

/** Returns the error for a database without the record of its schema. The version of such a database is unknown. */
const lostNote = (name: string) =>
  new SchemaError(
    `The database ${name} has this product's tables but no schema version (schema_migration). Nothing was changed. Restore the last backup into a new database.`,
  )

/** An applied migration, and applied functions and views. */
export type AppliedMigration = { name: string; digest: string; version: string }
export type AppliedBodies = { digest: string; version: string }

/**
 * Judges the migrations of a database, or of the source of a backup.
 * @param ran in the order of their names
 * @param bodies the newest first
 * @throws SchemaError as {@link readSchemaState} does
 */
export function schemaStateOf(ran: AppliedMigration[], bodies: AppliedBodies[], schema: Schema): SchemaState {
  compare(ran, schema.migrations)
  for (const { version } of [...ran.slice(schema.migrations.length), ...bodies.slice(0, 1)])
    if (!worksOn(schema.version, version))
      throw new SchemaError(
        `This database has the schema of version ${version}, which ${schema.version} cannot use. Start a newer version, or restore an earlier backup into a new database (CHANGELOG.md).`,
      )
  return {
    version: ran.at(-1)?.name.replace(/\.sql$/, ''),
    missing: schema.migrations.slice(ran.length),
    beyond: ran.slice(schema.migrations.length).map(({ name }) => name),
    bodiesInPlace: bodies[0]?.digest === schema.bodies.digest,
    bodiesSeen: bodies.some(({ digest }) => digest === schema.bodies.digest),
  }
}

/** Returns true if a version works on the schema of another version: an earlier one, the same, or the next minor version. */
function worksOn(version: string, left: string): boolean {
  const [[major = 0, minor = 0], [itsMajor = 0, itsMinor = 0]] = [version.split('.').map(Number), left.split('.').map(Number)] as const
  return itsMajor < major || (itsMajor === major && itsMinor <= minor + 1)
}

/** Throws unless the applied migrations are the first of the known ones. A newer version may have applied further migrations. */
function compare(ran: { name: string; digest: string }[], files: SqlFile[]): void {
  for (const [index, { name, digest }] of ran.entries()) {
    const file = files[index]
    if (file?.name === name && file.digest === digest) continue
    if (file?.name === name)
      throw new SchemaError(
        `${name} was edited after it ran on this database. Restore it and write a new migration.${index === 0 ? ` ${START_AGAIN}` : ''}`,
      )
    if (files.some((other) => other.name === name))
      throw new SchemaError(`${file?.name} has not run on this database, but the later ${name} has. Renumber it after the last one.`)
    if (file !== undefined) throw new SchemaError(`${name} ran on this database and is missing here.`)
  }
}

/** Returns one sentence about the missing part of the schema, or undefined if it is complete. */
export async function missingFromSchema(session: Asks, schema: Schema): Promise<string | undefined> {
  const { version, missing, bodiesSeen } = await readSchemaState(session, schema)
  const needed = missing.at(-1)?.name.replace(/\.sql$/, '') ?? (bodiesSeen ? undefined : 'the functions of this version')
  if (needed === undefined) return undefined
  return `${version === undefined ? 'The database is empty' : `The database has version ${version}`} and needs ${needed}: run \`${shellCommand('migrate')}\`.`
}
