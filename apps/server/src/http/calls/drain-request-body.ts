import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Bytes of a refused body that are read for nothing: what the proxies of `deploy/` let through at most, and some more. */
const MAX_BYTES = 8 * 1024 * 1024
/** Milliseconds for which its sender is waited for. */
const DRAIN_TIMEOUT_MS = 2_000

/**
 * Reads what is left of a body, within limits, before its call is answered. A line that is closed with unread bytes in it is
 * reset, and a reset takes with it the answer that the other side has not read yet: a proxy, which sends each body to its end
 * first, would then tell its own fault instead of the refusal.
 */
export function drainRefusedBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, _, payload, done) => {
    if (isRead(raw)) done(null, payload)
    else readOff(raw, () => done(null, payload))
  })
}

function isRead(body: IncomingMessage): boolean {
  const none = !('transfer-encoding' in body.headers) && !(Number(body.headers['content-length']) > 0)
  return none || body.complete || body.readableEnded || body.destroyed
}

function readOff(body: IncomingMessage, then: () => void): void {
  let left = MAX_BYTES
  const count = (bytes: Buffer) => {
    left -= bytes.length
    if (left < 0) end()
  }
  const end = () => {
    clearTimeout(timer)
    body.off('data', count).off('end', end).off('close', end)
    then()
  }
  const timer = setTimeout(end, DRAIN_TIMEOUT_MS)
  body.on('data', count).once('end', end).once('close', end)
  body.resume()
}
