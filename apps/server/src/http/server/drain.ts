import type { ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Time in ms for which idle connections stay open. A proxy may be sending a call at this moment. */
const IDLE_CLOSE_MS = 1_000
/** Maximum time in ms to finish open calls. No call may take this long; calls that are still open are then cut. */
const DRAIN_TIMEOUT_MS = 8_000

/**
 * Ends an app without losing a call. New connections are refused, or wait on the service manager's socket for the next
 * process. Requests on open connections are answered with `Connection: close`, and then the connections are closed.
 * @returns resolves when all calls are answered; runs as the last preClose hook
 */
export function addDrain(app: FastifyInstance): () => Promise<void> {
  const { server } = app
  const open = new Set<ServerResponse>()
  server.on('request', (_, reply: ServerResponse) => {
    open.add(reply)
    reply.once('close', () => open.delete(reply))
  })
  app.addHook('preClose', async () => {
    // Avoids http's close(), which cuts connections without a current call.
    if (server.listening) Server.prototype.close.call(server)
    // Fastify adds the header to later calls.
    for (const reply of open) if (!reply.headersSent) reply.setHeader('Connection', 'close')
  })
  const lines = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count ?? 0)))
  return async () => {
    const began = performance.now()
    const within = (milliseconds: number) => performance.now() - began < milliseconds
    while ((await lines()) > 0 && within(DRAIN_TIMEOUT_MS) && (open.size > 0 || within(IDLE_CLOSE_MS))) await pause(20)
    server.closeAllConnections()
  }
}
