/** Worker thread: unpacks and opens a backup of an embedded database. A torn backup may crash the thread. */
import { openAsBlob } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

const { file, dataDir } = workerData as { file: string; dataDir: string | null }

const copy = await PGlite.create({ ...(dataDir === null ? {} : { dataDir }), loadDataDir: await openAsBlob(file) })
await copy.query('select count(*) from schema_migration')
await copy.close()
parentPort?.postMessage('good')
