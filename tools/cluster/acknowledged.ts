import type { Answered, Call } from './call.ts'

/** Call with a final answer. The database must contain exactly that answer, once. */
export interface Acknowledged extends Answered {
  /** Route name. */
  name: string
  /** Its posting kind, or undefined for a staff decision. */
  kind: string | undefined
  call: Call
  member: number
}
