import { sql } from 'kysely'
import { PAGE, type PaymentProvider, ProviderFailure, type ProviderPayment } from '../../../gateways/payment-provider/index.ts'
import type { Lease } from '../../../jobs/lease.ts'
import type { Job } from '../../../jobs/job.ts'
import { currentPause } from '../../../ledger/index.ts'
import { DAY_MS, isRecent } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { applyPayment } from './apply-payment.ts'
import { creditedSince, lastScan, saveScan, ordersOf } from './provider-scan.queries.ts'

const SCAN_INTERVAL_MS = 3_600_000
/** Range of the daily scan, because a refund may come long after the credit. */
const MONTH_MS = 30 * DAY_MS
/** Maximum payments listed per category in the report. */
const MAX_LISTED = 20
/** Maximum pages in a finite list: a million payments. */
const MAX_PAGES = 10_000

/**
 * Builds the job that scans the provider's payment list: hourly for recent payments with one day of overlap, daily for a month. The job
 * finds payments without a webhook, and lists payments that only one of provider and platform has.
 * @param now scans at once instead of after an hour
 * @param pages maximum pages of a finite list
 */
export const findingJob = (provider: PaymentProvider, { now = false, pages = MAX_PAGES } = {}): Job => ({
  name: 'payment-finder',
  everySeconds: 30,
  group: 'provider-list',
  async run(lease, deps) {
    const last = await lease.read(lastScan)
    const at = deps.clock.now()
    if (!now && last !== undefined && isRecent(last.scannedAt, at, SCAN_INTERVAL_MS)) return 0
    // Skips the scan during an emergency pause. A later run finds the missed payments.
    if ((await lease.read(currentPause)) !== undefined) return 0
    const month = now || last === undefined || !isRecent(last.monthAt, at, DAY_MS)
    const listedTo = last?.listedTo.getTime() ?? (await lease.read(firstOrder))?.getTime() ?? at.getTime()
    const since = new Date(Math.min(listedTo - DAY_MS, month ? at.getTime() - MONTH_MS : Infinity))
    try {
      const found = await scanList(lease, deps, { provider, pages }, since)
      if (found === undefined) return 0
      const missing = month ? await missingFrom(lease, provider, found.ids, { since, at }) : (last?.missing ?? [])
      const unknown = month ? found.unknown : [...new Set([...(last?.unknown ?? []), ...found.unknown])]
      const scan = {
        scannedAt: at,
        listedTo: at,
        monthAt: month ? at : (last?.monthAt ?? at),
        unknown: unknown.slice(0, MAX_LISTED),
        missing,
      }
      await lease.inTransaction((tx) => saveScan(tx, scan))
      return found.applied
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      deps.log.warn({ why: error.message }, 'the payment provider returned no list')
      return 0
    }
  },
})

const firstOrder = async (db: Db): Promise<Date | undefined> =>
  (await sql<{ at: Date | null }>`select min(created_at) as at from deposit where method = 'hosted'`.execute(db)).rows[0]?.at ?? undefined

/** Result of a scan: all payment ids, the ids without an order, and the number of changed payments. */
interface ScanResult {
  ids: Set<string>
  unknown: string[]
  applied: number
}

/**
 * Scans the list from a day onward. Returns undefined if the worker stops first.
 * @throws ProviderFailure also for an endless list
 */
async function scanList(
  lease: Lease,
  deps: Deps,
  { provider, pages }: { provider: PaymentProvider; pages: number },
  since: Date,
): Promise<ScanResult | undefined> {
  const listed: ScanResult = { ids: new Set(), unknown: [], applied: 0 }
  for (let page = 0; page < pages; page += 1) {
    const payments = await provider.listSince(since, page)
    const known = listed.ids.size
    for (const { paymentId } of payments) listed.ids.add(paymentId)
    await applyChanges(lease, deps, payments, listed)
    // Stops at a repeated page, because the list would never end.
    if (payments.length < PAGE || listed.ids.size === known) return listed
    if (lease.stopping()) return undefined
  }
  throw new ProviderFailure('its list of payments does not end')
}

async function applyChanges(lease: Lease, deps: Deps, payments: readonly ProviderPayment[], listed: ScanResult): Promise<void> {
  const orders = await lease.read((db) => ordersOf(db, payments))
  for (const payment of payments) {
    const order = orders.get(payment.paymentId)
    if (order === undefined) {
      if (payment.actuallyPaid > 0n && listed.unknown.length < MAX_LISTED) listed.unknown.push(payment.paymentId)
    } else if (order.news) {
      await lease.inTransaction((tx) => applyPayment(tx, deps, order.depositId, payment))
      listed.applied += 1
    }
  }
}

/** Returns credited payments absent from a complete list and unknown to the provider on direct query. */
async function missingFrom(
  lease: Lease,
  provider: PaymentProvider,
  ids: ReadonlySet<string>,
  { since, at }: { since: Date; at: Date },
): Promise<string[]> {
  const credited = await lease.read((db) =>
    creditedSince(db, new Date(since.getTime() + DAY_MS), new Date(at.getTime() - SCAN_INTERVAL_MS)),
  )
  const missing: string[] = []
  for (const id of credited) {
    if (ids.has(id)) continue
    if ((await provider.getPayment(id)) === null) missing.push(id)
    if (missing.length >= MAX_LISTED) break
  }
  return missing
}
