import type { FinalReply, Call } from './call.ts'

/** Call with a final response. The database must contain the effect of this response exactly once. */
export interface Acknowledged extends FinalReply {
  /** Route name. */
  name: string
  /** Kind of the call's posting, or undefined for a staff decision. */
  kind: string | undefined
  call: Call
  member: number
}
