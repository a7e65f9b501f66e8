import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Header } from './chain-node.ts'

/** Number of block hashes kept. */
const SAVED_BLOCKS = 256

/** Last block read from the chain. */
export interface Cursor {
  block: number
  hash: string
  time: Date
  finalBlock: number
  seenAt: Date
}

/** Maximum age in ms of the last scan and of its head. Above it, members get no new invoices, and the signer signs nothing. */
const MAX_READING_AGE_MS = 2 * 60_000

/** Time of the last scan to the head, and the oldest block time of the head among the sources. */
export interface Liveness {
  seenAt: Date
  headAt: Date
}

/** Returns null before the watcher's first scan. */
export async function readLiveness(db: Db, chainId: number): Promise<Liveness | null> {
  const { rows } = await sql<Liveness>`
    select seen_at as "seenAt", least(head_at, second_head_at) as "headAt" from chain_cursor
    where chain_id = ${chainId} and head_at is not null`.execute(db)
  return rows[0] ?? null
}

/** Returns true if the last scan and each source's newest block are recent. */
export const isAlive = (known: Liveness | null, now: Date): boolean =>
  known !== null && now.getTime() - Math.min(known.seenAt.getTime(), known.headAt.getTime()) <= MAX_READING_AGE_MS

/** Returns the problems of the rejected tokens, by contract. */
export async function rejectedTokens(db: Db, chainId?: number): Promise<Map<string, string>> {
  const { rows } = await sql<{ token: string; problem: string }>`
    select token, problem from chain_cursor, jsonb_each_text(rejected_tokens) as rejected (token, problem)
    where ${chainId ?? null}::bigint is null or chain_id = ${chainId ?? null} order by 1`.execute(db)
  return new Map(rows.map(({ token, problem }) => [token, problem]))
}

/** Returns true if the watcher has read the chain before, but not recently. The signer then signs nothing. */
export async function isChainSilent(db: Db, chainId: number, now: Date): Promise<boolean> {
  const known = await readLiveness(db, chainId)
  return known !== null && !isAlive(known, now)
}

/** Returns null before the watcher's first scan. */
export async function readCursor(db: Db, chainId: number): Promise<Cursor | null> {
  const row = await db.selectFrom('chain_cursor').selectAll().where('chain_id', '=', BigInt(chainId)).executeTakeFirst()
  if (row === undefined) return null
  return { block: Number(row.block), hash: row.block_hash, time: row.block_time, finalBlock: Number(row.final_block), seenAt: row.seen_at }
}

/** Starts the cursor at a block. The watcher reads only younger blocks. */
export async function beginAt(tx: Tx, chainId: number, header: Header, at: Date): Promise<void> {
  await tx
    .insertInto('chain_cursor')
    .values({ chain_id: BigInt(chainId), ...columns(header), final_block: BigInt(header.number), seen_at: at, head_at: header.time })
    .execute()
  await saveBlocks(tx, chainId, [header])
}

/** Moves the cursor of the scan that reads up to the head (column `block`). */
export async function moveCursor(tx: Tx, chainId: number, header: Header): Promise<void> {
  await tx.updateTable('chain_cursor').set(columns(header)).where('chain_id', '=', BigInt(chainId)).execute()
}

/** Moves the cursor of the scan at finality depth. */
export async function moveFinal(tx: Tx, chainId: number, block: number): Promise<void> {
  await tx
    .updateTable('chain_cursor')
    .set({ final_block: BigInt(block) })
    .where('chain_id', '=', BigInt(chainId))
    .execute()
}

/** Records a scan to the head of the chain, and the rejected tokens. */
export async function recordHeads(
  tx: Tx,
  { chainId, rejected }: { chainId: number; rejected?: ReadonlyMap<string, string> | undefined },
  at: Date,
  [node, secondNode]: readonly Pick<Header, 'time'>[],
): Promise<void> {
  await sql`
    update chain_cursor set seen_at = ${at}, head_at = ${node?.time ?? null}::timestamptz, second_head_at = ${secondNode?.time ?? null}::timestamptz,
      rejected_tokens = ${JSON.stringify(Object.fromEntries(rejected ?? []))}::jsonb
    where chain_id = ${chainId}`.execute(tx)
}

/** Saves block hashes and deletes the oldest, so that `SAVED_BLOCKS` remain. */
export async function saveBlocks(tx: Tx, chainId: number, headers: readonly Header[]): Promise<void> {
  await sql`
    insert into chain_block (chain_id, number, hash, block_time)
    select ${chainId}, * from unnest(${headers.map(({ number }) => number)}::bigint[], ${headers.map(({ hash }) => hash)}::text[],
      ${headers.map(({ time }) => time)}::timestamptz[])
    on conflict (chain_id, number) do update set hash = excluded.hash, block_time = excluded.block_time`.execute(tx)
  await sql`
    delete from chain_block where chain_id = ${chainId} and number < (
      select number from chain_block where chain_id = ${chainId} order by number desc offset ${SAVED_BLOCKS - 1} limit 1)`.execute(tx)
}

/** Deletes the saved sums of the hourly comparison that include a block after this one. The next run adds them up again. */
export async function deleteSums(tx: Tx, chainId: number, block: number): Promise<void> {
  await sql`delete from chain_checkpoint where chain_id = ${chainId} and part = 'BOOKS' and until_block > ${block}`.execute(tx)
}

/** Returns the saved blocks at or below a height, newest first. */
export async function savedBlocks(db: Db, chainId: number, upTo: number): Promise<Omit<Header, 'parentHash'>[]> {
  const rows = await db
    .selectFrom('chain_block')
    .select(['number', 'hash', 'block_time'])
    .where('chain_id', '=', BigInt(chainId))
    .where('number', '<=', BigInt(upTo))
    .orderBy('number', 'desc')
    .limit(SAVED_BLOCKS)
    .execute()
  return rows.map((row) => ({ number: Number(row.number), hash: row.hash, time: row.block_time }))
}

const columns = ({ number, hash, time }: Omit<Header, 'parentHash'>) => ({ block: BigInt(number), block_hash: hash, block_time: time })
