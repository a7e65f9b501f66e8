import { sql } from 'kysely'
import { PAGE, type PaymentProvider, ProviderFailure, type ProviderPayment } from '../../gateways/payment-provider/index.ts'
import type { Lease } from '../../jobs/lease.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import { currentStop } from '../../ledger/index.ts'
import { DAY_MS, isRecent } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { applyPayment } from './apply-payment.ts'
import { creditedSince, lastLook, noteLook, ordersOf } from './provider-looks.queries.ts'

const EVERY_MS = 3_600_000
/** How far back is looked once a day: a payment may be given back long after it was credited. */
const MONTH_MS = 30 * DAY_MS
/** Payments that are named of each sort; more of them are no better known. */
const NAMED = 20
/** Pages of a list that has an end: a million payments. */
const MOST_PAGES = 10_000

/**
 * The recurring job that goes through the provider's list of payments: what began since the last time, with a day before it, each
 * hour, and a month each day. It finds what no notice told and no order was asked about, and names what only one side knows.
 * @param now whether it looks at once, and not after an hour
 * @param pages most pages of a list that has an end
 */
export const findingSweep = (provider: PaymentProvider, { now = false, pages = MOST_PAGES } = {}): Sweep => ({
  name: 'payment-finder',
  everySeconds: 30,
  lane: 'provider-list',
  async run(lease, deps) {
    const last = await lease.read(lastLook)
    const at = deps.clock.now()
    if (!now && last !== undefined && isRecent(last.lookedAt, at, EVERY_MS)) return 0
    // A stopped house credits nothing; what it did not see is found afterwards.
    if ((await lease.read(currentStop)) !== undefined) return 0
    const month = now || last === undefined || !isRecent(last.monthAt, at, DAY_MS)
    const listedTo = last?.listedTo.getTime() ?? (await lease.read(firstOrder))?.getTime() ?? at.getTime()
    const since = new Date(Math.min(listedTo - DAY_MS, month ? at.getTime() - MONTH_MS : Infinity))
    try {
      const found = await goThrough(lease, deps, { provider, pages }, since)
      if (found === undefined) return 0
      const missing = month ? await missingFrom(lease, provider, found.ids, { since, at }) : (last?.missing ?? [])
      const strange = month ? found.strange : [...new Set([...(last?.strange ?? []), ...found.strange])]
      const look = { lookedAt: at, listedTo: at, monthAt: month ? at : (last?.monthAt ?? at), strange: strange.slice(0, NAMED), missing }
      await lease.inTransaction((tx) => noteLook(tx, look))
      return found.applied
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      deps.log.warn({ why: error.message }, 'the payment provider gave no list')
      return 0
    }
  },
})

const firstOrder = async (db: Db): Promise<Date | undefined> =>
  (await sql<{ at: Date | null }>`select min(created_at) as at from deposit where way = 'hosted'`.execute(db)).rows[0]?.at ?? undefined

/** What a list had: all ids, those of no order of ours, and how many payments were news. */
interface Listed {
  ids: Set<string>
  strange: string[]
  applied: number
}

/**
 * Goes through the list from a day on; undefined when the worker is to end before its end.
 * @throws ProviderFailure also where the list goes on and on
 */
async function goThrough(
  lease: Lease,
  deps: Deps,
  { provider, pages }: { provider: PaymentProvider; pages: number },
  since: Date,
): Promise<Listed | undefined> {
  const listed: Listed = { ids: new Set(), strange: [], applied: 0 }
  for (let page = 0; page < pages; page += 1) {
    const payments = await provider.listSince(since, page)
    const known = listed.ids.size
    for (const { paymentId } of payments) listed.ids.add(paymentId)
    await applyNews(lease, deps, payments, listed)
    // A list that only repeats itself has no end.
    if (payments.length < PAGE || listed.ids.size === known) return listed
    if (lease.stopping()) return undefined
  }
  throw new ProviderFailure('its list has no end')
}

async function applyNews(lease: Lease, deps: Deps, payments: readonly ProviderPayment[], listed: Listed): Promise<void> {
  const orders = await lease.read((db) => ordersOf(db, payments))
  for (const payment of payments) {
    const order = orders.get(payment.paymentId)
    if (order === undefined) {
      if (payment.actuallyPaid > 0n && listed.strange.length < NAMED) listed.strange.push(payment.paymentId)
    } else if (order.news) {
      await lease.inTransaction((tx) => applyPayment(tx, deps, order.depositId, payment))
      listed.applied += 1
    }
  }
}

/** Credited payments that a whole list does not have, and that the provider does not know when it is asked about them. */
async function missingFrom(
  lease: Lease,
  provider: PaymentProvider,
  ids: ReadonlySet<string>,
  { since, at }: { since: Date; at: Date },
): Promise<string[]> {
  const credited = await lease.read((db) => creditedSince(db, new Date(since.getTime() + DAY_MS), new Date(at.getTime() - EVERY_MS)))
  const missing: string[] = []
  for (const id of credited) {
    if (ids.has(id)) continue
    if ((await provider.getPayment(id)) === null) missing.push(id)
    if (missing.length >= NAMED) break
  }
  return missing
}
