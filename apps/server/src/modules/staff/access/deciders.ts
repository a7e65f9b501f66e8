import type { StaffActor } from './actor.ts'

/** The people who decided: the maker, and the checker if it took two. */
export interface Deciders {
  maker: StaffActor
  checkerId?: bigint | undefined
  /** The proposal's id on the wire; absent for a direct act. */
  proposalId?: string | undefined
}
