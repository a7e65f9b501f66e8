/** Worker thread that runs the embedded database on a unix socket, so that queries never block the API. */
import { spawn } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { isDiskFull } from './disk-space.ts'
import { type BackupRequest, acceptBackupRequests } from './embedded-backup.ts'
import { serializeStatements } from './embedded-protocol.ts'

const { storeDir, socketPath, image } = workerData as { storeDir: string | null; socketPath: string; image: Uint8Array | null }

let lite: PGlite
let server: PGLiteSocketServer

async function open(): Promise<void> {
  lite = await PGlite.create({
    ...(storeDir === null ? {} : { dataDir: storeDir }),
    ...(image === null ? {} : { loadDataDir: new Blob([image as Uint8Array<ArrayBuffer>]) }),
  })
  await lite.exec("set timezone to 'UTC'")
  serializeStatements(lite)
  server = new PGLiteSocketServer({ db: lite, path: socketPath, maxConnections: 100 })
  await server.start()
}

async function close(): Promise<void> {
  await server.stop()
  await lite.close()
}

await open()
if (storeDir !== null) acceptBackupRequests(path.dirname(socketPath), (order) => executeRequest(order, storeDir))
parentPort?.postMessage('ready')
// The thread ends itself, because V8 may abort the process if a thread is terminated while its engine works.
parentPort?.once('message', () => void close().finally(() => process.exit()))

/**
 * @throws Error if the file contains no database, or the disk has too little space
 */
async function load(file: string, dataDir: string | null): Promise<void> {
  const verifier = fileURLToPath(new URL('embedded-verify.ts', import.meta.url))
  const child = spawn(process.execPath, [verifier, file, ...(dataDir === null ? [] : [dataDir])], { stdio: 'ignore' })
  const isOpened = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
  const isFull = dataDir !== null && isDiskFull(path.dirname(dataDir))
  if (isOpened && !isFull) return
  if (dataDir !== null) rmSync(dataDir, { recursive: true, force: true })
  throw new Error(
    isFull ? `The disk of ${dataDir} is full. Nothing was changed.` : `${file} is not a backup of an embedded database, or is incomplete.`,
  )
}

async function executeRequest(order: BackupRequest, store: string): Promise<void> {
  const [claimed, aside] = [`${store}.taken`, `${store}.before`]
  if (order.action === 'write') {
    // A killed process leaves its partial file behind.
    rmSync(order.file, { force: true })
    // A snapshot of the data folder with its log, as after a crash.
    writeFileSync(order.file, Buffer.from(await (await lite.dumpDataDir('gzip')).arrayBuffer()), { flag: 'wx', mode: 0o600 })
    return load(order.file, null)
  }
  if (order.action === 'take') {
    rmSync(claimed, { recursive: true, force: true })
    await load(order.file, claimed)
  }
  await close()
  if (order.action === 'take') {
    rmSync(aside, { recursive: true, force: true })
    renameSync(store, aside)
    renameSync(claimed, store)
  } else {
    rmSync(store, { recursive: true, force: true })
    renameSync(aside, store)
  }
  await open()
}
