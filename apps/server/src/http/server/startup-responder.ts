import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'
import { toErrorReply } from '../calls/error-reply.ts'
import { writeJson } from './json.ts'

/** Time in ms for which a call waits until the process is ready. */
const WAIT_MS = 8_000
/** Maximum waiting calls. */
const MAX_WAITING = 1_000

/** Answers requests while the process cannot work yet. */
export interface StartupResponder {
  /** Sets the reason that `/health/ready` reports. */
  setReason(why: string): void
  /** Passes the address and the waiting calls to the app. No call is refused in between. */
  handOver(app: FastifyInstance): Promise<unknown>
}

/**
 * Listens while the process waits for its schema. `/health/live` responds with 200, and `/health/ready` with 503 and the reason. Other
 * calls wait for the schema, and get 503 if the wait takes too long.
 */
export async function startStartupResponder(address: object, patience = WAIT_MS): Promise<StartupResponder> {
  let why = ''
  const waiting = new Map<IncomingMessage, ServerResponse>()
  const server = createServer((request, reply) => {
    reply.setHeader('Connection', 'close')
    if (request.url === '/health/live') return send(reply, 200, { status: 'live' })
    if (request.url === '/health/ready') return send(reply, 503, { status: 'not ready', why })
    if (waiting.size >= MAX_WAITING) return sendBusy(reply)
    waiting.set(request, reply)
    const late = setTimeout(() => waiting.delete(request) && sendBusy(reply), patience)
    reply.once('close', () => {
      clearTimeout(late)
      waiting.delete(request)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve))
  return {
    setReason: (reason) => void (why = reason),
    handOver: async (app) => {
      // Gives the listening socket to Node's `listen`, so that the app's server continues with the same socket.
      const { _handle: handle } = server as unknown as { _handle: object }
      const at = await app.listen({ ...address, handle } as object)
      for (const [request, reply] of waiting) app.server.emit('request', request, reply)
      waiting.clear()
      return at
    },
  }
}

function sendBusy(reply: ServerResponse): void {
  const { body, headers } = toErrorReply(new AppError('BUSY'))
  send(reply, 503, body, headers)
}

function send(reply: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  reply.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(status === 503 ? { 'Retry-After': '2' } : {}),
    ...headers,
  })
  reply.end(writeJson(body))
}
