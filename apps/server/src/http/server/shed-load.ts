import type { Socket } from 'node:net'
import { LIVE_PATH } from '@tizara/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'

export const isStream = (url: string) => url.startsWith(`/api/v1${LIVE_PATH}`)

/** Streams stay open, and have a limit of their own; probes have to get through. */
const uncounted = ({ url }: FastifyRequest) => url.startsWith('/health/') || isStream(url)

/** Seconds until a refused call may be retried. */
export const RETRY_AFTER_SECONDS = 2

/** One for all refusals: an error of each would cost as much as the rest of the refusal. */
const REFUSED = new AppError('BUSY')

/**
 * Rejects calls above the limit of open calls before their body is read (503), so that a flood costs no memory. Delays
 * clients that retry early on the same connection until `Retry-After`, so they cannot take the processor.
 * @param most maximum number of open calls
 */
export function shedLoad(app: FastifyInstance, most: number): void {
  const open = new WeakSet<FastifyRequest>()
  const refusedAt = new WeakMap<Socket, number>()
  let count = 0

  /** Takes a call in, or remembers that it was refused. */
  function admit(request: FastifyRequest): AppError | undefined {
    if (count >= most) {
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
    const early = count < most ? 0 : (refusedAt.get(socket) ?? -Infinity) + RETRY_AFTER_SECONDS * 1_000 - performance.now()
    if (early <= 0) return next(admit(request))
    setTimeout(() => (socket.destroyed ? next(REFUSED) : next(admit(request))), early)
  })
  app.addHook('onResponse', (request, _, next) => {
    if (open.delete(request)) count -= 1
    next()
  })
}
