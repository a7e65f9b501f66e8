import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { type Cursor, deleteSums, savedBlocks, readCursor } from './chain-cursor.ts'
import { recordIncident } from './incidents.ts'
import type { Watch } from './chain-watch.types.ts'

/** Thrown if no saved block is on the chain any more. Staff must investigate before the next credit. */
class ReorgTooDeep extends Error {}

/**
 * Checks the last read block and, after a reorganisation, returns to the common ancestor. Transfers above it are gone until seen
 * again. A missing final transfer is an incident, and its credit stays.
 * @returns the cursor to continue from; null while the node lags behind the cursor, which is no reorganisation
 * @throws ReorgTooDeep
 */
export async function handleReorg(watch: Watch, cursor: Cursor, head: number): Promise<Cursor | null> {
  const { lease, chainId, node, deps } = watch
  const older = await lease.read((db) => savedBlocks(db, chainId, Math.min(head, cursor.block - 1)))
  // Adds the cursor's own block, which may be missing from the saved blocks.
  const knownBlocks = cursor.block <= head ? [{ number: cursor.block, hash: cursor.hash, time: cursor.time }, ...older] : older
  const [newest] = knownBlocks
  if (newest === undefined) return null
  const [current] = await node.headers([newest.number])
  if (current === null || current === undefined) return null
  if (current.hash === newest.hash) return newest.number === cursor.block ? cursor : null
  const now = await node.headers(knownBlocks.map(({ number }) => number))
  const common = knownBlocks.find((block, index) => now[index]?.hash === block.hash)
  const at = deps.clock.now()
  if (common === undefined) {
    const from = knownBlocks.at(-1)?.number ?? cursor.block
    await lease.inTransaction((tx) => recordIncident(tx, { kind: 'TOO_DEEP', at, from, transfers: [] }))
    throw new ReorgTooDeep(`the chain differs from the stored blocks before block ${from}`)
  }
  deps.log.warn({ chain: chainId, from: common.number + 1, to: cursor.block }, 'the chain was reorganized')
  return lease.inTransaction(async (tx) => {
    const lost = await markAboveAsGone(tx, watch, common.number)
    if (lost.length > 0) {
      deps.log.error({ chain: chainId, transfers: lost }, 'final transfers disappeared from the chain')
      await recordIncident(tx, { kind: 'FINAL_GONE', at, from: common.number + 1, transfers: lost })
    }
    await sql`
      update chain_cursor set block = ${common.number}, block_hash = ${common.hash}, block_time = ${common.time},
        final_block = least(final_block, ${common.number}) where chain_id = ${chainId}`.execute(tx)
    return readCursor(tx, chainId)
  })
}

/** Marks transfers above a block as gone. Returns those that were final. */
async function markAboveAsGone(tx: Tx, { chainId, onTransfersRecorded }: Watch, block: number): Promise<string[]> {
  await sql`delete from chain_block where chain_id = ${chainId} and number > ${block}`.execute(tx)
  await deleteSums(tx, chainId, block)
  const final = await sql<{ transfer: string }>`
    select tx_hash || ' ' || address || ' ' || ordinal as transfer from chain_transfer
    where chain_id = ${chainId} and block > ${block} and state = 'FINAL' order by block, 1`.execute(tx)
  const removed = await sql<{ address: string }>`
    update chain_transfer set state = 'GONE' where chain_id = ${chainId} and block > ${block} and state <> 'GONE' returning address`.execute(
    tx,
  )
  if (removed.rows.length > 0) await onTransfersRecorded(tx, [...new Set(removed.rows.map(({ address }) => address))])
  return final.rows.map(({ transfer }) => transfer)
}
