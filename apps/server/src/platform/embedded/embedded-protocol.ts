import type { PGlite } from '@electric-sql/pglite'

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)
/** Messages of the extended query protocol: from the first of them to the Sync they belong together. */
const EXTENDED = new Set(Buffer.from('PBDECHF'))
const SYNC_MESSAGE = new Uint8Array([SYNC, 0, 0, 0, 4])

/**
 * Serializes protocol messages per statement: all connections share one PGlite session. Between transactions the server
 * accepts the next message of any connection, so another connection's Parse could come between a Parse and its Execute.
 * The server reserves the session while `isInTransaction` is true. This extends it from the first message of a statement
 * to its Sync.
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
  // The socket server rolls back for a lost connection. Its unfinished statement is closed first.
  lite.exec = async (query, options) => {
    if (open) {
      open = false
      await execRaw(SYNC_MESSAGE, { onRawData: () => undefined })
    }
    return exec(query, options)
  }
}
