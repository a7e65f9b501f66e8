import { fileClock, systemClock } from '../platform/clock.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { CannotStart } from '../platform/cannot-start.ts'
import type { Deps } from '../platform/deps.ts'
import { randomIds } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import { keepFilesPrivate } from '../platform/private-folder.ts'
import { withPlayChain } from '../sandbox/index.ts'

/** The real dependencies of a process; in a sandbox it uses the play chain that runs. */
export function createDeps(config: Config = withPlayChain(readConfigOrExit())): Deps {
  keepFilesPrivate()
  return {
    config,
    clock: config.clockFile === undefined ? systemClock : fileClock(config.clockFile),
    ids: randomIds,
    log: createLog(config.logLevel),
  }
}

/**
 * Reads the environment; a fault in it is printed in plain words and ends the process with code 2. So does, with code 1, what keeps
 * the process from starting later on.
 */
export function readConfigOrExit(): Config {
  process.once('uncaughtException', (error) => {
    console.error(error instanceof CannotStart ? error.message : error)
    process.exit(1)
  })
  try {
    return readConfig(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(2)
  }
}
