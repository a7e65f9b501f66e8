import type { FastifyReply, FastifyRequest } from 'fastify'

/** Deadline of every answer, in ms. */
export const ANSWER_MS = 9_500
/** Deadline of an upload in ms, because the body may arrive slowly. */
export const UPLOAD_MS = 30_000
/** Deadline of a file download in ms. The client may read slowly. */
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
        setTimeout(() => answerTimeout(reply, milliseconds), milliseconds),
      )
      next()
    },
    onResponse: (request: FastifyRequest, _: FastifyReply, next: () => void) => {
      clearTimeout(clocks.get(request))
      next()
    },
  }
}

function answerTimeout(reply: FastifyReply, milliseconds: number): void {
  if (reply.sent) return
  const late = Object.assign(new Error(`no answer within ${milliseconds} ms`), { statusCode: 503 })
  if (reply.raw.headersSent) reply.raw.destroy(late)
  else void reply.send(late)
}
