import { type PoolClient, Query, type QueryResult } from 'pg'

/** The part of `pg`'s connection used here. */
export interface Wire {
  stream: { destroy(error: Error): void }
}
/** A running query of `pg`, with members missing from its published type. */
interface RunningQuery {
  callback: (error: Error | undefined, results: QueryResult | QueryResult[]) => void
  requiresPreparation(): boolean
  prepare(wire: Wire): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
}
const PlainQuery = Query as unknown as new (text: string, values: readonly unknown[]) => RunningQuery

/** A statement as it travels. */
export interface Statement {
  text: string
  values: readonly unknown[]
  /** Array for the rows of a query; undefined for other statements. */
  rows?: unknown[] | undefined
}

/** Sends statements in one message and waits for the last. The first failure fails all. */
class StatementBatch extends PlainQuery {
  readonly #before: readonly Statement[]
  /** Index of the statement being answered. */
  #place = 0

  constructor(before: readonly Statement[], { text, values }: Statement) {
    super(text, values)
    this.#before = before
  }

  override requiresPreparation(): boolean {
    return true
  }

  override prepare(wire: Wire): void {
    const nothing = { value: () => undefined }
    const pipelined = Object.create(wire, { sync: nothing }) as Wire
    const unasked = Object.create(wire, { sync: nothing, describe: nothing }) as Wire
    for (const { text, values, rows } of this.#before) new PlainQuery(text, values).prepare(rows === undefined ? unasked : pipelined)
    super.prepare(wire)
  }

  override handleDataRow(message: unknown): void {
    const statement = this.#before[this.#place]
    if (statement === undefined || statement.rows !== undefined) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    super.handleCommandComplete(message, wire)
    this.#place += 1
  }

  /** Assigns rows to the earlier statements of the batch and returns the last result. */
  dealOut(results: readonly QueryResult[]): QueryResult {
    for (const [index, { rows }] of this.#before.entries()) {
      if (rows === undefined) continue
      rows.push(...(results[index]?.rows ?? []))
      unanswered.delete(rows)
    }
    return results.at(-1) ?? NO_RESULT_YET
  }
}

/** Prefix of a statement without a read result. In a transaction, such a statement is sent with the next one. */
export const DEFERRED = '/* later */ '
/** Prefix of a deferred query: the caller reads the rows later. */
export const DEFERRED_QUERY = `${DEFERRED}/* asked */ `
const NO_RESULT_YET = { command: '', rowCount: 0, rows: [] } as unknown as QueryResult
const unanswered = new WeakSet<readonly unknown[]>()

/** Returns true if these rows belong to an unanswered statement. */
export const isUnanswered = (rows: readonly unknown[]): boolean => unanswered.has(rows)

export function sendBatch(client: PoolClient, before: readonly Statement[], last: Statement): Promise<QueryResult> {
  const query = new StatementBatch(before, last)
  return new Promise((resolve, reject) => {
    query.callback = (error, results) => (error ? reject(error) : resolve(query.dealOut([results].flat())))
    client.query(query as never)
  })
}

/** Stores a statement, to send it with a later one. The rows of a deferred query are available after that statement. */
export function defer(deferred: Statement[], text: string, values: readonly unknown[]): QueryResult {
  if (!text.startsWith(DEFERRED_QUERY)) {
    deferred.push({ text, values })
    return NO_RESULT_YET
  }
  const rows: never[] = []
  unanswered.add(rows)
  deferred.push({ text, values, rows })
  return { ...NO_RESULT_YET, rows }
}
