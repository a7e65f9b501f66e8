/**
 * `npm run db:make`: writes everything that follows from the SQL files of the rooms: the baseline, the functions and views to
 * put in place, the dump of the database as it stands, and the table types. With `--check` it writes nothing and fails when
 * one of them is not what it would write.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { readArguments } from '../apps/server/src/main/command-line.mjs'
import { readNumbered } from '../apps/server/src/platform/db/schema-files.ts'
import { makeDatabase } from './database/make.ts'
import { readRooms } from './database/rooms.ts'

const { values } = readArguments(import.meta.url, { check: { type: 'boolean', default: false } })
const rooms = readRooms()
const numbered = readNumbered()
const lite = await PGlite.create()
const made = await makeDatabase(lite, rooms, numbered.length > 1 ? numbered : [])
await lite.close()
for (const [name, text] of Object.entries(made)) {
  const file = fileURLToPath(new URL(`../apps/server/${name}`, import.meta.url))
  if (!values.check) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`apps/server/${name} is not what the rooms' SQL files say: run \`npm run db:make\`.`)
    process.exitCode = 1
  }
}
console.log(`${rooms.length} rooms with SQL files, ${numbered.length} numbered`)
