import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AccountingFormat } from '@tizara/contract/staff-accounting'
import { sql } from 'kysely'
import { type Close, closeOf, journalTotals, type JournalTotal } from '../../../ledger/index.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { pricesWithin } from '../../settings/index.ts'
import { allTransfers } from '../access/transfer-kinds.ts'
import { assertFormat, type Chart, chartDigest, ChartError, DEFAULT_CHART, parseChart } from './chart.rules.ts'
import { type DayPrice, renderDeclarations, renderJournal } from './render-journal.rules.ts'

/** Ids per step: some tenths of a second. */
const IDS_PER_STEP = 200_000n

/** An export is not possible. The message is shown to the requester. */
export class ExportError extends Error {}

/** Sums so far, and the id up to which transfers are summed. JSON, because a background job stores it between its steps. */
export interface MonthProgress {
  through: string
  totals: Readonly<Record<string, readonly [transfers: string, amount: string]>>
}

/**
 * Reads the operator's chart of accounts from the file of `ACCOUNTS_CHART`; the default chart if there is none.
 * @throws ChartError
 */
export function readChart({ accountsChart }: { accountsChart: string | undefined }, format?: AccountingFormat): Chart {
  const chart = accountsChart === undefined ? DEFAULT_CHART : parseChart(readFile(accountsChart), allTransfers)
  if (format !== undefined) assertFormat(chart, format)
  return chart
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ChartError(`The file of ACCOUNTS_CHART cannot be read: ${file}`)
  }
}

/** Returns the file that declares the chart's accounts. */
export const declarations = (deps: Pick<Deps, 'config'>, format: AccountingFormat): string =>
  renderDeclarations(format, readChart(deps.config, format))

/**
 * Returns the close of a month.
 * @throws ExportError for a month that is not closed
 */
export async function closedMonth(db: Db, month: string): Promise<Close> {
  const close = await closeOf(db, month)
  if (close === undefined) throw new ExportError(`${month} is not closed. A month is closed a day after its end`)
  return close
}

/** Sums the next part of a closed month. */
export async function sumNextPart(db: Db, close: Close, { through, totals }: MonthProgress): Promise<MonthProgress> {
  const after = BigInt(through)
  const last = after + IDS_PER_STEP < close.lastId ? after + IDS_PER_STEP : close.lastId
  const sums = new Map(Object.entries(totals))
  for (const { day, kind, debit, credit, transfers, amount } of await journalTotals(db, close, after, last)) {
    const key = [day, kind, debit, credit].join('|')
    const [count, sum] = sums.get(key) ?? ['0', '0']
    sums.set(key, [String(BigInt(count) + transfers), String(BigInt(sum) + amount)])
  }
  return { through: String(last), totals: Object.fromEntries(sums) }
}

export const startOf = (close: Close): MonthProgress => ({ through: String(close.afterId), totals: {} })

/** The file of a month, and what was stored about its earlier exports. */
export interface MonthFile {
  text: string
  /** SHA-256 of the text. */
  digest: string
  /** Time of the first export with this chart; undefined for the first one. */
  firstAt: Date | undefined
  /** Time of the latest first export with another chart; undefined if none. */
  otherChartAt: Date | undefined
}

/**
 * Writes the file of a summed month, and stores the digest of the first one: a later file must be equal.
 * @throws ChartError
 * @throws ExportError when the file differs from an earlier one with the same chart
 */
export async function finishMonth(
  tx: Tx,
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  close: Close,
  { totals }: MonthProgress,
  format: AccountingFormat,
): Promise<MonthFile> {
  const chart = readChart(config, format)
  const list = Object.entries(totals).map(([key, [transfers, amount]]): JournalTotal => {
    const [day, kind, debit, credit] = key.split('|') as [string, string, JournalTotal['debit'], JournalTotal['credit']]
    return { day, kind, debit, credit, transfers: BigInt(transfers), amount: BigInt(amount) }
  })
  const text = renderJournal(format, { close, totals: list, prices: await dayPrices(tx, close.month) }, chart, allTransfers)
  const digest = createHash('sha256').update(text).digest('hex')
  const month = `${close.month}-01`
  const chartHash = chartDigest(chart)
  const added = await tx
    .insertInto('accounting_export')
    .values({ month, format, chart_digest: chartHash, file_digest: digest, exported_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  const isFirst = added.numInsertedOrUpdatedRows === 1n
  // Another transaction may have stored the digest meanwhile, so this statement reads it.
  const { rows } = await sql<{ isSame: boolean; digest: string; at: Date }>`
    select chart_digest = ${chartHash} as "isSame", file_digest as digest, exported_at as at from accounting_export
    where month = ${month}::date and format = ${format} order by chart_digest = ${chartHash} desc, exported_at desc limit 2`.execute(tx)
  const earlier = isFirst ? undefined : rows.find((row) => row.isSame)
  if (earlier !== undefined && earlier.digest !== digest)
    throw new ExportError(
      `The file of ${close.month} differs from the one of ${earlier.at.toISOString().slice(0, 10)} with the same chart (SHA-256 ${earlier.digest}). Audit the ledger in full`,
    )
  return { text, digest, firstAt: earlier?.at, otherChartAt: rows.find((row) => !row.isSame)?.at }
}

/** Returns the coin price at the start of a month, and at the end of each day on which it changed. */
async function dayPrices(db: Db, month: string): Promise<DayPrice[]> {
  const start = new Date(`${month}-01T00:00:00Z`)
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1) - 1)
  const prices = new Map<string, bigint>()
  const steps = (await pricesWithin(db, start, end)).toSorted((a, b) => a.at - b.at)
  for (const { at, coinPrice } of steps) prices.set(new Date(Math.max(at, start.getTime())).toISOString().slice(0, 10), coinPrice)
  return [...prices].map(([day, price]) => ({ day, price }))
}
