import { type Selectable, sql } from 'kysely'
import type { ChainGateway, ChainTransfer } from '../../../gateways/chain/index.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { currentPause } from '../../../ledger/index.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { DepositTable, InvoiceTransferTable } from '../../../platform/db/tables.generated.ts'
import { voidPaymentReturns } from '../../withdrawals/index.ts'
import { counts, creditedUsd, settleFinal } from './credit-transfers.ts'
import { type DepositStatus, forward, recordStatus } from '../deposit-status.rules.ts'
import { expireFirstApprovalIfChanged } from '../decisions/first-approval.ts'
import { type InvoiceFacts, invoiceState } from './invoice-state.rules.ts'
import { recordTransfers } from './record-transfers.ts'
import { duePolls, MAX_POLL_DELAY_MS } from '../provider/due-polls.ts'

/** Maximum invoices per round, and rounds per run. */
const BATCH = 200
const ROUNDS = 10
/**
 * Poll intervals of an invoice in ms: during confirmations, near the expiry, and after the expiry. An invoice without a payment is polled
 * at the expiry only. A transfer to the address schedules a poll at once, even years later (`wakeInvoices`).
 */
const BUSY_EVERY_MS = 1_000
const ENDING_EVERY_MS = 5_000
const PROBLEM_EVERY_MS = 60_000
const QUIET_EVERY_MS = 3_600_000
const LATER_EVERY_MS = MAX_POLL_DELAY_MS.chain

/** Invoice to poll, with its scheduled time. */
export type WatchedInvoice = Pick<Deposit, 'id' | 'address' | 'next_check_at'>

/** Database access through a job's lease, or for a single invoice. */
export type DatabaseAccess = Pick<Lease, 'read' | 'inTransaction'>

type Deposit = Selectable<DepositTable>
type Transfer = Selectable<InvoiceTransferTable>

/**
 * Polls due invoices: records transfers, credits each transfer once at 12 confirmations (MF-02, invariant I8), and computes each state
 * again. During an outage of the chain nothing changes and no invoice expires.
 * @returns the number of changed invoices
 */
export async function watchInvoices(lease: Lease, deps: Deps, chain: ChainGateway): Promise<number> {
  const startedAt = deps.clock.now()
  let changed = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = await lease.read((db) => duePolls(db, 'chain', startedAt, BATCH))
    changed += await pollInvoices(lease, deps, chain, due)
    if (due.length < BATCH) break
  }
  return changed
}

/**
 * Polls some invoices, due or not.
 * @returns how many invoices changed
 */
export async function pollInvoices(
  ways: DatabaseAccess,
  deps: Deps,
  chain: ChainGateway,
  invoices: readonly WatchedInvoice[],
): Promise<number> {
  // Skips the poll during an emergency pause. A later poll finds the missed transfers.
  if (invoices.every(({ address }) => address === null) || (await ways.read(currentPause)) !== undefined) return 0
  const crowded = await ways.read((db) => crowdedInvoices(db, invoices))
  let changed = await settleInvoices(
    ways,
    deps,
    chain,
    invoices.filter(({ id }) => !crowded.has(id)),
  )
  for (const invoice of invoices.filter(({ id }) => crowded.has(id))) changed += await settleInvoices(ways, deps, chain, [invoice])
  return changed
}

/**
 * Number of transfers above which an invoice is scanned alone and last. Many small payments to it then delay no other credits.
 */
const MAX_TRANSFERS = 200

