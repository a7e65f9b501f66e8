import type { Units } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { asJson } from '../../../platform/db/insert-rows.ts'
import type { RewardSourceTable } from '../../../platform/db/tables.generated.ts'
import type { Stream } from '../programme/rewards.rules.ts'

/** A source for daily or monthly rewards, handed over by its sale. */
export interface SoldSource {
  stream: Stream
  /** The stake's or purchase's public id, and its name. */
  publicId: string
  label: string
  memberId: bigint
  /** Base for all steps' rewards together, in units, and their share in percent units. */
  principal: Units
  percent: Units
  /** Units per step, and number of steps. A step is a day, for an NFT a month. */
  amount: Units
  steps: number
}

export interface NewSource extends SoldSource {
  /** Time one step before the first due step. */
  startsAt: Date
  /** The programme version at its sale. */
  version: number
}

export interface Source extends NewSource {
  id: bigint
  /** Sum of the bounties of all levels on one step, in units, if every upline earns. */
  bounty: Units
  /** Coin units for rank bonuses, handed out when the stake matures (RW-05). */
  rankBudget: Units
  /** Counted steps. */
  processed: number
  reversedAt: Date | null
}

type SourceToInsert = NewSource & Pick<Source, 'bounty' | 'rankBudget'>

/** Returns the columns of a new row in `reward_source`. */
export const sourceColumns = (source: SourceToInsert) => ({
  stream: source.stream,
  public_id: source.publicId,
  label: source.label,
  member_id: source.memberId,
  principal: source.principal,
  percent: source.percent,
  amount: source.amount,
  bounty: source.bounty,
  steps: source.steps,
  starts_at: source.startsAt,
  programme_version: source.version,
  rank_budget: source.rankBudget,
})

/** Serializes sources for `reward_open_sources`. Sales call `openSources`, which also records the other effects on rewards. */
export const sourcesAsJson = (sources: readonly SourceToInsert[]): string => asJson(sources.map(sourceColumns))

/** Reads and locks a source until the transaction ends, so that no run counts a step. */
export async function holdSource(tx: Tx, publicId: string): Promise<Source> {
  return read(await tx.selectFrom('reward_source').selectAll().where('public_id', '=', publicId).forUpdate().executeTakeFirstOrThrow())
}

/** Ends a source: no further step becomes due. */
export async function endSource(tx: Tx, source: Source, at: Date): Promise<void> {
  await tx.updateTable('reward_source').set({ reversed_at: at }).where('id', '=', source.id).execute()
}

/** A stake's or NFT's reward progress. */
export interface Progress {
  /** Counted steps, paid or not, and their total. */
  processed: number
  steps: number
  /** NFTs only: units paid by the months, and the time of the last counted month. */
  distributed: Units
  distributedAt: Date | null
}

/** Reads the reward progress for stakes or NFTs by public id. */
export async function progressOf(db: Db, publicIds: readonly string[]): Promise<(publicId: string) => Progress> {
  const found = await sql<Progress & { publicId: string }>`
    select public_id as "publicId", processed, steps, distributed, distributed_at as "distributedAt"
    from reward_source where public_id = any (${publicIds}::text[])`.execute(db)
  const byId = new Map(found.rows.map((row) => [row.publicId, row]))
  return (publicId) => {
    const progress = byId.get(publicId)
    if (progress === undefined) throw new Error(`no rewards of ${publicId}`)
    return progress
  }
}

const read = (row: Selectable<RewardSourceTable>): Source => ({
  id: row.id,
  stream: row.stream as Stream,
  publicId: row.public_id,
  label: row.label,
  memberId: row.member_id,
  principal: row.principal,
  percent: row.percent,
  amount: row.amount,
  bounty: row.bounty,
  steps: row.steps,
  startsAt: row.starts_at,
  version: row.programme_version,
  rankBudget: row.rank_budget,
  processed: row.processed,
  reversedAt: row.reversed_at,
})
