/**
 * Program: unpacks and opens a backup of an embedded database. Its arguments are the file, and the folder to unpack it into, if any. It
 * is a process of its own, because a torn backup may crash the engine.
 */
import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

const [file = '', dataDir] = process.argv.slice(2)

const copy = await PGlite.create({ ...(dataDir === undefined ? {} : { dataDir }), loadDataDir: await openAsBlob(file) })
await copy.query('select count(*) from schema_migration')
await copy.close()
