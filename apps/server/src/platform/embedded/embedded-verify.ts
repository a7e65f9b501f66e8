/**
 * Program that unpacks and opens a backup of an embedded database. Arguments: the file, and optionally the folder for the unpacked files.
 * The program is a separate process, because a damaged backup may crash the engine.
 */
import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

const [file = '', dataDir] = process.argv.slice(2)

const copy = await PGlite.create({ ...(dataDir === undefined ? {} : { dataDir }), loadDataDir: await openAsBlob(file) })
await copy.query('select count(*) from schema_migration')
await copy.close()
