import type { StaffActor } from '../../modules/staff/index.ts'
import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import type { StaffOptions } from './arguments.ts'

/** What a command gets. */
export interface CommandInput {
  db: Db
  deps: Deps
  actor: StaffActor | null
  args: string[]
  options: StaffOptions
}

/** One command. */
export interface Command {
  /** Whether it asks for `--as`. */
  needsActor: boolean
  /** Does it, and returns the lines to print. */
  run(input: CommandInput): Promise<string[]>
}
