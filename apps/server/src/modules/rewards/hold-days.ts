import type { Db } from '../../platform/database.ts'

/** Days for which instant rewards are held. */
export async function holdDays(_db: Db): Promise<number> {
  return 30
}
