/**
 * Separate process that keeps many keep-alive connections busy, with one open call on each. Speaks HTTP/1.1 on plain sockets, to use as
 * little processor time of the measured machine as possible. Started by `startLoad`.
 */
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** A call as raw bytes. */
export interface LoadCall {
  method: 'GET' | 'POST'
  path: string
  token: string
  body?: string
  /** True if each call gets a new Idempotency-Key. */
  keyed?: boolean
}

/** Input of a run. */
export interface LoadOrder {
  port: number
  connections: number
  /** The run ends after this many seconds, or after `calls` responses. */
  seconds: number
  calls?: number
  /** Templates of calls, distributed over the connections in turn, at least one each. A connection repeats its templates. */
  templates: LoadCall[]
}

/** Result of a run. */
export interface LoadReport {
  answered: number
  seconds: number
  byStatus: Record<string, number>
  /** Responses with status 503 that do not say when to retry. */
  withoutRetryAfter: number
  /** Body of the first response with another status than 200. */
  firstError: string | undefined
  /** Call durations in ms. */
  times: number[]
  /** Processor seconds of the generator. */
  cpuSeconds: number
}

interface Run {
  order: LoadOrder
  end: number
  answered: number
  asked: number
  byStatus: Record<string, number>
  withoutRetryAfter: number
  firstError: string | undefined
  times: number[]
}

function bytesOf(order: LoadOrder, call: LoadCall): string {
  const body = call.body ?? ''
  const key = call.keyed === true ? `Idempotency-Key: ${randomUUID()}\r\n` : ''
  const content = call.body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `${call.method} ${call.path} HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\nAuthorization: Bearer ${call.token}\r\n${key}${content}\r\n${body}`
}

function recordAnswer(run: Run, head: string, text: string, time: number): void {
  const status = head.slice(9, 12)
  run.answered += 1
  run.times.push(time)
  run.byStatus[status] = (run.byStatus[status] ?? 0) + 1
  if (status !== '200') run.firstError ??= text
  if (status === '503' && !/\r\nretry-after: \d/i.test(head)) run.withoutRetryAfter += 1
}

/** Keeps one connection busy until the run ends. */
function drive(run: Run, number: number): Promise<void> {
  const { order } = run
  const own = order.templates.filter((_, index) => index % order.connections === number)
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(order.port, '127.0.0.1')
    let received = ''
    let start = 0
    let turn = 0
    const next = () => {
      const call = own[turn % own.length]
      if (call === undefined || performance.now() >= run.end || (order.calls !== undefined && run.asked >= order.calls)) {
        socket.end()
        resolve()
        return
      }
      turn += 1
      run.asked += 1
      start = performance.now()
      socket.write(bytesOf(order, call))
    }
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received += String(chunk)
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? '-1')
      if (length < 0) reject(new Error(`an answer without a length: ${received.slice(0, 300)}`))
      if (received.length < head + 4 + length) return
      recordAnswer(run, received.slice(0, head), received.slice(head + 4), performance.now() - start)
      received = ''
      next()
    })
    socket.on('connect', next)
  })
}

async function generate(order: LoadOrder): Promise<LoadReport> {
  const start = performance.now()
  const cpu = process.cpuUsage()
  const counts = { answered: 0, asked: 0, byStatus: {}, withoutRetryAfter: 0, firstError: undefined, times: [] }
  const run: Run = { order, end: start + order.seconds * 1_000, ...counts }
  await Promise.all(Array.from({ length: order.connections }, (_, number) => drive(run, number)))
  const used = process.cpuUsage(cpu)
  return {
    answered: run.answered,
    seconds: (performance.now() - start) / 1_000,
    byStatus: run.byStatus,
    withoutRetryAfter: run.withoutRetryAfter,
    firstError: run.firstError,
    times: run.times,
    cpuSeconds: (used.user + used.system) / 1e6,
  }
}

process.on('message', (order: LoadOrder) => {
  void generate(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
