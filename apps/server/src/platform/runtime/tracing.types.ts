/** Where something belongs that is traced; opaque to everybody else. */
export type Span = object

/** What is traced. Nothing of it says amounts, names, addresses or secrets: spans leave the house. */
export interface Tracing {
  /** Begins the span of a call, within the trace that its caller began (W3C `traceparent`) or a new one. */
  begin(method: string, headers: Readonly<Record<string, unknown>>): Span
  end(call: Span, status: number, route: string): void
  /** Runs work at a place: what it starts belongs there. */
  at<T>(place: Span, work: () => T): T
  /** The place of whoever asks. */
  here(): Span
  /** Runs work that is done for several places together: its statements show in the trace of each. */
  together<T>(places: readonly Span[], work: () => T): T
  sweep<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Notes a statement that ended just now. */
  statement(text: string, milliseconds: number, failed: boolean): void
  /** Sends what is left. */
  close(): Promise<void>
}
