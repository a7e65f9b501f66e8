import type { BrandValue } from '@tizara/contract/staff-values'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'

export interface NewBrand {
  brand: BrandValue
  decidedBy: bigint | null
}

/**
 * Puts a brand in force. Earlier brands stay in the table.
 * @throws AppError INVALID_INPUT for a logo that is not stored
 */
export const publishBrand = (tx: Tx, input: NewBrand & { at: Date }): Promise<void> => insert(tx, input, input.at, input.at)

/**
 * Replaces the planned brands.
 * @throws AppError as above
 */
export async function scheduleBrands(tx: Tx, now: Date, planned: readonly (NewBrand & { startsAt: Date })[]): Promise<void> {
  await tx.deleteFrom('brand').where('starts_at', '>', now).execute()
  for (const one of planned) await insert(tx, one, now, one.startsAt)
}

async function insert(tx: Tx, { brand, decidedBy }: NewBrand, at: Date, startsAt: Date): Promise<void> {
  await assertLogosExist(tx, brand)
  const { senderName, logoDark, ...same } = brand
  await tx
    .insertInto('brand')
    .values({ ...same, sender_name: senderName, logo_dark: logoDark, created_at: at, created_by: decidedBy, starts_at: startsAt })
    .execute()
}

/**
 * Rejects a brand whose logos were not uploaded, or were deleted since.
 * @throws AppError INVALID_INPUT
 */
async function assertLogosExist(tx: Tx, { logo, logoDark }: BrandValue): Promise<void> {
  for (const [path, hash] of [
    ['value.logo', logo],
    ['value.logoDark', logoDark],
  ] as const) {
    if (hash === null) continue
    const found = await tx.selectFrom('brand_logo').select('hash').where('hash', '=', hash).forKeyShare().executeTakeFirst()
    if (found === undefined) throw new AppError('INVALID_INPUT', {}, [{ path, message: 'Upload the logo again' }])
  }
  if (logo === null && logoDark !== null)
    throw new AppError('INVALID_INPUT', {}, [{ path: 'value.logo', message: 'A logo for the dark theme needs one for the light theme' }])
}
