/**
 * `npm run db:make`: generates files from the folders' SQL: the schema dump, the table types, and the triggers of the list counters.
 * `--freeze` also writes the baseline, which a first release must keep. With `--check` it writes nothing and fails on a stale file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { readArguments } from '../../apps/server/src/cli/command-line.mjs'
import { COUNTING, joinBaseline, readNumbered } from '../../apps/server/src/platform/db/schema-files.ts'
import { makeDatabase } from './make.ts'
import { readAllFolders, writeCounting } from './all-folders.ts'

const flag = { type: 'boolean', default: false } as const
const { values } = readArguments(import.meta.url, { check: flag, freeze: flag })
const SERVER = fileURLToPath(new URL('../../apps/server/', import.meta.url))

function put(name: string, text: string): void {
  const file = path.join(SERVER, name)
  if (values.check && (!existsSync(file) || readFileSync(file, 'utf8') !== text)) {
    console.error(`apps/server/${name} is not what the folders' SQL files say: run \`npm run db:make\`.`)
    process.exitCode = 1
  }
  if (values.check) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

// Writes these files first, because they are part of the folders' SQL.
for (const [name, text] of Object.entries(writeCounting())) put(path.join('src', COUNTING, name), text)
const folders = readAllFolders()
if (values.freeze) put('db/0001_baseline.sql', joinBaseline(folders))
const lite = await PGlite.create()
for (const [name, text] of Object.entries(await makeDatabase(lite, folders, readNumbered()))) put(name, text)
await lite.close()
console.log(`${folders.length} folders, ${readNumbered().length} numbered changes`)
