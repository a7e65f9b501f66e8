/** Trace context of a piece of work; opaque to callers. */
export type Span = object

/** Tracing of calls and jobs. Spans leave the instance, so they hold no amounts, names, addresses or secrets. */
export interface Tracing {
  /** Begins the span of a call, in the trace of the caller (W3C `traceparent`) or in a new trace. */
  begin(method: string, headers: Readonly<Record<string, unknown>>): Span
  end(call: Span, status: number, route: string): void
  /** Runs work inside a span. Spans started by it are children. */
  at<T>(span: Span, work: () => T): T
  /** The current span. */
  here(): Span
  /** Runs work shared by several spans. The statements appear in the trace of each span. */
  together<T>(spans: readonly Span[], work: () => T): T
  job<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Records a statement that has just ended. */
  statement(text: string, milliseconds: number, failed: boolean): void
  /** Sends the remaining spans. */
  close(): Promise<void>
}
