import { INVOICE_CONFIRMATIONS } from '@tizara/contract'
import { sql, type Selectable } from 'kysely'
import type { ChainTransfer } from '../../gateways/chain/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { InvoiceTransferTable } from '../../platform/db/tables.generated.ts'
import { openRowKey } from './transfer-keys.ts'

/** Records the chain's transfers. Missing ones are marked as not live. */
export async function recordTransfers(tx: Tx, depositId: bigint, arrived: readonly ChainTransfer[]): Promise<boolean> {
  const known = await tx.selectFrom('invoice_transfer').selectAll().where('deposit_id', '=', depositId).execute()
  const byKey = new Map(known.map((transfer) => [transfer.transfer_key, transfer]))
  const reversed = await reversedWhileGone(tx, known)
  let moved = false
  for (const transfer of arrived) {
    if (transfer.amount <= 0n) continue
    const key = openRowKey(transfer.key, reversed)
    const before = byKey.get(key)
    byKey.delete(key)
    const confirmations = Math.min(transfer.confirmations, INVOICE_CONFIRMATIONS)
    if (
      before?.is_live === true &&
      before.confirmations === confirmations &&
      before.block_time.getTime() === transfer.blockTime.getTime() &&
      before.amount === transfer.amount &&
      before.asset === transfer.asset
    )
      continue
    moved = true
    // A changed transfer loses its open review and is judged again once final.
    if (before !== undefined && before.held !== null && before.decided_at === null) {
      const unjudged = { held: null, held_at: null, usd_amount: null }
      await tx.updateTable('invoice_transfer').set(unjudged).where('transfer_key', '=', key).execute()
    }
    await tx
      .insertInto('invoice_transfer')
      .values({
        transfer_key: key,
        deposit_id: depositId,
        asset: transfer.asset,
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
          // Amounts seen at the head may change. Credited amounts stay.
          amount: eb
            .case()
            .when('invoice_transfer.credited_at', 'is', null)
            .then(transfer.amount)
            .else(eb.ref('invoice_transfer.amount'))
            .end(),
          asset: eb
            .case()
            .when('invoice_transfer.credited_at', 'is', null)
            .then<string>(transfer.asset)
            .else(eb.ref('invoice_transfer.asset'))
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

/** Returns keys from gone transfers with a reversed credit. A transfer mined again becomes a new case. */
async function reversedWhileGone(tx: Tx, known: readonly Selectable<InvoiceTransferTable>[]): Promise<Set<string>> {
  const gone = known.filter(({ is_live, transfer_id }) => !is_live && transfer_id !== null)
  if (gone.length === 0) return new Set()
  const { rows } = await sql<{ reverses: bigint }>`
    select reverses from ledger_reversal where reverses = any(${gone.map(({ transfer_id }) => transfer_id)}::bigint[])`.execute(tx)
  const reversed = new Set(rows.map(({ reverses }) => reverses))
  return new Set(gone.flatMap(({ transfer_key, transfer_id }) => (transfer_id !== null && reversed.has(transfer_id) ? [transfer_key] : [])))
}
