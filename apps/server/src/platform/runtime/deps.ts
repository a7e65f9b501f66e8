import type { Clock } from './clock.ts'
import type { Config } from '../config/config.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'

/** Dependencies of every use case, except its transaction. */
export interface Deps {
  config: Config
  clock: Clock
  ids: Ids
  log: Log
}
