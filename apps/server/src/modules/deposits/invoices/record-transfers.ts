import { INVOICE_CONFIRMATIONS } from '@tizara/contract'
import { sql, type Selectable } from 'kysely'
import type { ChainTransfer } from '../../../gateways/chain/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { InvoiceTransferTable } from '../../../platform/db/tables.generated.ts'
import { openRowKey } from './transfer-keys.ts'

/**
 * Records the chain's transfers, and marks missing transfers as not live. Executes two statements for any number of transfers, because
 * confirmations change with each block.
 * @returns true if a row changed
 */
export async function recordTransfers(tx: Tx, depositId: bigint, arrived: readonly ChainTransfer[]): Promise<boolean> {
  const known = await tx.selectFrom('invoice_transfer').selectAll().where('deposit_id', '=', depositId).execute()
  const byKey = new Map(known.map((transfer) => [transfer.transfer_key, transfer]))
  const reversed = await reversedGoneTransfers(tx, known)
  const changed = new Map<string, ChainTransfer>()
  for (const transfer of arrived) {
    if (transfer.amount <= 0n) continue
    const key = openRowKey(transfer.key, reversed)
    const before = byKey.get(key)
    byKey.delete(key)
    if (before === undefined || !isRecordedAs(before, transfer)) changed.set(key, transfer)
  }
  const missingKeys = [...byKey.values()].filter(({ is_live }) => is_live).map(({ transfer_key }) => transfer_key)
  if (changed.size > 0) await saveTransfers(tx, depositId, changed)
  if (missingKeys.length > 0)
    await sql`update invoice_transfer set is_live = false, confirmations = 0 where transfer_key = any(${missingKeys}::text[])`.execute(tx)
  return changed.size + missingKeys.length > 0
}

const confirmationsOf = ({ confirmations }: ChainTransfer): number => Math.min(confirmations, INVOICE_CONFIRMATIONS)

const isRecordedAs = (row: Selectable<InvoiceTransferTable>, transfer: ChainTransfer): boolean =>
  row.is_live &&
  row.confirmations === confirmationsOf(transfer) &&
  row.block_time.getTime() === transfer.blockTime.getTime() &&
  row.amount === transfer.amount &&
  row.asset === transfer.asset

/**
 * Inserts or updates transfers by row key. Amounts seen at the head may change; credited and returned amounts stay. A changed transfer loses its open
 * review and is judged again once final.
 */
async function saveTransfers(tx: Tx, depositId: bigint, changed: ReadonlyMap<string, ChainTransfer>): Promise<void> {
  const column = <T>(of: (transfer: ChainTransfer) => T) => [...changed.values()].map(of)
  await sql`
    insert into invoice_transfer as known (transfer_key, deposit_id, asset, amount, tx_hash, block_time, confirmations)
    select key, ${depositId}, asset, amount, hash, block_time, confirmations from unnest(${[...changed.keys()]}::text[],
      ${column(({ asset }) => asset)}::text[], ${column(({ amount }) => amount)}::bigint[], ${column(({ txHash }) => txHash)}::text[],
      ${column(({ blockTime }) => blockTime)}::timestamptz[], ${column(confirmationsOf)}::int[]) w (key, asset, amount, hash, block_time, confirmations)
    on conflict (transfer_key) do update set block_time = excluded.block_time, confirmations = excluded.confirmations, is_live = true,
      amount = case when known.credited_at is null and known.return_id is null then excluded.amount else known.amount end,
      asset = case when known.credited_at is null and known.return_id is null then excluded.asset else known.asset end,
      held = case when known.decided_at is null then null else known.held end,
      held_at = case when known.decided_at is null then null else known.held_at end,
      usd_amount = case when known.held is not null and known.decided_at is null then null else known.usd_amount end`.execute(tx)
}

/** Returns keys from gone transfers with a reversed credit. A transfer mined again becomes a new case. */
async function reversedGoneTransfers(tx: Tx, known: readonly Selectable<InvoiceTransferTable>[]): Promise<Set<string>> {
  const missing = known.filter(({ is_live, transfer_id }) => !is_live && transfer_id !== null)
  if (missing.length === 0) return new Set()
  const { rows } = await sql<{ reverses: bigint }>`
    select reverses from ledger_reversal where reverses = any(${missing.map(({ transfer_id }) => transfer_id)}::bigint[])`.execute(tx)
  const reversed = new Set(rows.map(({ reverses }) => reverses))
  return new Set(
    missing.flatMap(({ transfer_key, transfer_id }) => (transfer_id !== null && reversed.has(transfer_id) ? [transfer_key] : [])),
  )
}
