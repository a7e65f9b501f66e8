/** The thread that runs the embedded database and serves it on a unix socket, so that queries never stall the API. */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { keepStatementsTogether } from './embedded-units.ts'

const { storeDir, socketPath, image } = workerData as { storeDir: string | null; socketPath: string; image: Uint8Array | null }

const lite = await PGlite.create({
  ...(storeDir === null ? {} : { dataDir: storeDir }),
  ...(image === null ? {} : { loadDataDir: new Blob([image as Uint8Array<ArrayBuffer>]) }),
})
await lite.exec("set timezone to 'UTC'")
keepStatementsTogether(lite)
const server = new PGLiteSocketServer({ db: lite, path: socketPath, maxConnections: 100 })
await server.start()
parentPort?.postMessage('ready')

async function close(): Promise<void> {
  await server.stop()
  await lite.close()
  parentPort?.postMessage('closed')
}
parentPort?.once('message', () => void close())
