/** Where something belongs that is traced; opaque to everybody else. */
export type Span = object

/** Tracing of calls and jobs. Spans leave the instance, so they hold no amounts, names, addresses or secrets. */
export interface Tracing {
  /** Begins the span of a call, within the trace that its caller began (W3C `traceparent`) or a new one. */
  begin(method: string, headers: Readonly<Record<string, unknown>>): Span
  end(call: Span, status: number, route: string): void
  /** Runs work inside a span. Spans that it starts are children. */
  at<T>(place: Span, work: () => T): T
  /** The current span. */
  here(): Span
  /** Runs work that is done for several places together: its statements show in the trace of each. */
  together<T>(places: readonly Span[], work: () => T): T
  job<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Notes a statement that ended just now. */
  statement(text: string, milliseconds: number, failed: boolean): void
  /** Sends the remaining spans. */
  close(): Promise<void>
}
