import { INVOICE_CONFIRMATIONS } from '@tizara/contract'
import { usdForCoin } from '@tizara/money'
import type { Selectable } from 'kysely'
import type { ChainGateway, ChainTransfer } from '../../gateways/chain/index.ts'
import type { Lease } from '../../jobs/lease.ts'
import { currentStop, post } from '../../ledger/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import type { DepositTable, InvoiceTransferTable } from '../../platform/tables.generated.ts'
import { currentSettings } from '../settings/index.ts'
import { type DepositStatus, forward, recordStatus } from './deposit-status.rules.ts'
import { type InvoiceFacts, invoiceState } from './invoice-state.rules.ts'

/** Invoices a round, and most rounds a run. */
const BATCH = 200
const ROUNDS = 50
/** How often an invoice is looked at: while something is going on, and while it only waits for late money. */
const BUSY_EVERY_MS = 1_000
const QUIET_EVERY_MS = 60_000

/** An invoice as the chain is asked about it. */
export type WatchedInvoice = Pick<Deposit, 'id' | 'address'>

/** How the database is reached: by a sweep's lease, or by whoever asks about one invoice. */
export type Ways = Pick<Lease, 'read' | 'inTransaction'>

type Deposit = Selectable<DepositTable>
type Transfer = Selectable<InvoiceTransferTable>

/**
 * Looks at the invoices that are due: writes down what arrived, credits each transfer once at twelve confirmations with
 * what really arrived (MF-02, invariant I8), and recomputes each invoice's state. While the chain does not answer
 * nothing changes, expiry included.
 * @returns how many invoices changed
 */
export async function watchInvoices(lease: Lease, deps: Deps, chain: ChainGateway): Promise<number> {
  const begun = deps.clock.now()
  let changed = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = await lease.read((db) =>
      db
        .selectFrom('deposit')
        .select(['id', 'address'])
        .where('way', '=', 'chain')
        .where('next_check_at', '<=', begun)
        .orderBy('next_check_at')
        .limit(BATCH)
        .execute(),
    )
    changed += await lookAtInvoices(lease, deps, chain, due)
    if (due.length < BATCH) break
  }
  return changed
}

/**
 * Asks the chain about some invoices, due or not.
 * @returns how many of them changed
 */
export async function lookAtInvoices(ways: Ways, deps: Deps, chain: ChainGateway, invoices: readonly WatchedInvoice[]): Promise<number> {
  const addresses = invoices.flatMap((invoice) => (invoice.address === null ? [] : [invoice.address]))
  // A stopped house credits nothing; what arrived meanwhile is found afterwards.
  if (addresses.length === 0 || (await ways.read(currentStop)) !== undefined) return 0
  const { scannedTo, transfers } = await chain.scan(ways.read, addresses, deps.clock.now())
  const byAddress = Map.groupBy(transfers, (transfer) => transfer.address)
  let changed = 0
  for (const invoice of invoices) {
    const arrived = byAddress.get(invoice.address ?? '') ?? []
    changed += await ways.inTransaction((tx) => settleInvoice(tx, deps, invoice.id, arrived, scannedTo))
  }
  return changed
}

/** Has the invoices of some addresses looked at soon, also those that are no longer watched: an address stays its member's. */
export async function wakeInvoices(tx: Tx, addresses: readonly string[], at: Date): Promise<void> {
  await tx.updateTable('deposit').set({ next_check_at: at }).where('address', 'in', addresses).execute()
}

/** Brings one invoice up to date with what the chain shows; returns 1 if anything changed. */
async function settleInvoice(tx: Tx, deps: Deps, id: bigint, arrived: readonly ChainTransfer[], scannedTo: Date): Promise<number> {
  const deposit = await tx.selectFrom('deposit').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  const moved = await recordTransfers(tx, id, arrived)
  const transfers = await tx.selectFrom('invoice_transfer').selectAll().where('deposit_id', '=', id).orderBy('transfer_key').execute()
  const credited = await creditFinal(tx, deps, deposit, transfers)
  const facts = factsOf(deposit, transfers, scannedTo)
  const standing = invoiceState(facts)
  const status = forward(deposit.status as DepositStatus, recordStatus(standing.state, facts))
  const now = deps.clock.now()
  const busy = facts.unconfirmed || standing.state === 'awaiting' || standing.state === 'partial' || standing.state === 'confirming'
  const over = scannedTo > facts.watchedUntil && !facts.unconfirmed
  await tx
    .updateTable('deposit')
    .set({
      state: standing.state,
      state_reason: standing.reason,
      status,
      next_check_at: over ? null : new Date(now.getTime() + (busy ? BUSY_EVERY_MS : QUIET_EVERY_MS)),
      ...(status === deposit.status ? {} : { decided_at: now }),
      ...(credited ? { credited: facts.credited, usd_amount: creditedUsd(transfers) } : {}),
    })
    .where('id', '=', id)
    .execute()
  return moved || credited || standing.state !== deposit.state || status !== deposit.status ? 1 : 0
}