/** Returns the ids of invoices with very many recorded transfers. */
async function crowdedInvoices(db: Db, invoices: readonly WatchedInvoice[]): Promise<Set<bigint>> {
  const { rows } = await sql<{ id: bigint }>`
    select deposit_id as id from invoice_transfer where deposit_id = any(${invoices.map(({ id }) => id)}::bigint[])
    group by 1 having count(*) >= ${MAX_TRANSFERS}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function settleInvoices(ways: DatabaseAccess, deps: Deps, chain: ChainGateway, invoices: readonly WatchedInvoice[]): Promise<number> {
  const addresses = invoices.flatMap((invoice) => (invoice.address === null ? [] : [invoice.address]))
  if (addresses.length === 0) return 0
  const { scannedTo, transfers } = await chain.scan(ways.read, addresses, deps.clock.now())
  const byAddress = Map.groupBy(transfers, (transfer) => transfer.address)
  let changed = 0
  for (const invoice of invoices) {
    const arrived = byAddress.get(invoice.address ?? '') ?? []
    try {
      changed += await ways.inTransaction((tx) => settleInvoice(tx, deps, invoice, arrived, scannedTo))
    } catch (error) {
      await recordProblem(ways, deps, invoice, error)
    }
  }
  return changed
}

/** Schedules a poll for the invoices of some addresses, including old invoices, because an address always belongs to its member. */
export async function wakeInvoices(tx: Tx, addresses: readonly string[], at: Date): Promise<void> {
  await tx.updateTable('deposit').set({ next_check_at: at }).where('address', 'in', addresses).execute()
}

/**
 * Records why an invoice cannot be settled and retries in a minute, so that it delays no other.
 * @throws if the database or the lease is unavailable
 */
async function recordProblem(ways: DatabaseAccess, deps: Deps, { id }: WatchedInvoice, error: unknown): Promise<void> {
  deps.log.error({ err: error, invoice: String(id) }, 'an invoice cannot be settled')
  const problem = (error instanceof Error ? error.message : String(error)).slice(0, 200)
  const next_check_at = new Date(deps.clock.now().getTime() + PROBLEM_EVERY_MS)
  await ways.inTransaction((tx) => tx.updateTable('deposit').set({ problem, next_check_at }).where('id', '=', id).execute())
}

/** Updates one invoice from the chain. Returns 1 if anything changed. */
async function settleInvoice(
  tx: Tx,
  deps: Deps,
  { id, next_check_at: planned }: WatchedInvoice,
  arrived: readonly ChainTransfer[],
  scannedTo: Date,
): Promise<number> {
  const deposit = await tx.selectFrom('deposit').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  const { moved, transfers, settled } = await expireFirstApprovalIfChanged(tx, deposit, () => settleTransfers(tx, deps, deposit, arrived))
  const facts = factsOf(deposit, transfers, scannedTo)
  const { state, reason } = invoiceState(facts)
  const status = forward(deposit.status as DepositStatus, recordStatus(state, facts))
  const now = deps.clock.now()
  const over = scannedTo > facts.watchedUntil && !facts.unconfirmed
  // Keeps a poll scheduled since the scan, because its transfer may be newer.
  const woken = deposit.next_check_at?.getTime() !== planned?.getTime()
  await tx
    .updateTable('deposit')
    .set({
      state,
      state_reason: reason,
      problem: null,
      status,
      ...(woken ? {} : { next_check_at: over ? null : nextPoll(facts, now) }),
      ...(status === deposit.status ? {} : { decided_at: now }),
      ...(settled && transfers.some(({ credited_at }) => credited_at !== null)
        ? { credited: facts.credited, usd_amount: creditedUsd(transfers) }
        : {}),
    })
    .where('id', '=', id)
    .execute()
  return moved || settled || state !== deposit.state ? 1 : 0
}

/** Returns the next time at which the state may change without a transfer. */
function nextPoll({ unconfirmed, scannedTo, expiresAt }: InvoiceFacts, now: Date): Date {
  const after = (from: Date, ms: number) => new Date(from.getTime() + ms)
  if (unconfirmed) return after(now, BUSY_EVERY_MS)
  const ends = after(expiresAt, BUSY_EVERY_MS)
  if (scannedTo <= expiresAt) return now < ends ? ends : after(now, ENDING_EVERY_MS)
  return after(now, scannedTo.getTime() - expiresAt.getTime() < DAY_MS ? QUIET_EVERY_MS : LATER_EVERY_MS)
}

async function settleTransfers(tx: Tx, deps: Deps, deposit: Deposit, arrived: readonly ChainTransfer[]) {
  const { id } = deposit
  const moved = await recordTransfers(tx, id, arrived)
  const transfers = await tx.selectFrom('invoice_transfer').selectAll().where('deposit_id', '=', id).orderBy('transfer_key').execute()
  const gone = transfers.flatMap(({ return_id, is_live }) => (return_id !== null && !is_live ? [return_id] : []))
  if (gone.length > 0) await voidPaymentReturns(tx, deps, [...new Set(gone)])
  return { moved, transfers, settled: await settleFinal(tx, deps, deposit, transfers, arrived) }
}

function factsOf(deposit: Deposit, all: readonly Transfer[], scannedTo: Date): InvoiceFacts {
  const transfers = all.filter((transfer) => counts(deposit, transfer))
  const expiresAt = deposit.expires_at ?? deposit.created_at
  const sum = (which: (transfer: Transfer) => boolean) => transfers.filter(which).reduce((total, transfer) => total + transfer.amount, 0n)
  return {
    due: deposit.amount,
    seen: sum((transfer) => transfer.is_live),
    credited: sum((transfer) => transfer.credited_at !== null),
    inTime: sum((transfer) => transfer.is_live && transfer.block_time <= expiresAt),
    unconfirmed: all.some(({ is_live, credited_at, held }) => is_live && credited_at === null && held === null),
    scannedTo,
    expiresAt,
    watchedUntil: deposit.watched_until ?? expiresAt,
  }
}
