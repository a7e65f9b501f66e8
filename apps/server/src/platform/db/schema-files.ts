import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import tiers from '../../../tiers.json' with { type: 'json' }
import { VERSION } from '../runtime/release.ts'

/** An SQL file with its digest. A database stores the digest of its version. */
export interface SqlFile {
  name: string
  text: string
  digest: string
}

/** The schema required by a version of the product. */
export interface Schema {
  /** The baseline and the numbered changes after it, in order; each runs once. */
  migrations: SqlFile[]
  /** All functions and views. A change of one of them recreates all. */
  bodies: SqlFile
  /** The version itself, MAJOR.MINOR.PATCH. */
  version: string
}

/** A server folder with its SQL files in execution order. */
export interface SqlFolder {
  /** The folder below apps/server/src. */
  folder: string
  /** Tier of the folder, 0 for the lowest. Folders of one tier are siblings. */
  tier: number
  files: { name: string; text: string }[]
}

const SERVER = fileURLToPath(new URL('../../../', import.meta.url))
/** The numbered changes, and the frozen baseline once there is a release. */
const CHANGES = path.join(SERVER, 'db')
/**
 * Order of the files. Functions come first, because columns, checks and triggers call functions. PostgreSQL checks the bodies at the end.
 */
const FILES = ['functions.sql', 'schema.sql', 'views.sql']
const BASELINE = '0001_baseline.sql'
/** Folder of the triggers that count list rows. `npm run db:make` generates the triggers from the modules' `history.ts`. */
export const COUNTING = '../db/counting'

const BODIES_LATER = 'set local check_function_bodies = off;\n'
const BODIES_NOW = `set local check_function_bodies = on;
select case l.lanname when 'sql' then fmgr_sql_validator(p.oid) else plpgsql_validator(p.oid) end
from pg_proc p join pg_language l on l.oid = p.prolang
where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a' and l.lanname in ('sql', 'plpgsql');
`

/** Reads the SQL files of all folders, the lowest tier first. */
export function readSqlFolders(): SqlFolder[] {
  const folders = tiers.flatMap((paths, tier) => paths.map((folder) => ({ folder, tier, files: readFiles(folder) })))
  return [...folders, { folder: COUNTING, tier: tiers.length, files: readFiles(COUNTING) }]
}

function readFiles(folder: string): SqlFolder['files'] {
  return FILES.map((name) => ({ name, file: path.join(SERVER, 'src', folder, name) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, text: readFileSync(file, 'utf8') }))
}

const texts = (folders: readonly SqlFolder[], names?: string) =>
  folders.flatMap(({ folder, files }) =>
    files.filter(({ name }) => names === undefined || name === names).map(({ name, text }) => `-- ${folder}/${name}\n${text}`),
  )

/** Joins the SQL files of all folders to the schema of an empty database. */
export const joinBaseline = (folders: readonly SqlFolder[]): string => [BODIES_LATER, ...texts(folders)].join('\n')

/** Joins all functions and views. All views are dropped in reverse order and created again, because the columns of a view may change. */
export function joinBodies(folders: readonly SqlFolder[]): string {
  const views = texts(folders, 'views.sql')
  const names = [...views.join('\n').matchAll(/^create view (\w+)/gm)].map(([, name]) => name)
  const drop = names.length === 0 ? [] : [`drop view if exists ${names.toReversed().join(', ')};\n`]
  return [BODIES_LATER, ...drop, ...texts(folders, 'functions.sql'), ...views, BODIES_NOW].join('\n')
}

export const sqlFile = (name: string, text: string): SqlFile => ({ name, text, digest: createHash('sha256').update(text).digest('hex') })

/**
 * Reads the frozen baseline, if one exists, and the later changes in order of number.
 * @param folder folder of the numbered files
 */
export const readNumbered = (folder = CHANGES): SqlFile[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .toSorted()
    .map((name) => sqlFile(name, readFileSync(path.join(folder, name), 'utf8')))

/** Reads the required schema. Until a release freezes the baseline, it is joined from the modules' files. */
export function readSchema(): Schema {
  const folders = readSqlFolders()
  const numbered = readNumbered()
  const migrations = numbered[0]?.name === BASELINE ? numbered : [sqlFile(BASELINE, joinBaseline(folders)), ...numbered]
  return { migrations, bodies: sqlFile('bodies.sql', joinBodies(folders)), version: VERSION }
}
