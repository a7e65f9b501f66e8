import { type Selectable, sql } from 'kysely'
import type { NftTable } from '../../platform/db/tables.generated.ts'

/** Returns the catalogue at a moment, past or planned. */
export const nftsAt = (at: Date) => sql<Selectable<NftTable>>`nfts_at(${at}::timestamptz)`.as('nft')
