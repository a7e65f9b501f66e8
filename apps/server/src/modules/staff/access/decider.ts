import type { StaffActor } from './actor.ts'

/** Who stands behind a change: who wanted it, and the second person, if it took two. */
export interface ChangeMakers {
  maker: StaffActor
  checkerId?: bigint | undefined
  /** The change's id on the wire, where it was filed. */
  changeId?: string | undefined
}
