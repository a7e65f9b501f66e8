import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/database.ts'

/** A stake or NFT as reward rows show it. */
interface RowSource {
  id: bigint
  publicId: string
  /** Name of the plan, or of the NFT. */
  label: string
  principal: Units
  /** Units of percent over all days or months, and how many there are. */
  percent: Units
  times: number
  email: string
  name: string
}

/** The stakes or NFTs behind some rewards. */
export async function sourcesOf(db: Db, ids: readonly bigint[]): Promise<(id: bigint) => RowSource> {
  const found = await sql<RowSource>`
    select s.id, s.public_id as "publicId", s.label, s.principal, s.percent, s.times, m.email, m.name
    from reward_source s join member m on m.id = s.member_id where s.id = any (${[...new Set(ids)]}::bigint[])`.execute(db)
  const byId = new Map(found.rows.map((row) => [row.id, row]))
  return (id) => {
    const source = byId.get(id)
    if (source === undefined) throw new Error(`source ${id} is missing`)
    return source
  }
}
