import { LIVE_PATH } from '@tizara/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../platform/app-error.ts'

/** Milliseconds within which a call is answered, whatever it waits for. */
export const ANSWER_MS = 9_500
/** The same for a call that brings a file, which may come slowly. */
export const UPLOAD_MS = 30_000
/** The same for a call that answers a file, which may go slowly. */
export const FILE_MS = 600_000

export const isStream = (url: string) => url.startsWith(`/api/v1${LIVE_PATH}`)

/** Streams stay open, and have a limit of their own; probes have to get through. */
const uncounted = ({ url }: FastifyRequest) => url.startsWith('/health/') || isStream(url)

/**
 * Refuses calls above the number that may be open at once at the door, before they are read (503, "try again"), so that a
 * flood costs no memory.
 * @param most calls that may be open at once
 */
export function shedLoad(app: FastifyInstance, most: number): void {
  const open = new WeakSet<FastifyRequest>()
  let count = 0
  app.addHook('onRequest', async (request) => {
    if (uncounted(request)) return
    if (count >= most) throw new AppError('BUSY')
    open.add(request)
    count += 1
  })
  app.addHook('onResponse', async (request) => {
    if (open.delete(request)) count -= 1
  })
}
