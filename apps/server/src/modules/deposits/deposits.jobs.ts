import type { Retention } from '../../jobs/retention.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import type { DepositPorts } from './ports.ts'
import { findingSweep } from './find-payments.ts'
import { reconcileOrders } from './reconcile-orders.ts'
import { watchInvoices } from './watch-invoices.ts'

/** Name of the sweep that finds what came in on the chain. */
export const INVOICE_WATCHER = 'invoice-watcher'

/** Notices are only triggers: what they led to is written down with the payment. */
export const depositRetention: readonly Retention[] = [{ table: 'payment_notice', moment: 'received_at', days: 90 }]

/** The recurring jobs of deposits: those that ask the provider about orders and for its list, and the watcher of in-app invoices. */
export function depositSweeps(ports: Pick<DepositPorts, 'provider' | 'chain'>): Sweep[] {
  const { provider, chain } = ports
  const reconcile: Sweep = {
    name: 'payment-reconciler',
    everySeconds: 10,
    lane: 'provider',
    run: (lease, deps) => reconcileOrders(lease, deps, provider),
  }
  const asked = [reconcile, findingSweep(provider)]
  if (chain === null) return asked
  return [...asked, { name: INVOICE_WATCHER, everySeconds: 1, run: (lease, deps) => watchInvoices(lease, deps, chain) }]
}
