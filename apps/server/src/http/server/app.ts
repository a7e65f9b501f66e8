import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { allRoutes } from '@tizara/contract/all-routes'
import { errorHeaders, requestHeaders } from '@tizara/contract/request-headers'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import { fastify, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Reads } from '../../platform/db/replica.ts'
import { type Bind, type BindOptions, createBind } from '../calls/bind-route.ts'
import { urlOf } from '../calls/call.ts'
import { type ErrorReply, isRejectedBody, toErrorReply } from '../calls/error-reply.ts'
import { addHealth } from './health.ts'
import { readJsonBody, writeJson } from './json.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { addDrain } from './drain.ts'
import { drainRejectedBodies } from '../calls/drain-request-body.ts'
import { RETRY_AFTER_SECONDS, shedLoad } from './shed-load.ts'
import { addSecurityHeaders, writeSecurityHeaders } from './security-headers.ts'
import type { Authenticate } from '../calls/session-guard.ts'
import { traceCalls } from './trace-calls.ts'
import { addUploads, fileTooLarge, FORM_BYTES, isLargeUpload } from './upload.ts'

/** Largest JSON body in bytes. */
const BODY_LIMIT = 64 * 1024

/** Maximum open calls per process: about half a second of work. */
const MAX_OPEN_CALLS = 1_000

/** Parts of an app. */
export interface AppParts {
  deps: Deps
  db: Db
  /** Source of reading calls; the primary by default. */
  reads?: Reads | undefined
  authenticate: Authenticate
  onSuspended?: BindOptions['onSuspended']
  onTermsDue?: BindOptions['onTermsDue']
  bindRoutes: (bind: Bind) => void
  /** Maximum open calls; {@link MAX_OPEN_CALLS} by default. */
  maxOpenCalls?: number
  /** Adds routes that are not part of the API: pages, documents, the sandbox. Runs last. */
  addPages?: (app: FastifyInstance) => Promise<void>
}

/** Builds the HTTP app: limits, envelope, error form, session guard and every route. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { deps, db, authenticate, reads, onSuspended, onTermsDue } = parts
  const logger: FastifyBaseLogger = deps.log
  const proxies = deps.config.trustProxy
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Adds the request id to its log entries.
    childLoggerFactory: (log) => log,
    trustProxy: proxies === 0 ? false : (_, hop) => hop < proxies,
    bodyLimit: BODY_LIMIT,
    genReqId: () => deps.ids.publicId(),
    // The server rejects an undecodable address before any error handler runs.
    frameworkErrors: (error, request, reply) => {
      writeSecurityHeaders(reply, request.url, deps.config)
      sendError(reply, toErrorReply(error))
    },
    routerOptions: { maxParamLength: 128, ignoreTrailingSlash: false },
    exposeHeadRoutes: false,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    // Longer than the idle timeout of proxies (at most 60 seconds), so the proxy closes first and never writes to a
    // closed connection.
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    clientErrorHandler: rejectConnection,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => done(null, readJsonBody(String(text))))
  addForms(app)
  await app.register(cookie)
  addUploads(app)
  await app.register(cors, {
    origin: deps.config.allowedOrigins,
    credentials: true,
    methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
    allowedHeaders: [...requestHeaders],
    exposedHeaders: [...errorHeaders],
    maxAge: 600,
  })
  addSecurityHeaders(app, deps.config)
  answerErrors(app)
  drainRejectedBodies(app)
  traceCalls(app)
  const drained = addDrain(app)
  shedLoad(app, parts.maxOpenCalls ?? MAX_OPEN_CALLS)
  addHealth(app, db, deps.config, reads)
  parts.bindRoutes(createBind({ app, db, deps, authenticate, reads, onSuspended, onTermsDue }))
  await parts.addPages?.(app)
  app.addHook('preClose', drained)
  return app
}

/** Accepts form bodies for the few calls of mail programs. The content is ignored. */
function addForms(app: FastifyInstance): void {
  const takesForms = new Set(allRoutes.filter((route) => route.form === true).map(urlOf))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, _, done) => {
    if (takesForms.has(request.routeOptions.url ?? '')) done(null, {})
    else done(new AppError('UNSUPPORTED_MEDIA_TYPE'))
  })
}

/** Seconds to wait before the same call, where who refused it didn't say. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 60, 503: RETRY_AFTER_SECONDS }

/** Returns the error to answer. Session and role of a staff call come before the size and type of its body. */
async function rejectionOf(error: unknown, request: FastifyRequest): Promise<unknown> {
  if (isRejectedBody(error)) {
    try {
      await request.routeOptions.config.admit?.(request)
    } catch (denial) {
      return denial
    }
  }
  const maxFile = request.routeOptions.bodyLimit - FORM_BYTES
  // Other routes accept no file.
  return maxFile > 0 && isLargeUpload(error, request) ? fileTooLarge(maxFile) : error
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (raised, request, reply) => {
    const error = await rejectionOf(raised, request)
    const refusal = toErrorReply(error)
    const { body, unexpected, retryAfter = RETRY_AFTER[body.statusCode] } = refusal
    if (unexpected) {
      const stack = error instanceof Error ? error.stack : String(error)
      request.log.error({ requestId: request.id, method: request.method, route: request.routeOptions.url, stack }, 'request failed')
    }
    if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter))
    return sendError(reply, refusal)
  })
  app.setNotFoundHandler((_, reply) => sendError(reply, toErrorReply(new AppError('NOT_FOUND'))))
}

/** Connection errors with a specific answer. A late request may have waited for this process and can be retried. */
const CONNECTION_FAULTS: Readonly<Record<string, 'BODY_TOO_LARGE' | 'BUSY'>> = {
  HPE_HEADER_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'BUSY',
}

/**
 * Responds to malformed HTTP and oversized headers with an error response (EN-04), because no route or hook gets such requests. Does
 * nothing on a closed connection.
 */
function rejectConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { body, headers } = toErrorReply(new AppError(CONNECTION_FAULTS[error.code ?? ''] ?? 'INVALID_INPUT'))
  const text = writeJson(body)
  const again = body.statusCode === 503 ? 'Retry-After: 1\r\n' : ''
  const head = `HTTP/1.1 ${body.statusCode} ${STATUS_CODES[body.statusCode]}\r\nContent-Type: application/json; charset=utf-8\r\nError-Code: ${headers['Error-Code']}\r\n`
  if (socket.writable) socket.write(`${head}${again}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`)
  socket.destroySoon()
}

function sendError(reply: FastifyReply, { body, headers }: ErrorReply): FastifyReply {
  return reply.code(body.statusCode).headers(headers).type('application/json; charset=utf-8').send(writeJson(body))
}
