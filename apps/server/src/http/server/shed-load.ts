import type { Socket } from 'node:net'
import { LIVE_PATH } from '@tizara/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'

export const isStream = (url: string) => url.startsWith(`/api/v1${LIVE_PATH}`)

/** Streams have a separate limit, and probes must get through. */
const uncounted = ({ url }: FastifyRequest) => url.startsWith('/health/') || isStream(url)

/** Seconds until a refused call may be retried. */
export const RETRY_AFTER_SECONDS = 2

/** Shared by all refusals. Creating an error for each would double their cost. */
const REFUSED = new AppError('BUSY')

/**
 * Rejects calls above the limit of open calls before reading their body (503), so a flood costs no memory. Delays clients that retry
 * early on the same connection until `Retry-After`, to save processor time.
 * @param limit maximum number of open calls
 */
export function shedLoad(app: FastifyInstance, limit: number): void {
  const open = new WeakSet<FastifyRequest>()
  const refusedAt = new WeakMap<Socket, number>()
  let count = 0

  /** Admits a call, or records its refusal. */
  function admit(request: FastifyRequest): AppError | undefined {
    if (count >= limit) {
      refusedAt.set(request.raw.socket, performance.now())
      return REFUSED
    }
    open.add(request)
    count += 1
    return undefined
  }

  app.addHook('onRequest', (request, _, next) => {
    if (uncounted(request)) return next()
    const { socket } = request.raw
    const early = count < limit ? 0 : (refusedAt.get(socket) ?? -Infinity) + RETRY_AFTER_SECONDS * 1_000 - performance.now()
    if (early <= 0) return next(admit(request))
    setTimeout(() => (socket.destroyed ? next(REFUSED) : next(admit(request))), early)
  })
  app.addHook('onResponse', (request, _, next) => {
    if (open.delete(request)) count -= 1
    next()
  })
}
