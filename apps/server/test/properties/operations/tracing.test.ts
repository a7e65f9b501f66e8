import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ONE } from '@tizara/money'
import { expect, it } from 'vitest'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fund } from '../../members.ts'
import { startTracing, tracing } from '../../../src/platform/runtime/tracing.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

const sent: string[] = []
const collector = createServer((request, reply) => {
  let body = ''
  request.on('data', (text) => (body += String(text)))
  request.on('end', () => {
    if (request.url === '/v1/traces') sent.push(body)
    reply.end('{}')
  })
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
const before = tracing()
// Starts tracing before opening the database, like the processes do.
await startTracing({ traces: { url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`, share: 1 } }, 'api')
const { db } = await testDatabase()

it('loads no tracing code when tracing is off', () => {
  expect(before).toBeUndefined()
  const root = fileURLToPath(new URL('../../../src/', import.meta.url))
  const naming = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => /@opentelemetry\/|open-telemetry\.ts/.test(readFileSync(`${root}${name}`, 'utf8')))
  expect(naming.toSorted()).toEqual(['platform/runtime/open-telemetry.ts', 'platform/runtime/tracing.ts'])
  expect(readFileSync(`${root}platform/runtime/tracing.ts`, 'utf8')).not.toMatch(/^import .*open-telemetry/m)
})

it("connects the browser's call with its statements in one trace, without values", async () => {
  const app = await testApp(db, { routes: (bind, { config }) => bindRoutes(bind, createPorts(config, 'http://127.0.0.1:9')) })
  const [payer, taker] = [await createTestMember(db), await createTestMember(db)]
  await fund(db, payer.id, 'depositWallet', 1000n * ONE)
  const { token } = await app.signIn(payer.id)
  const pay = (traceId: string) =>
    app.app.inject({
      method: 'POST',
      url: '/api/v1/usd-transfer/user-to-user-deposit',
      headers: { authorization: token, 'idempotency-key': randomUUID(), traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      payload: { amount: 45, email: taker.email },
    })
  const traces = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  expect((await Promise.all(traces.map(pay))).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  await app.app.inject({ method: 'GET', url: '/health/ready' })
  await tracing()?.close()
  collector.close()

  const spans = sent.flatMap((text) =>
    (JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans: some }) => some),
    ),
  )
  for (const traceId of traces) {
    const own = spans.filter((span) => span.traceId === traceId)
    const call = own.find(({ name }) => name === 'POST /api/v1/usd-transfer/user-to-user-deposit')
    expect(call?.parentSpanId).toBe('00f067aa0ba902b7')
    const statements = own.filter(({ parentSpanId }) => parentSpanId === call?.spanId)
    expect(
      statements.some(
        ({ attributes }) => JSON.stringify(attributes).includes('ledger_post') || JSON.stringify(attributes).includes('ledger_transfer'),
      ),
    ).toBe(true)
    expect(statements.length).toBeGreaterThan(3)
  }
  const all = sent.join('\n')
  const texts = spans
    .flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'db.query.text'))
    .map(({ value }) => String(value['stringValue']))
  expect(texts.filter((text) => /'[^']|(?<![$\w])\d/.test(text))).toEqual([])
  for (const value of ['4500000000', payer.email, taker.email, token, '/health/', 'authorization']) expect(all).not.toContain(value)
})
