import type { FastifyReply, FastifyRequest } from 'fastify'

/** Milliseconds within which a call is answered, whatever it waits for. */
export const ANSWER_MS = 9_500
/** The same for a call that brings a file, which may come slowly. */
export const UPLOAD_MS = 30_000
/** The same for a call that answers a file, which may go slowly. */
export const FILE_MS = 600_000

/**
 * Route hooks that answer 503 at the deadline and cut a response in progress. Fastify's `handlerTimeout` costs more: it
 * creates an abort signal for every call.
 */
export function answerWithin(milliseconds: number) {
  const clocks = new WeakMap<FastifyRequest, NodeJS.Timeout>()
  return {
    onRequest: (request: FastifyRequest, reply: FastifyReply, next: () => void) => {
      clocks.set(
        request,
        setTimeout(() => giveUp(reply, milliseconds), milliseconds),
      )
      next()
    },
    onResponse: (request: FastifyRequest, _: FastifyReply, next: () => void) => {
      clearTimeout(clocks.get(request))
      next()
    },
  }
}

function giveUp(reply: FastifyReply, milliseconds: number): void {
  if (reply.sent) return
  const late = Object.assign(new Error(`no answer within ${milliseconds} ms`), { statusCode: 503 })
  if (reply.raw.headersSent) reply.raw.destroy(late)
  else void reply.send(late)
}
