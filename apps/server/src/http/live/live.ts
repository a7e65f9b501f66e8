import { Readable } from 'node:stream'
import { LIVE_PATH, type LiveEvent } from '@tizara/contract/live'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { type Limit, limitMember } from '../calls/rate-limit.ts'
import { assertAccess, type Authenticate, readToken, type Viewer } from '../calls/session-guard.ts'

/** Texts by name of a member's reads. A text changes when the response of the read has changed. */
export type Marks = ReadonlyMap<string, string>

/** Options of the event streams, with their limit. */
export interface LiveOptions {
  db: Db
  deps: Deps
  authenticate: Authenticate
  marks(db: Db, memberIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Marks>>
  /** Extra data for staff: versions of their reads, and the presence of other staff, as text. */
  staff?(db: Db, now: Date): Promise<{ marks: Marks; presence: string }>
  /** Poll interval of the database in ms; halved while staff are connected. */
  everyMs?: number
  heartbeatMs?: number
  /** Maximum number of streams of one member in this process. A further stream ends the oldest. */
  perMember?: number
  /** Maximum number of streams of this process. Above it a page polls. */
  maxStreams?: number
}

interface Stream {
  token: string
  memberId: bigint
  isStaff: boolean
  body: Readable
  /** Undefined until the first poll. */
  known: Marks | undefined
  /** The last presence text sent to this staff member. */
  presence: string
  /** Unread changes of the stream. */
  waiting: Set<string>
  /** Time at which the client stopped reading, by the machine's clock; undefined while it reads. */
  fullSince: number | undefined
  lastSent: number
}

const STREAM = 'text/event-stream; charset=utf-8'
/** Streams that a member may open per minute. Five tabs that all reload every five seconds reach it. */
const OPENINGS: Limit = { hits: 60, windowMs: 60_000 }
/** Maximum time in ms without a read by the client. */
const STALLED_MS = 30_000

/**
 * Serves `GET /api/v1/live`. Every two seconds, each process with open streams queries the texts of all its members at once, so that money
 * calls have no additional work. The same query checks the sessions without extending them: a stream ends with its session, block or token.
 */
export function addLive(app: FastifyInstance, options: LiveOptions): void {
  const { db, deps, authenticate, everyMs = 2_000, heartbeatMs = 20_000, perMember = 5, maxStreams = 2_000 } = options
  const streams = new Set<Stream>()
  let timer: NodeJS.Timeout | undefined
  let ending = false

  const finish = (stream: Stream, event?: LiveEvent) => {
    if (!streams.delete(stream)) return
    if (event !== undefined) stream.body.push(`event: ${event}\ndata: \n\n`)
    stream.body.push(null)
  }
  const schedule = () => {
    if (timer !== undefined || streams.size === 0) return
    timer = setTimeout(
      () => {
        void poll()
          .catch((error: unknown) => deps.log.warn({ error: String(error) }, 'live streams cannot reach the database and will retry'))
          .finally(() => {
            timer = undefined
            schedule()
          })
      },
      everyMs / ([...streams].some((stream) => stream.isStaff) ? 2 : 1),
    ).unref()
  }

  const poll = async () => {
    const open = await closeEndedStreams(options, [...streams], finish)
    const found = await options.marks(db, [...new Set(open.map((stream) => stream.memberId))])
    const forStaff = open.some((stream) => stream.isStaff) ? await options.staff?.(db, deps.clock.now()) : undefined
    const at = performance.now()
    for (const stream of open) {
      const memberMarks = found.get(stream.memberId)
      if (memberMarks !== undefined)
        addMarks(stream, stream.isStaff && forStaff !== undefined ? new Map([...memberMarks, ...forStaff.marks]) : memberMarks)
      if (stream.isStaff && forStaff !== undefined) show(stream, forStaff.presence)
      if (stream.fullSince !== undefined && at - stream.fullSince > STALLED_MS) stream.body.destroy()
      else sendPending(stream, at, heartbeatMs)
    }
  }

  app.get(`/api/v1${LIVE_PATH}`, async (request, reply) => {
    const token = readToken(request.headers.authorization)
    if (token === undefined) throw new AppError('UNAUTHENTICATED')
    const viewer = await authenticate(db, token, deps.clock.now(), { quiet: true })
    assertAccess(viewer, { access: 'member', method: 'GET' }, false)
    await limitMember(db, deps, 'live', viewer.memberId, OPENINGS)
    // Ends the stream at once. The page reconnects to the next process.
    if (ending) return reply.type(STREAM).send(': \n\n')
    // Responds with 204, which means "do not reconnect" and, unlike an error, is not shown in the browser's console.
    if (streams.size >= maxStreams) return reply.code(204).send()
    const viewerStreams = [...streams].filter((stream) => stream.memberId === viewer.memberId)
    for (const surplus of viewerStreams.slice(0, Math.max(0, viewerStreams.length + 1 - perMember))) finish(surplus, 'over')
    const stream = openStream(token, viewer)
    streams.add(stream)
    stream.body.once('close', () => streams.delete(stream))
    schedule()
    return reply.type(STREAM).header('X-Accel-Buffering', 'no').send(stream.body)
  })
  app.addHook('preClose', async () => {
    ending = true
    clearTimeout(timer)
    for (const stream of streams) finish(stream)
  })
}

function openStream(token: string, viewer: Viewer): Stream {
  const stream: Stream = {
    token,
    memberId: viewer.memberId,
    isStaff: viewer.role !== 'MEMBER',
    presence: '',
    body: new Readable({
      highWaterMark: 4_096,
      read: () => {
        stream.fullSince = undefined
      },
    }),
    known: undefined,
    waiting: new Set(),
    fullSince: undefined,
    lastSent: performance.now(),
  }
  // Sends the headers with the first bytes, so that the page sees the open stream at once.
  stream.body.push(': \n\n')
  return stream
}

/** Checks all sessions in one query and closes the streams of ended ones. */
async function closeEndedStreams(
  { db, deps, authenticate }: LiveOptions,
  streams: readonly Stream[],
  finish: (stream: Stream, event: LiveEvent) => void,
): Promise<Stream[]> {
  const now = deps.clock.now()
  const viewers = await Promise.allSettled(
    streams.map(async (stream) => {
      const viewer = await authenticate(db, stream.token, now, { quiet: true })
      assertAccess(viewer, { access: 'member', method: 'GET' }, false)
      stream.isStaff = viewer.role !== 'MEMBER'
    }),
  )
  return streams.filter((stream, index) => {
    const result = viewers[index]
    if (result?.status !== 'rejected') return !stream.body.destroyed
    // A database failure ends no session.
    if (!(result.reason instanceof AppError)) throw result.reason
    const isExpired = result.reason.code === 'TOKEN_EXPIRED'
    if (!isExpired) deps.log.info({ member: String(stream.memberId) }, 'a live stream ended with its session')
    finish(stream, isExpired ? 'expired' : 'over')
    return false
  })
}

function addMarks(stream: Stream, marks: Marks): void {
  const before = stream.known
  stream.known = marks
  if (before === undefined) return
  for (const [name, mark] of marks) if (before.get(name) !== mark) stream.waiting.add(name)
}

/** Sends the presence of staff if it has changed. */
function show(stream: Stream, presence: string): void {
  if (stream.fullSince !== undefined || stream.presence === presence) return
  stream.presence = presence
  if (!stream.body.push(`event: presence\ndata: ${presence}\n\n`)) stream.fullSince = performance.now()
}

/** Sends pending events, or a keep-alive. A slow reader gets all pending events later in one message. */
function sendPending(stream: Stream, at: number, heartbeatMs: number): void {
  if (stream.fullSince !== undefined) return
  const message = stream.waiting.size > 0 ? `event: changed\ndata: ${JSON.stringify([...stream.waiting])}\n\n` : ': \n\n'
  if (stream.waiting.size === 0 && at - stream.lastSent < heartbeatMs) return
  stream.waiting.clear()
  stream.lastSent = at
  if (!stream.body.push(message)) stream.fullSince = at
}
