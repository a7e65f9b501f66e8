import type { ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds for which lines without a call stay open: a proxy may be writing one on them at this moment. */
const LINGER = 1_000
/** Milliseconds after which whoever still has an open call is cut: slower than any call may be. */
const DRAIN_TIMEOUT_MS = 8_000

/**
 * Lets an app end without losing a call. First nothing new is taken on: whoever connects is refused, or waits for the next
 * process on a socket that the service manager holds, and a proxy goes elsewhere without having sent anything. What still
 * comes over open lines is answered in full, with the word that the line ends; then the lines are closed.
 * @returns waits for all that, as the last of the app's preClose hooks
 */
export function addDrain(app: FastifyInstance): () => Promise<void> {
  const { server } = app
  const open = new Set<ServerResponse>()
  server.on('request', (_, reply: ServerResponse) => {
    open.add(reply)
    reply.once('close', () => open.delete(reply))
  })
  app.addHook('preClose', async () => {
    // Not http's own close(), which cuts every line that has no call right now.
    if (server.listening) Server.prototype.close.call(server)
    // Calls from now on are told so by Fastify.
    for (const reply of open) if (!reply.headersSent) reply.setHeader('Connection', 'close')
  })
  const lines = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count ?? 0)))
  return async () => {
    const began = performance.now()
    const within = (milliseconds: number) => performance.now() - began < milliseconds
    while ((await lines()) > 0 && within(DRAIN_TIMEOUT_MS) && (open.size > 0 || within(LINGER))) await pause(20)
    server.closeAllConnections()
  }
}
