import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import { readSchema } from '../src/platform/db/schema-files.ts'
import { type DescribedStatement, describeAll } from './describe-statements.ts'

/** Statements sent by the product during a project's tests, with PostgreSQL's descriptions. */
interface Recording {
  /** Schema digest for the descriptions. */
  schema: string
  statements: DescribedStatement[]
}

/** Each extent runs other files (vitest.config.ts), and has separate recordings. */
export const extent = process.env['TEST_EXTENT'] ?? 'short'

/** One file per project, in a folder that outlives the run, because a later run may skip an unchanged step. */
const FOLDER = fileURLToPath(new URL(`../../../node_modules/.cache/test/statements-${extent}`, import.meta.url))

const schemaDigest = (): string => {
  const { migrations, bodies } = readSchema()
  return createHash('sha256')
    .update([...migrations, bodies].map(({ digest }) => digest).join())
    .digest('hex')
}

/**
 * Saves the texts recorded by a project and replaces the previous recording.
 * @param folder folder with one file per text
 * @param url database with this version's schema
 */
export async function keepRecording(project: string, folder: string, url: string): Promise<void> {
  const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
  const pool = new Pool({ connectionString: url, max: 1 })
  const statements = await describeAll(pool, texts.toSorted())
  await pool.end()
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(path.join(FOLDER, `${project}.json`), JSON.stringify({ schema: schemaDigest(), statements } satisfies Recording, null, 1))
}

/**
 * Reads the PostgreSQL projects' recordings, at least `server`.
 * @throws Error if the recording is missing or belongs to another schema
 */
export function readRecordings(): Recording['statements'] {
  const advice = 'Run the tests of project `server` first, in full: `npm test -- server`.'
  const files = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  if (!files.includes('server.json')) throw new Error(`No recorded statements in ${FOLDER}. ${advice}`)
  const recordings = files.map((name) => ({ name, ...(JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as Recording) }))
  const usable = recordings.filter(({ schema }) => schema === schemaDigest())
  if (!usable.some(({ name }) => name === 'server.json')) throw new Error(`The recorded statements are of another schema. ${advice}`)
  return usable.flatMap(({ statements }) => statements)
}
