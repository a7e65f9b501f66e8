import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Maximum bytes drained: the body limit of the proxies in `deploy/` plus a margin. */
const MAX_BYTES = 8 * 1024 * 1024
/** Maximum drain time in ms. */
const DRAIN_TIMEOUT_MS = 2_000

/**
 * Reads the rest of a request body, within limits, before the response. If a socket is closed with unread data, it sends RST and the client
 * may lose the response. A proxy sends the whole body first and would report its own error.
 */
export function drainRejectedBodies(app: FastifyInstance): void {
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
