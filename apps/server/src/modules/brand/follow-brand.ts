import { brandLinks } from '@tizara/contract/staff-brand'
import { type BrandLogo, setBrand } from '../../platform/config/brand.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { brandRowAt } from './brand.queries.ts'

/** Time in ms after which the brand is read again. Until then, pages and mails may show the old brand. */
const FOLLOW_MS = 5000

/** Reads the brand in force, for everything that the process shows. Logos are read only when the brand has changed. */
export async function loadBrand(db: Db, { config, clock }: Pick<Deps, 'config' | 'clock'>): Promise<void> {
  const row = await brandRowAt(db, clock.now())
  if (row === undefined || row.version === config.brand.version) return
  const hashes = [row.logo, row.logo_dark].filter((hash) => hash !== null)
  const found = hashes.length === 0 ? [] : await db.selectFrom('brand_logo').select(['hash', 'mark']).where('hash', 'in', hashes).execute()
  const logoOf = (hash: string | null): BrandLogo | null => found.find((one) => one.hash === hash) ?? null
  setBrand(config, {
    version: row.version,
    name: row.name,
    senderName: row.sender_name ?? row.name,
    accent: row.accent,
    logo: logoOf(row.logo),
    logoDark: logoOf(row.logo_dark),
    links: brandLinks.flatMap(([key, text]) => (row[key] === null ? [] : [[text, row[key]] as const])),
  })
}

/** Follows the brand until the database is closed. The timer does not keep the process alive, and a failed reading changes nothing. */
export function followBrand(database: Database, deps: Pick<Deps, 'config' | 'clock'>): Database {
  const timer = setInterval(() => void loadBrand(database.db, deps).catch(() => undefined), FOLLOW_MS)
  timer.unref()
  return {
    ...database,
    close: async () => {
      clearInterval(timer)
      await database.close()
    },
  }
}
