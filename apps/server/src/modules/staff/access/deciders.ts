import type { StaffActor } from './actor.ts'

/** The deciders: the proposer, and the approver if two were required. */
export interface Deciders {
  proposer: StaffActor
  approverId?: bigint | undefined
  /** The proposal's public id; absent for a direct action. */
  proposalId?: string | undefined
}
