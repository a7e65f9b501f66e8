import type { StaffActor } from './actor.ts'

/** The deciders: the maker, and the checker if two were required. */
export interface Deciders {
  maker: StaffActor
  checkerId?: bigint | undefined
  /** The proposal's public id; absent for a direct action. */
  proposalId?: string | undefined
}
