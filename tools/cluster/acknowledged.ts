import type { Answered, Call } from './call.ts'

/** A call whose final answer somebody has seen: it has to stand in the database to the letter, and once. */
export interface Acknowledged extends Answered {
  /** Name of the route. */
  name: string
  /** Kind of its posting; undefined for a decision of staff. */
  kind: string | undefined
  call: Call
  member: number
}
