import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { StartupError } from '../runtime/startup-error.ts'
import { isDiskFull } from './disk-space.ts'
import { makePrivateFolder, isReadOnly } from './private-folder.ts'

/** A running embedded database (docs/decisions/0001-type-stripping-and-one-driver.md). */
export interface Embedded {
  /** Folder with the socket `.s.PGSQL.5432`, as PostgreSQL clients expect it. */
  socketDir: string
  close(): Promise<void>
}

const SOCKET_NAME = '.s.PGSQL.5432'
/** Maximum bytes of a socket's path. */
const LONGEST_SOCKET = 107

/** Returns true if an embedded database answers on the folder's socket. */
export function embeddedAnswers(dataDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path.join(dataDir, SOCKET_NAME))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/**
 * Starts the embedded database of a data folder and locks the folder for this process.
 * @param dataDir absolute path; created when missing
 * @throws StartupError when a live process owns the folder, others can read it, it is not writable, it has a damaged
 * database, or the disk is full
 */
export async function startEmbedded(dataDir: string): Promise<Embedded> {
  const socketPath = path.join(dataDir, SOCKET_NAME)
  const bytes = Buffer.byteLength(socketPath)
  if (bytes > LONGEST_SOCKET)
    throw new StartupError(`${dataDir} is ${bytes - LONGEST_SOCKET} bytes too long for the socket in it. Set a shorter DATA_DIR.`)
  const storeDir = path.join(dataDir, 'database')
  let unlock: (() => void) | undefined
  const close = await (async () => {
    makePrivateFolder(dataDir)
    unlock = takeFolder(dataDir)
    rmSync(socketPath, { force: true })
    // The engine sets different file modes.
    makePrivateFolder(storeDir)
    assertDatabaseOrEmpty(storeDir)
    return startThread({ storeDir, socketPath, image: null })
  })().catch((error: unknown) => {
    unlock?.()
    throw faultOf(dataDir, error)
  })
  return {
    socketDir: dataDir,
    close: async () => {
      await close()
      rmSync(socketPath, { force: true })
      unlock?.()
    },
  }
}

/**
 * Refuses a database folder that lost its version file, because the engine would write a new database over the old files. A first start
 * that was cut short leaves only empty folders.
 * @throws StartupError
 */
function assertDatabaseOrEmpty(storeDir: string): void {
  if (existsSync(path.join(storeDir, 'PG_VERSION'))) return
  const hasFiles = readdirSync(storeDir, { recursive: true, withFileTypes: true }).some((entry) => !entry.isDirectory())
  if (!hasFiles) return
  throw new StartupError(
    `${storeDir} has files but no PG_VERSION, so it is not a complete database. Nothing was changed. Restore a backup into another DATA_DIR, or move the folder away.`,
  )
}

/** Converts a startup failure into an instruction for the operator. Other errors pass unchanged. */
function faultOf(dataDir: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (isReadOnly(error)) return new StartupError(`${dataDir} is on a read-only disk. Mount it for writing, or set another DATA_DIR.`)
  if (['EACCES', 'EPERM'].includes(code))
    return new StartupError(`${dataDir} cannot be written by this user. Give it to this user, or set another DATA_DIR.`)
  if (code === 'ENOENT') return new StartupError(`${dataDir} cannot be created. Set another DATA_DIR.`)
  if (['ENOTDIR', 'EEXIST'].includes(code)) return new StartupError(`${dataDir} is not a folder. Set another DATA_DIR.`)
  if (error instanceof StartupError || !isDiskFull(dataDir)) return error
  return new StartupError(`The disk of ${dataDir} is full: free some space and start again. No acknowledged data is lost.`)
}

/**
 * Starts an embedded database in memory, for tests.
 * @param socketDir an empty folder for its socket
 * @param image the packed files of a prepared database, or null for an empty one
 */
export async function startEmbeddedInMemory(socketDir: string, image: Uint8Array | null): Promise<Embedded> {
  const close = await startThread({ storeDir: null, socketPath: path.join(socketDir, SOCKET_NAME), image })
  return { socketDir, close }
}

async function startThread(data: { storeDir: string | null; socketPath: string; image: Uint8Array | null }) {
  const worker = new Worker(new URL('embedded-worker.ts', import.meta.url), { workerData: data })
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    // Under `node --watch` a thread also reports the files that it loads.
    worker.on('message', (message: unknown) => {
      if (message === 'ready') resolve()
    })
    worker.once('error', reject)
    void exited.then((code) => reject(new Error(`the embedded database ended with code ${code}`)))
  })
  return async () => {
    worker.postMessage('close')
    await exited
  }
}

function takeFolder(dataDir: string): () => void {
  const lock = path.join(dataDir, 'owner.pid')
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
      const owner = Number(readFileSync(lock, 'utf8'))
      if (isOurProgram(owner)) throw new StartupError(`${dataDir} is in use by process ${owner}. Stop it first, or set another DATA_DIR.`)
      rmSync(lock, { force: true })
    }
  }
}

/** PIDs are reused. On Linux, the command line identifies the program. */
function isOurProgram(pid: number): boolean {
  // A full disk or a power loss leaves an empty file.
  if (!(pid > 0) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('apps/server')
  } catch {
    return true
  }
}
