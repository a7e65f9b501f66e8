import type { PGlite } from '@electric-sql/pglite'

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)
/** Messages of the extended query protocol. All messages from the first to the Sync belong to one statement. */
const EXTENDED = new Set(Buffer.from('PBDECHF'))
const SYNC_MESSAGE = new Uint8Array([SYNC, 0, 0, 0, 4])

/**
 * Serializes protocol messages per statement, because all connections share one PGlite session. Between transactions the server accepts the
 * next message of any connection, so that the Parse of one connection could come between Parse and Execute of another. The server reserves
 * the session while `isInTransaction` is true. This function extends the reservation from the first message of a statement to the Sync.
 */
export function serializeStatements(lite: PGlite): void {
  const execRaw = lite.execProtocolRawStream.bind(lite)
  const isInTransaction = lite.isInTransaction.bind(lite)
  const exec = lite.exec.bind(lite)
  let open = false
  lite.execProtocolRawStream = async (message, options) => {
    const kind = message[0] ?? 0
    if (EXTENDED.has(kind)) open = true
    try {
      await execRaw(message, options)
    } finally {
      if (kind === SYNC || kind === QUERY || kind === TERMINATE) open = false
    }
  }
  lite.isInTransaction = () => open || isInTransaction()
  // Closes the unfinished statement of a lost connection before the socket server rolls back.
  lite.exec = async (query, options) => {
    if (open) {
      open = false
      await execRaw(SYNC_MESSAGE, { onRawData: () => undefined })
    }
    return exec(query, options)
  }
}
