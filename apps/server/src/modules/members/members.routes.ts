import { myTeam, profile } from '@tizara/contract/members'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { listMyTeam } from './list-my-team.ts'
import { type MemberPorts, readProfile } from './read-profile.ts'

/** Binds the routes on the member's own account. */
export function memberRoutes(bind: Bind, ports: MemberPorts): void {
  bind.read(profile, async ({ db, deps, viewer }) => answer(await readProfile(db, ports, viewer, deps.clock.now())), {
    blockedMayCall: true,
  })
  bind.read(myTeam, async ({ db, viewer, query }) => answer(await listMyTeam(db, viewer.memberId, query)))
}
