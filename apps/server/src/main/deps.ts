import { databaseClock } from '../platform/runtime/database-clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { randomIds } from '../platform/runtime/ids.ts'
import { createLog } from '../platform/runtime/log.ts'
import { keepFilesPrivate } from '../platform/embedded/private-folder.ts'
import { withDevChain } from '../sandbox/index.ts'
import { readConfigOrExit } from './read-config.ts'

/** Creates the real dependencies of a process. In a sandbox they use the running development chain. `logFile` as for `createLog`. */
export function createDeps(config: Config = withDevChain(readConfigOrExit()), logFile?: string): Deps {
  keepFilesPrivate()
  return {
    config,
    clock: databaseClock,
    ids: randomIds,
    log: createLog(config.logLevel, logFile),
  }
}
