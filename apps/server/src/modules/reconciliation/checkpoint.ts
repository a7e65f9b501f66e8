import { sql } from 'kysely'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { DataKeys } from '../../platform/crypto/seal.ts'
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts'
import { isSealedOf, sealOf } from '../../platform/crypto/sealed-facts.ts'

export const sealedCheckpoints: SealedColumn = { table: 'chain_checkpoint', key: 'id', column: 'seal', purpose: 'sums of the books' }

/** What has rested for so long has its place in the sums: clocks of servers differ, and work begins before it is committed. */
const RESTS_MS = DAY_MS

/** Sums over what lies back and does not change any more. */
export interface Checkpoint {
  until: Date
  /** Up to which block transfers are in it. */
  untilBlock: bigint
  sums: ReadonlyMap<string, bigint>
}

/** Before everything. */
export const NOTHING_SUMMED: Checkpoint = { until: new Date('1970-01-01T00:00:00Z'), untilBlock: -1n, sums: new Map() }

/** Up to when a round may add to the sums. */
export const restedAt = (now: Date): Date => new Date(now.getTime() - RESTS_MS)

/** Which sums: of a chain, of what, and over which settings; under other settings they say nothing. */
export interface CheckpointOf {
  chainId: number
  part: 'BOOKS' | 'WALLETS'
  settings: string
}

type Texts = [name: string, sum: string][]

const factsOf = ({ chainId, part, settings }: CheckpointOf, { until, untilBlock }: Omit<Checkpoint, 'sums'>, sums: Texts) => [
  chainId,
  part,
  settings,
  until.toISOString(),
  untilBlock,
  ...sums.map(([name, sum]) => `${name} ${sum}`).toSorted(),
]

/** The house's own sums; undefined where there are none, somebody else wrote them, or the clock was set back behind them. */
export async function readCheckpoint(db: Db, keys: DataKeys, of: CheckpointOf, now: Date): Promise<Checkpoint | undefined> {
  const row = await db
    .selectFrom('chain_checkpoint')
    .selectAll()
    .where('chain_id', '=', BigInt(of.chainId))
    .where('part', '=', of.part)
    .executeTakeFirst()
  if (row === undefined || row.until > restedAt(now)) return undefined
  const kept = { until: row.until, untilBlock: row.until_block }
  const texts = Object.entries(row.sums ?? {}).map(([name, sum]): Texts[number] => [name, String(sum)])
  if (!isSealedOf(keys, sealedCheckpoints.purpose, row.seal, factsOf(of, kept, texts))) return undefined
  return { ...kept, sums: new Map(texts.map(([name, sum]) => [name, BigInt(sum)])) }
}

/** Not where a reorganisation has taken away meanwhile what is in the sums. */
export async function writeCheckpoint(tx: Tx, keys: DataKeys, of: CheckpointOf, checkpoint: Checkpoint): Promise<void> {
  const texts = [...checkpoint.sums].map(([name, sum]): Texts[number] => [name, String(sum)])
  const seal = sealOf(keys, sealedCheckpoints.purpose, factsOf(of, checkpoint, texts))
  await sql`
    insert into chain_checkpoint (chain_id, part, until, until_block, sums, seal)
    select ${of.chainId}, ${of.part}, ${checkpoint.until}, ${checkpoint.untilBlock}, ${JSON.stringify(Object.fromEntries(texts))}::jsonb, ${seal}
    where ${checkpoint.untilBlock} <= coalesce((select final_block from chain_cursor where chain_id = ${of.chainId}), -1)
    on conflict (chain_id, part) do update set until = excluded.until, until_block = excluded.until_block, sums = excluded.sums,
      seal = excluded.seal`.execute(tx)
}
