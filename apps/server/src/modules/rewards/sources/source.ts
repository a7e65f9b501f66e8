import type { Units } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { asJson } from '../../../platform/db/insert-rows.ts'
import type { RewardSourceTable } from '../../../platform/db/tables.generated.ts'
import type { Stream } from '../programme/rewards.rules.ts'

/** What pays day by day or month by month, as a sale hands it over. */
export interface SoldSource {
  stream: Stream
  /** As members know the stake or the purchase, and what it is called. */
  publicId: string
  label: string
  memberId: bigint
  /** Units that the rewards of all steps are a share of, and the share in units of percent. */
  principal: Units
  percent: Units
  /** Units of one step, and how many steps there are: days, of an NFT months. */
  amount: Units
  times: number
}

export interface NewSource extends SoldSource {
  /** The first step falls due one step later. */
  startsAt: Date
  /** Version of the programme that it was sold under. */
  version: number
}

export interface Source extends NewSource {
  id: bigint
  /** Units that all levels together get of one step, were everyone above to earn. */
  bounty: Units
  /** Steps that have been counted. */
  counted: number
  undoneAt: Date | null
}

/** Sources as `reward_open_sources` takes them; `openSources` is the way in, which does what else a sale means for rewards. */
export const sourcesAsJson = (sources: readonly (NewSource & Pick<Source, 'bounty'>)[]): string =>
  asJson(
    sources.map((source) => ({
      stream: source.stream,
      public_id: source.publicId,
      label: source.label,
      member_id: source.memberId,
      principal: source.principal,
      percent: source.percent,
      amount: source.amount,
      bounty: source.bounty,
      times: source.times,
      starts_at: source.startsAt,
      programme_version: source.version,
    })),
  )

/** A source, held until the transaction ends, so that no run counts on it meanwhile. */
export async function holdSource(tx: Tx, publicId: string): Promise<Source> {
  return read(await tx.selectFrom('reward_source').selectAll().where('public_id', '=', publicId).forUpdate().executeTakeFirstOrThrow())
}

/** Ends a source: none of its further steps falls due. */
export async function endSource(tx: Tx, source: Source, at: Date): Promise<void> {
  await tx.updateTable('reward_source').set({ undone_at: at }).where('id', '=', source.id).execute()
}

/** How far the rewards of a stake or NFT are. */
export interface Progress {
  /** Steps that have been counted, paid or not, of so many. */
  counted: number
  times: number
  /** Of an NFT: what its months paid, in units, and when the last of them was written down. */
  distributed: Units
  distributedAt: Date | null
}

/** How far the rewards of some stakes or NFTs are, by the ids that members know. */
export async function progressOf(db: Db, publicIds: readonly string[]): Promise<(publicId: string) => Progress> {
  const found = await sql<Progress & { publicId: string }>`
    select public_id as "publicId", counted, times, distributed, distributed_at as "distributedAt"
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
  times: row.times,
  startsAt: row.starts_at,
  version: row.programme_version,
  counted: row.counted,
  undoneAt: row.undone_at,
})
