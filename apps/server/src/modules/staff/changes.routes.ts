import * as wire from '@tizara/contract/staff-changes'
import { answer, type Bind } from '../../http/bind-route.ts'
import { listChanges, readCatalogue } from './changes.queries.ts'
import { approveChange, refuseChange } from './decide-change.ts'
import { proposeWithBound } from './propose-change.ts'
import { actorOf, refusals } from './viewer.ts'

/** Binds the calls that change what the house promises: maker and checker differ. */
export function changeRoutes(bind: Bind): void {
  bind.read(wire.staffCatalogue, async ({ db, deps }) => answer(await readCatalogue(db, deps)))
  bind.read(wire.staffChanges, async ({ db, viewer, query }) => answer(await listChanges(db, viewer.memberId, query)))
  bind.write(
    wire.proposeChange,
    async ({ tx, deps, viewer, caller, body }) => {
      const { changeId, bound } = await proposeWithBound(tx, deps, actorOf(viewer, caller), body)
      return answer({ id: changeId, ...(bound === undefined ? {} : { bound }) }, 'Proposed; another staff member has to approve it')
    },
    refusals('change.propose', 'change'),
  )
  bind.write(
    wire.approveChange,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await approveChange(tx, deps, actorOf(viewer, caller), { id: params.id, reason: body.reason })
      return answer(null, 'The change is in force')
    },
    refusals('change.approve', 'change'),
  )
  bind.write(
    wire.refuseChange,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await refuseChange(tx, deps, actorOf(viewer, caller), { id: params.id, reason: body.reason })
      return answer(null, 'The change is refused')
    },
    refusals('change.refuse', 'change'),
  )
}
