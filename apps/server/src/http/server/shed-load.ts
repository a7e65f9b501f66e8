import type { Socket } from 'node:net'
import { LIVE_PATH } from '@tizara/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'

export const isStream = (url: string) => url.startsWith(`/api/v1${LIVE_PATH}`)

/** Streams have a separate limit, and probes must get through. */
const uncounted = ({ url }: FastifyRequest) => url.startsWith('/health/') || isStream(url)

/** Seconds until a rejected call may be retried. */
export const RETRY_AFTER_SECONDS = 2

/** Shared by all rejected calls. Creating an error for each would double their cost. */
const BUSY = new AppError('BUSY')

/**
 * Rejects calls above the limit of calls in flight before reading their body (503), so a flood costs no memory. Delays clients that retry
 * early on the same connection until `Retry-After`, to save processor time.
 * @param limit maximum number of calls in flight
 */
export function shedLoad(app: FastifyInstance, limit: number): void {
  const inFlight = new WeakSet<FastifyRequest>()
  const rejectedAt = new WeakMap<Socket, number>()
  let inFlightCount = 0

  /** Admits a call, or records its rejection. */
  function admit(request: FastifyRequest): AppError | undefined {
    if (inFlightCount >= limit) {
      rejectedAt.set(request.raw.socket, performance.now())
      return BUSY
    }
    inFlight.add(request)
    inFlightCount += 1
    return undefined
  }

  app.addHook('onRequest', (request, _, next) => {
    if (uncounted(request)) return next()
    const { socket } = request.raw
    const early = inFlightCount < limit ? 0 : (rejectedAt.get(socket) ?? -Infinity) + RETRY_AFTER_SECONDS * 1_000 - performance.now()
    if (early <= 0) return next(admit(request))
    setTimeout(() => (socket.destroyed ? next(BUSY) : next(admit(request))), early)
  })
  app.addHook('onResponse', (request, _, next) => {
    if (inFlight.delete(request)) inFlightCount -= 1
    next()
  })
}