/** Writes down what the chain shows; a transfer that it no longer shows is not live. */
async function recordTransfers(tx: Tx, depositId: bigint, arrived: readonly ChainTransfer[]): Promise<boolean> {
  const known = await tx.selectFrom('invoice_transfer').selectAll().where('deposit_id', '=', depositId).execute()
  const byKey = new Map(known.map((transfer) => [transfer.transfer_key, transfer]))
  let moved = false
  for (const transfer of arrived) {
    if (transfer.amount <= 0n) continue
    const before = byKey.get(transfer.key)
    byKey.delete(transfer.key)
    const confirmations = Math.min(transfer.confirmations, INVOICE_CONFIRMATIONS)
    if (
      before?.is_live === true &&
      before.confirmations === confirmations &&
      before.block_time.getTime() === transfer.blockTime.getTime() &&
      before.amount === transfer.amount
    )
      continue
    moved = true
    await tx
      .insertInto('invoice_transfer')
      .values({
        transfer_key: transfer.key,
        deposit_id: depositId,
        amount: transfer.amount,
        tx_hash: transfer.txHash,
        block_time: transfer.blockTime,
        confirmations,
      })
      .onConflict((conflict) =>
        conflict.column('transfer_key').doUpdateSet((eb) => ({
          block_time: transfer.blockTime,
          confirmations,
          is_live: true,
          // What was seen at the head may have been incomplete; what was credited stays what it was.
          amount: eb
            .case()
            .when('invoice_transfer.credited_at', 'is', null)
            .then(transfer.amount)
            .else(eb.ref('invoice_transfer.amount'))
            .end(),
        })),
      )
      .execute()
  }
  for (const gone of byKey.values()) {
    if (!gone.is_live) continue
    moved = true
    await tx
      .updateTable('invoice_transfer')
      .set({ is_live: false, confirmations: 0 })
      .where('transfer_key', '=', gone.transfer_key)
      .execute()
  }
  return moved
}

/** What was credited is worth what each part was worth when it came. */
const creditedUsd = (transfers: readonly Transfer[]) => transfers.reduce((total, transfer) => total + (transfer.usd_amount ?? 0n), 0n)

/** Credits what is final; marks the rows handed in as well. */
async function creditFinal(tx: Tx, deps: Deps, deposit: Deposit, transfers: Transfer[]): Promise<boolean> {
  const now = deps.clock.now()
  const due = transfers.filter(
    (transfer) => transfer.is_live && transfer.credited_at === null && transfer.confirmations >= INVOICE_CONFIRMATIONS,
  )
  if (due.length === 0) return false
  const { coinPrice } = await currentSettings(tx, now)
  for (const transfer of due) {
    const posted = await post(tx, {
      kind: 'tokenDeposit',
      cause: { type: 'deposit', id: deposit.public_id },
      at: now,
      key: `chain:${transfer.transfer_key}`,
      transfers: [
        { from: { house: 'SYS-DEPOSIT', asset: 'COIN' }, to: { owner: deposit.member_id, kind: 'nativeWallet' }, amount: transfer.amount },
      ],
    })
    const credit = { credited_at: now, usd_amount: usdForCoin(transfer.amount, coinPrice), transfer_id: posted.transfers[0]?.id ?? null }
    await tx.updateTable('invoice_transfer').set(credit).where('transfer_key', '=', transfer.transfer_key).execute()
    Object.assign(transfer, credit)
  }
  return true
}

function factsOf(deposit: Deposit, transfers: readonly Transfer[], scannedTo: Date): InvoiceFacts {
  const expiresAt = deposit.expires_at ?? deposit.created_at
  const sum = (which: (transfer: Transfer) => boolean) => transfers.filter(which).reduce((total, transfer) => total + transfer.amount, 0n)
  return {
    due: deposit.amount,
    seen: sum((transfer) => transfer.is_live),
    credited: sum((transfer) => transfer.credited_at !== null),
    inTime: sum((transfer) => transfer.is_live && transfer.block_time <= expiresAt),
    unconfirmed: transfers.some((transfer) => transfer.is_live && transfer.credited_at === null),
    scannedTo,
    expiresAt,
    watchedUntil: deposit.watched_until ?? expiresAt,
  }
}
