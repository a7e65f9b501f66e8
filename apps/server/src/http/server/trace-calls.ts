import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tracing } from '../../platform/runtime/tracing.ts'
import { isStream } from './shed-load.ts'
import type { Span } from '../../platform/runtime/tracing.types.ts'

/** Traces each call, where traces are asked for; probes and streams are none. */
export function traceCalls(app: FastifyInstance): void {
  const to = tracing()
  if (to === undefined) return
  const calls = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _, done) => {
    if (request.url.startsWith('/health/') || isStream(request.url)) return done()
    const call = to.begin(request.method, request.headers)
    calls.set(request, call)
    to.at(call, done)
  })
  // Body parsing continues in the socket's async context, which has no span.
  app.addHook('preHandler', (request, _, done) => {
    const call = calls.get(request)
    if (call === undefined) done()
    else to.at(call, done)
  })
  app.addHook('onResponse', async (request, reply) => {
    const call = calls.get(request)
    if (call !== undefined) to.end(call, reply.statusCode, `${request.method} ${request.routeOptions.url ?? 'unknown'}`)
  })
}
