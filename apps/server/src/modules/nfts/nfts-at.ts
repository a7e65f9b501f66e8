import { type Selectable, sql } from 'kysely'
import type { NftTable } from '../../platform/db/tables.generated.ts'

/** The NFTs of the catalogue as they are, or are planned to be, at a moment. */
export const nftsAt = (at: Date) => sql<Selectable<NftTable>>`nfts_at(${at}::timestamptz)`.as('nft')
