import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Header } from './evm-node.ts'

/** Blocks whose hashes are kept. */
const KEPT = 256

/** How far the chain was read. */
export interface Cursor {
  block: number
  hash: string
  time: Date
  finalBlock: number
  seenAt: Date
}

/** How old the word of a node may be before nobody is asked to pay any more (fault F11). */
const SILENT_MS = 2 * 60_000

/** Whether a node told its head lately. */
export const isHeard = (cursor: Cursor | null, now: Date): boolean =>
  cursor !== null && now.getTime() - cursor.seenAt.getTime() <= SILENT_MS

/** Null before the watcher's first look. */
export async function readCursor(db: Db, chainId: number): Promise<Cursor | null> {
  const row = await db.selectFrom('chain_cursor').selectAll().where('chain_id', '=', BigInt(chainId)).executeTakeFirst()
  if (row === undefined) return null
  return { block: Number(row.block), hash: row.block_hash, time: row.block_time, finalBlock: Number(row.final_block), seenAt: row.seen_at }
}

/** Begins behind a block: what is younger will be read. */
export async function beginAt(tx: Tx, chainId: number, header: Header, at: Date): Promise<void> {
  await tx
    .insertInto('chain_cursor')
    .values({ chain_id: BigInt(chainId), ...columns(header), final_block: BigInt(header.number), seen_at: at })
    .execute()
  await keepBlocks(tx, chainId, [header])
}

/** Moves the end of the quick pass. */
export async function moveCursor(tx: Tx, chainId: number, header: Header): Promise<void> {
  await tx.updateTable('chain_cursor').set(columns(header)).where('chain_id', '=', BigInt(chainId)).execute()
}

export async function moveFinal(tx: Tx, chainId: number, block: number): Promise<void> {
  await tx
    .updateTable('chain_cursor')
    .set({ final_block: BigInt(block) })
    .where('chain_id', '=', BigInt(chainId))
    .execute()
}

export async function noteHead(tx: Tx, chainId: number, at: Date): Promise<void> {
  await tx.updateTable('chain_cursor').set({ seen_at: at }).where('chain_id', '=', BigInt(chainId)).execute()
}

/** Remembers blocks, and forgets those that are too old to matter. */
export async function keepBlocks(tx: Tx, chainId: number, headers: readonly Header[]): Promise<void> {
  await sql`
    insert into chain_block (chain_id, number, hash, block_time)
    select ${chainId}, * from unnest(${headers.map(({ number }) => number)}::bigint[], ${headers.map(({ hash }) => hash)}::text[],
      ${headers.map(({ time }) => time)}::timestamptz[])
    on conflict (chain_id, number) do update set hash = excluded.hash, block_time = excluded.block_time`.execute(tx)
  await sql`
    delete from chain_block where chain_id = ${chainId} and number < (
      select number from chain_block where chain_id = ${chainId} order by number desc offset ${KEPT - 1} limit 1)`.execute(tx)
}

/** Has the hourly comparison add up everything again where it has sums over what came above a block. */
export async function forgetSums(tx: Tx, chainId: number, block: number): Promise<void> {
  await sql`delete from chain_checkpoint where chain_id = ${chainId} and part = 'BOOKS' and until_block > ${block}`.execute(tx)
}

/** The remembered blocks at or below a height, newest first. */
export async function keptBlocks(db: Db, chainId: number, upTo: number): Promise<Omit<Header, 'parentHash'>[]> {
  const rows = await db
    .selectFrom('chain_block')
    .select(['number', 'hash', 'block_time'])
    .where('chain_id', '=', BigInt(chainId))
    .where('number', '<=', BigInt(upTo))
    .orderBy('number', 'desc')
    .limit(KEPT)
    .execute()
  return rows.map((row) => ({ number: Number(row.number), hash: row.hash, time: row.block_time }))
}

const columns = ({ number, hash, time }: Omit<Header, 'parentHash'>) => ({ block: BigInt(number), block_hash: hash, block_time: time })
