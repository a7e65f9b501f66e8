import type { PGlite } from '@electric-sql/pglite'

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)
/** Messages of the extended query protocol: from the first of them to the Sync they belong together. */
const EXTENDED = new Set(Buffer.from('PBDECHF'))
const SYNC_MESSAGE = new Uint8Array([SYNC, 0, 0, 0, 4])

/**
 * Keeps the messages of one statement together. All connections of the socket server share one session; between
 * transactions it takes the next message of any connection, so that one connection's Parse could come between another
 * one's Parse and Execute. The server leaves the session to one connection while `isInTransaction` says so: here that
 * also holds from the first message of a statement to its Sync.
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
  // The socket server rolls back for a connection that went away; its unfinished statement is closed first.
  lite.exec = async (query, options) => {
    if (open) {
      open = false
      await execRaw(SYNC_MESSAGE, { onRawData: () => undefined })
    }
    return exec(query, options)
  }
}
