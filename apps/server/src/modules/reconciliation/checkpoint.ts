import { sql } from 'kysely'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { DataKeys } from '../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../platform/crypto/encrypted-column.ts'
import { isMacOf, macOf } from '../../platform/crypto/row-mac.ts'

export const checkpointMacs: EncryptedColumn = { table: 'chain_checkpoint', key: 'id', column: 'mac', purpose: 'sums of the books' }

/** Age in ms at which a row enters the sums. Server clocks differ, and transactions commit after they begin. */
const MIN_ROW_AGE_MS = DAY_MS

/** Sums over old rows that no longer change. */
export interface Checkpoint {
  until: Date
  /** Last block whose transfers are included. */
  untilBlock: bigint
  sums: ReadonlyMap<string, bigint>
}

/** Empty checkpoint, before all rows. */
export const NOTHING_SUMMED: Checkpoint = { until: new Date('1970-01-01T00:00:00Z'), untilBlock: -1n, sums: new Map() }

/** Returns the latest time that a round may add to the sums. */
export const summableUntil = (now: Date): Date => new Date(now.getTime() - MIN_ROW_AGE_MS)

/** Identity of the sums: chain, part and settings. Other settings make them invalid. */
export interface CheckpointOf {
  chainId: number
  part: 'BOOKS' | 'WALLETS'
  settings: string
}

type Texts = [name: string, sum: string][]

const macFields = ({ chainId, part, settings }: CheckpointOf, { until, untilBlock }: Omit<Checkpoint, 'sums'>, sums: Texts) => [
  chainId,
  part,
  settings,
  until.toISOString(),
  untilBlock,
  ...sums.map(([name, sum]) => `${name} ${sum}`).toSorted(),
]

/**
 * Returns the saved sums, or undefined if they are missing, have an invalid MAC, or lie in the future of a reset clock.
 */
export async function readCheckpoint(db: Db, keys: DataKeys, of: CheckpointOf, now: Date): Promise<Checkpoint | undefined> {
  const row = await db
    .selectFrom('chain_checkpoint')
    .selectAll()
    .where('chain_id', '=', BigInt(of.chainId))
    .where('part', '=', of.part)
    .executeTakeFirst()
  if (row === undefined || row.until > summableUntil(now)) return undefined
  const saved = { until: row.until, untilBlock: row.until_block }
  const texts = Object.entries(row.sums ?? {}).map(([name, sum]): Texts[number] => [name, String(sum)])
  if (!isMacOf(keys, checkpointMacs.purpose, row.mac, macFields(of, saved, texts))) return undefined
  return { ...saved, sums: new Map(texts.map(([name, sum]) => [name, BigInt(sum)])) }
}

/** Saves the sums, unless a reorganisation removed a part meanwhile. */
export async function writeCheckpoint(tx: Tx, keys: DataKeys, of: CheckpointOf, checkpoint: Checkpoint): Promise<void> {
  const texts = [...checkpoint.sums].map(([name, sum]): Texts[number] => [name, String(sum)])
  const mac = macOf(keys, checkpointMacs.purpose, macFields(of, checkpoint, texts))
  await sql`
    insert into chain_checkpoint (chain_id, part, until, until_block, sums, mac)
    select ${of.chainId}, ${of.part}, ${checkpoint.until}, ${checkpoint.untilBlock}, ${JSON.stringify(Object.fromEntries(texts))}::jsonb, ${mac}
    where ${checkpoint.untilBlock} <= coalesce((select final_block from chain_cursor where chain_id = ${of.chainId}), -1)
    on conflict (chain_id, part) do update set until = excluded.until, until_block = excluded.until_block, sums = excluded.sums,
      mac = excluded.mac`.execute(tx)
}
