import { followBrand, loadBrand } from '../modules/brand/index.ts'
import type { Config } from '../platform/config/config.ts'
import { type Database, openDatabase } from '../platform/db/database.ts'
import { followClock, readClock } from '../platform/db/follow-clock.ts'
import { databaseClock } from '../platform/runtime/database-clock.ts'
import { embeddedAnswers, startEmbedded } from '../platform/embedded/embedded.ts'
import { schemaLack } from '../platform/db/wait-for-schema.ts'

/**
 * Opens the configured database. Without DATABASE_URL it opens the embedded one: a command joins the running process through the socket in
 * the data folder, or starts the database. The process's clock and brand follow the database.
 * @param options `own: true` if the process must own the data folder; `limits: false` for long batch commands
 * @throws StartupError if another process owns the folder, or no database starts in it
 */
export async function openConfigured(config: Config, options: { own?: boolean; limits?: boolean } = {}): Promise<Database> {
  return followBrand(followClock(await open(config, options), config.mode), { config, clock: databaseClock })
}

async function open(config: Config, options: { own?: boolean; limits?: boolean }): Promise<Database> {
  const pool = { max: config.databasePool, ...(options.limits === undefined ? {} : { limits: options.limits }) }
  if (config.databaseUrl !== undefined) return openDatabase({ url: config.databaseUrl }, pool)
  const embeddedPool = { max: Math.min(config.databasePool, 8) }
  if (options.own !== true && (await embeddedAnswers(config.dataDir))) {
    return openDatabase({ socketDir: config.dataDir }, { max: 4 })
  }
  const embedded = await startEmbedded(config.dataDir)
  const database = openDatabase({ socketDir: embedded.socketDir }, embeddedPool)
  return {
    ...database,
    close: async () => {
      await database.close()
      await embedded.close()
    },
  }
}

/** Opens the database for a command that requires the schema of this version. With another schema the process ends with a message. */
export async function openPrepared(config: Config, options: { limits?: boolean } = {}): Promise<Database> {
  const database = await openConfigured(config, options)
  const lack = await schemaLack(database)
  if (lack === undefined) {
    await readClock(database.db)
    await loadBrand(database.db, { config, clock: databaseClock })
    return database
  }
  console.error(lack)
  await database.close()
  process.exit(1)
}
