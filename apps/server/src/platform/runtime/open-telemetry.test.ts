import { type Context, isSpanContextValid, trace } from '@opentelemetry/api'
import { afterAll, describe, expect, it } from 'vitest'
import { openTelemetry } from './open-telemetry.ts'

describe('sampling of calls', () => {
  // No server listens there, so the spans are lost.
  const half = openTelemetry({ url: 'http://127.0.0.1:9', share: 0.5 }, 'api')
  afterAll(() => half.close())

  const lowest = '0'.repeat(31) + '1'
  it.each([
    ['sampled, lowest trace id', `00-${lowest}-00f067aa0ba902b7-01`],
    ['not sampled', `00-${lowest}-00f067aa0ba902b7-00`],
    ['sampled, highest trace id', `00-${'f'.repeat(32)}-00f067aa0ba902b7-01`],
    ['no header', ''],
  ])("is independent of the caller's trace header: %s", (_, traceparent) => {
    const chosen = Array.from({ length: 100 }, () => {
      const call = half.begin('GET', { traceparent }) as Context
      const span = trace.getSpanContext(call)
      expect(span !== undefined && isSpanContextValid(span)).toBe(true)
      half.end(call, 200, 'GET /')
      return span?.traceFlags
    })
    // All or none of a hundred is one chance in 2^99.
    expect(new Set(chosen)).toEqual(new Set([0, 1]))
  })
})
