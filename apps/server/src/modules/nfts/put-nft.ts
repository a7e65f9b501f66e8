import { type NftKind, nftKinds } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { AppError } from '../../platform/app-error.ts'
import type { Db, Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'

/** An NFT of the catalogue as the operator sets it (EN-36). */
export interface NftValues {
  name: string
  title: string
  walletName: NftKind
  /** USD units. */
  price: Units
  /** Months. */
  duration: number
  /** Total reward in percent units. */
  dailyRoi: Units
  /** Whether it is on sale. */
  status: 'ACTIVE' | 'INACTIVE'
}

/**
 * The figures of an NFT of the catalogue.
 * @throws AppError NOT_FOUND
 */
export async function nftValues(db: Db, nftId: string): Promise<NftValues> {
  const nft = await db.selectFrom('nft').selectAll().where('public_id', '=', nftId).executeTakeFirst()
  if (nft === undefined) throw new AppError('NOT_FOUND')
  return {
    name: nft.name,
    title: nft.title,
    walletName: nftKinds.find((kind) => kind === nft.kind) ?? 'dome',
    price: nft.price,
    duration: nft.duration_months,
    dailyRoi: nft.total_percent,
    status: nft.status === 'ACTIVE' ? 'ACTIVE' : 'INACTIVE',
  }
}

/**
 * Adds an NFT to the catalogue, or changes one; what was bought keeps its own figures.
 * @param nftId id on the wire of the NFT to change; undefined adds one
 * @returns the NFT's id on the wire
 * @throws AppError NOT_FOUND
 */
export async function putNft(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, nftId: string | undefined, values: NftValues): Promise<string> {
  const row = {
    kind: values.walletName,
    name: values.name,
    title: values.title,
    price: values.price,
    duration_months: values.duration,
    total_percent: values.dailyRoi,
    status: values.status === 'ACTIVE' ? 'ACTIVE' : 'CLOSED',
  }
  if (nftId === undefined) {
    const publicId = deps.ids.publicId()
    await tx
      .insertInto('nft')
      .values({ ...row, public_id: publicId, created_at: deps.clock.now() })
      .execute()
    return publicId
  }
  const changed = await tx.updateTable('nft').set(row).where('public_id', '=', nftId).executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
  return nftId
}
