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

/** How old the last reading, and the head that it found, may be before no member is asked to pay any more (fault F11). */
const SILENT_MS = 2 * 60_000

/** When the chain was last read to its head, and the oldest time stamp of a source's head then. */
export interface Liveness {
  seenAt: Date
  headAt: Date
}

/** Null before the watcher's first reading. */
export async function readLiveness(db: Db, chainId: number): Promise<Liveness | null> {
  const { rows } = await sql<Liveness>`
    select seen_at as "seenAt", least(head_at, witness_head_at) as "headAt" from chain_cursor
    where chain_id = ${chainId} and head_at is not null`.execute(db)
  return rows[0] ?? null
}

/** Whether the chain was read lately, and is alive: every source's newest block is young. */
export const isAlive = (known: Liveness | null, now: Date): boolean =>
  known !== null && now.getTime() - Math.min(known.seenAt.getTime(), known.headAt.getTime()) <= SILENT_MS

/** Whether the chain was read and stands still, or is not read any more: nothing is signed meanwhile. */
export async function isChainSilent(db: Db, chainId: number, now: Date): Promise<boolean> {
  const known = await readLiveness(db, chainId)
  return known !== null && !isAlive(known, now)
}

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
    .values({ chain_id: BigInt(chainId), ...columns(header), final_block: BigInt(header.number), seen_at: at, head_at: header.time })
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

/** Notes that the chain was read to its head. */
export async function noteHeads(tx: Tx, chainId: number, at: Date, [node, witness]: readonly Pick<Header, 'time'>[]): Promise<void> {
  await sql`
    update chain_cursor set seen_at = ${at}, head_at = ${node?.time ?? null}::timestamptz, witness_head_at = ${witness?.time ?? null}::timestamptz
    where chain_id = ${chainId}`.execute(tx)
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
