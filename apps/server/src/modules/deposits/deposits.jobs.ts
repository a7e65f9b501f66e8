import type { Retention } from '../../jobs/retention.ts'
import type { Job } from '../../jobs/job.ts'
import type { DepositPorts } from './ports.ts'
import { findingJob } from './provider/find-payments.ts'
import { reconcileOrders } from './provider/reconcile-orders.ts'
import { watchInvoices } from './invoices/watch-invoices.ts'

/** Job that finds payments on the chain. */
export const INVOICE_WATCHER = 'invoice-watcher'

/** Retention of webhooks: 90 days. A webhook only triggers a query; the rows of the payments contain the results. */
export const depositRetention: readonly Retention[] = [{ table: 'payment_notice', moment: 'received_at', days: 90 }]

/** Builds the recurring jobs: order reconciliation, the provider's payment list, and the invoice watcher. */
export function depositJobs(ports: Pick<DepositPorts, 'provider' | 'chain'>): Job[] {
  const { provider, chain } = ports
  const reconcile: Job = {
    name: 'payment-reconciler',
    everySeconds: 10,
    group: 'provider',
    run: (lease, deps) => reconcileOrders(lease, deps, provider),
  }
  const providerJobs = [reconcile, findingJob(provider)]
  if (chain === null) return providerJobs
  return [...providerJobs, { name: INVOICE_WATCHER, everySeconds: 1, run: (lease, deps) => watchInvoices(lease, deps, chain) }]
}
