import type { BrandValue } from '@tizara/contract/staff-values'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** Reads the row in force at a moment; undefined before the first decision. */
export const brandRowAt = (db: Db, at: Date) =>
  db
    .selectFrom('brand')
    .selectAll()
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Reads the brand at a moment. Before the first decision its name is BRAND_NAME, and all else is the default. */
export async function brandAt(db: Db, { config }: Pick<Deps, 'config'>, at: Date): Promise<BrandValue> {
  const row = await brandRowAt(db, at)
  return {
    name: row?.name ?? config.brandName,
    senderName: row?.sender_name ?? null,
    accent: row?.accent ?? null,
    logo: row?.logo ?? null,
    logoDark: row?.logo_dark ?? null,
    terms: row?.terms ?? null,
    privacy: row?.privacy ?? null,
    imprint: row?.imprint ?? null,
    support: row?.support ?? null,
  }
}
