import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../runtime/release.ts'

/** An SQL file with the digest by which a database knows which text it was given. */
export interface SqlFile {
  name: string
  text: string
  digest: string
}

/** What a version of the product needs its database to have. */
export interface Schema {
  /** The baseline and the numbered changes after it, in order; each runs once. */
  migrations: SqlFile[]
  /** All functions and views; they are put in place again when one of them changes. */
  bodies: SqlFile
  /** The version itself, MAJOR.MINOR.PATCH. */
  version: string
}

const FOLDER = fileURLToPath(new URL('../../../db/', import.meta.url))

export const sqlFile = (name: string, text: string): SqlFile => ({ name, text, digest: createHash('sha256').update(text).digest('hex') })

const read = (name: string) => sqlFile(name, readFileSync(path.join(FOLDER, name), 'utf8'))

/** The baseline and the changes after it, in the order of their numbers. */
export const readNumbered = (): SqlFile[] =>
  readdirSync(FOLDER)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .toSorted()
    .map(read)

export const readSchema = (): Schema => ({ migrations: readNumbered(), bodies: read('bodies.sql'), version: VERSION })
