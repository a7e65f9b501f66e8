import { type NftKind, nftKinds } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { nftsAt } from './nfts-at.ts'

/** Operator-defined properties of a catalogue NFT (EN-36). */
export interface NftValues {
  name: string
  title: string
  /** The NFT's kind, under its name in the API. */
  walletName: NftKind
  /** USD units. */
  price: Units
  /** Months. */
  duration: number
  /** Total reward in percent units. */
  dailyRoi: Units
  status: 'ACTIVE' | 'INACTIVE'
}

/**
 * Reads an NFT's values at a moment, past or planned.
 * @throws AppError NOT_FOUND
 */
export async function nftValues(db: Db, nftId: string, at: Date): Promise<NftValues> {
  const nft = await db.selectFrom(nftsAt(at)).selectAll().where('public_id', '=', nftId).executeTakeFirst()
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
 * Adds or edits a catalogue NFT. NFTs that were already sold keep their terms.
 * @param nftId public id to edit; undefined adds an NFT
 * @returns the NFT's public id
 * @throws AppError NOT_FOUND
 */
export async function putNft(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, nftId: string | undefined, values: NftValues): Promise<string> {
  const row = rowOf(values)
  if (nftId === undefined) {
    const publicId = deps.ids.publicId()
    await tx
      .insertInto('nft')
      .values({ ...row, public_id: publicId, created_at: deps.clock.now() })
      .execute()
    return publicId
  }
  const changed = await tx.updateTable('nft').set(row).where('public_id', '=', nftId).returning('id').executeTakeFirst()
  if (changed === undefined) throw new AppError('NOT_FOUND')
  await tx.deleteFrom('nft_next').where('nft_id', '=', changed.id).where('starts_at', '<=', deps.clock.now()).execute()
  return nftId
}

const rowOf = (values: NftValues) => ({
  kind: values.walletName,
  name: values.name,
  title: values.title,
  price: values.price,
  duration_months: values.duration,
  total_percent: values.dailyRoi,
  status: values.status === 'ACTIVE' ? 'ACTIVE' : 'CLOSED',
})

/**
 * Replaces an NFT's scheduled changes.
 * @param nftId public id; if the NFT does not exist yet, the first step creates it
 * @param steps future steps in start order
 */
export async function scheduleNft(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  nftId: string,
  steps: readonly { startsAt: Date; values: NftValues }[],
): Promise<void> {
  const now = deps.clock.now()
  await tx.deleteFrom('nft').where('public_id', '=', nftId).where('starts_at', '>', now).execute()
  const found = await tx.selectFrom('nft').select('id').where('public_id', '=', nftId).forUpdate().executeTakeFirst()
  const [first] = steps
  if (found !== undefined) await tx.deleteFrom('nft_next').where('nft_id', '=', found.id).where('starts_at', '>', now).execute()
  const planned = first && { ...rowOf(first.values), public_id: nftId, created_at: now, starts_at: first.startsAt }
  const id = found?.id ?? (planned && (await tx.insertInto('nft').values(planned).returning('id').executeTakeFirstOrThrow()).id)
  if (id === undefined) return
  for (const { startsAt, values } of found === undefined ? steps.slice(1) : steps) {
    const row = { ...rowOf(values), nft_id: id, starts_at: startsAt }
    await tx
      .insertInto('nft_next')
      .values(row)
      .onConflict((c) => c.columns(['nft_id', 'starts_at']).doUpdateSet(row))
      .execute()
  }
}
