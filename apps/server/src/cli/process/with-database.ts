import { createDeps } from '../../main/deps.ts'
import { openPrepared } from '../../main/open-database.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** Opens the database of the installation for the work of a command, and closes it. */
export async function withDatabase<T>(work: (db: Db, deps: Deps) => Promise<T>): Promise<T> {
  const deps = createDeps()
  const database = await openPrepared(deps.config, { limits: false })
  try {
    return await work(database.db, deps)
  } finally {
    await database.close()
  }
}
