import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  context,
  createContextKey,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, type Sampler, SamplingDecision, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TracesConfig } from '../config/config.ts'
import { VERSION } from './release.ts'
import type { Span, Tracing } from './tracing.types.ts'

/** Spans of calls processed together. */
const ALL = createContextKey('calls of a batch')
/** Longest text of a statement in a span. */
const TEXT = 2_000
/** Flush timeout on shutdown, in ms. An unreachable collector must not delay exit. */
const LAST = 1_000

/** Removes literal values from a statement's text. Bound values are not in it. */
const plain = (text: string) =>
  text
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/(?<![$\w])\d+(?:\.\d+)?/g, '?')
    .slice(0, TEXT)

/** Samples each call and job independently of the caller's trace id and flags. */
function createSampler(share: number): Sampler {
  const rateSampler: Sampler = {
    shouldSample: () => ({ decision: Math.random() < share ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD }),
    toString: () => `sampled share ${share}`,
  }
  return new ParentBasedSampler({ root: rateSampler, remoteParentSampled: rateSampler, remoteParentNotSampled: rateSampler })
}

/** Traces by OpenTelemetry, sent as OTLP over HTTP. */
export function openTelemetry({ url, share }: TracesConfig, service: string): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `tizara-${service}`, 'service.version': VERSION }),
    sampler: createSampler(share),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${url.replace(/\/+$/, '')}/v1/traces` }) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('tizara')
  const propagator = new W3CTraceContextPropagator()
  const spanOf = (span: Span) => trace.getSpan(span as Context)
  return {
    begin: (method, headers) => {
      const outer = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      return trace.setSpan(outer, tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, outer))
    },
    end: (call, status, route) => {
      const span = spanOf(call)
      span?.setAttributes({ 'http.route': route, 'http.response.status_code': status })
      span?.updateName(route)
      if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
      span?.end()
    },
    at: (span, work) => context.with(span as Context, work),
    here: () => context.active(),
    together: (spans, work) => context.with(((spans[0] ?? ROOT_CONTEXT) as Context).setValue(ALL, spans), work),
    job: (name, work) =>
      tracer.startActiveSpan(`job ${name}`, (span) =>
        work()
          .catch((error: unknown) => {
            span.setStatus({ code: SpanStatusCode.ERROR })
            throw error
          })
          .finally(() => span.end()),
      ),
    statement: (text, milliseconds, failed) => {
      const activeContext = context.active()
      const now = Date.now()
      for (const parent of (activeContext.getValue(ALL) as Context[] | undefined) ?? [activeContext]) {
        // A statement outside a span starts no trace.
        if (spanOf(parent) === undefined) continue
        const attributes = { 'db.system.name': 'postgresql', 'db.query.text': plain(text) }
        const name = /^\W*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
        const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: now - milliseconds, attributes }, parent)
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end(now)
      }
    },
    close: () => Promise.race([provider.shutdown().catch(() => undefined), pause(LAST, undefined, { ref: false })]),
  }
}
