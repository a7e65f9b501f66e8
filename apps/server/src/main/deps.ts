import { fileClock, systemClock } from '../platform/clock.ts'
import { type Config, readConfig } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { randomIds } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import { keepFilesPrivate } from '../platform/private-folder.ts'

/** The real dependencies of a process. */
export function createDeps(config: Config = readConfigOrExit()): Deps {
  keepFilesPrivate()
  return {
    config,
    clock: config.clockFile === undefined ? systemClock : fileClock(config.clockFile),
    ids: randomIds,
    log: createLog(config.logLevel),
  }
}

/** Reads the environment; a fault in it is printed in plain words and ends the process with code 2. */
export function readConfigOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(2)
  }
}

let closing: (() => Promise<void>) | undefined

/** While a process starts it has nothing in hand: a signal ends it at once. */
export const nothingInHand = () => Promise.resolve()

/**
 * Ends a process cleanly on SIGTERM and SIGINT, however often they come: a group's signal reaches it twice.
 * @param close stops everything that runs by now, in place of what was given before; the process exits with 0 when it is
 *   done, with 1 after 9.5 seconds: whoever ends it kills it after 10
 */
export function onTermination(close: () => Promise<void>): void {
  const known = closing !== undefined
  closing = close
  if (known) return
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(1), 9_500).unref()
    closing?.().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
