import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { histories } from '../../apps/server/src/main/histories.ts'
import { countedTables, countingSql } from '../../apps/server/src/modules/histories/count-list-rows.ts'
import { readSqlFolders, type SqlFolder } from '../../apps/server/src/platform/db/schema-files.ts'

const SERVER = fileURLToPath(new URL('../../apps/server/src/', import.meta.url))

/**
 * Reads all folders and checks that none is missing.
 * @throws Error for an SQL file outside the folders of apps/server/tiers.json, or with an unknown name
 */
export function readAllFolders(): SqlFolder[] {
  const folders = readSqlFolders()
  const known = new Set(folders.flatMap(({ folder, files }) => files.map(({ name }) => path.join(folder, name))))
  for (const file of readdirSync(SERVER, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.sql') && !known.has(file)) throw new Error(`${file} belongs to no folder of apps/server/tiers.json`)
  return folders
}

/** Generates the SQL that counts rows of members' lists from each `history.ts`, by file name. */
export function writeCounting(): Record<'functions.sql' | 'schema.sql', string> {
  const counted = countedTables(histories).map(countingSql)
  return {
    'functions.sql': counted.map(({ functions }) => functions).join('\n'),
    'schema.sql': counted.map(({ triggers }) => triggers).join('\n'),
  }
}
