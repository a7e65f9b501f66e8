import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import path from 'node:path'

/** Non-SQL requests to an embedded database, from any process with access to its data folder. */
export type BackupRequest =
  /** Writes the whole database into a new file, and reads it once more. */
  | { action: 'write'; file: string }
  /** Replaces the database by the database in a file, and moves the old database to another folder. */
  | { action: 'take'; file: string }
  /** Restores the folder set aside. */
  | { action: 'rollBack' }

const socketIn = (dataDir: string) => path.join(dataDir, '.copies')

/** Sends a request to the embedded database of a data folder, in this process or another. */
export function requestBackup(dataDir: string, order: BackupRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const line = connect(socketIn(dataDir), () => line.end(JSON.stringify(order)))
    line.on('data', (text) => (output += String(text)))
    line.once('error', reject)
    line.once('close', () => (output === 'done' ? resolve() : reject(new Error(output === '' ? 'The embedded database ended.' : output))))
  })
}

/** Serves requests for a data folder of this process, one after the other. */
export function acceptBackupRequests(dataDir: string, executeRequest: (order: BackupRequest) => Promise<void>): void {
  let before: Promise<unknown> = Promise.resolve()
  // A killed process leaves its socket behind.
  rmSync(socketIn(dataDir), { force: true })
  createServer({ allowHalfOpen: true }, (line) => {
    let request = ''
    line.on('error', () => line.destroy())
    line.on('data', (text) => (request += String(text)))
    line.on('end', () => {
      before = before
        .then(() => executeRequest(JSON.parse(request) as BackupRequest))
        .then(
          () => line.end('done'),
          (error: unknown) => line.end(error instanceof Error ? error.message : String(error)),
        )
    })
  }).listen(socketIn(dataDir))
}
