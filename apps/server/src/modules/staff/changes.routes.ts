import * as wire from '@tizara/contract/staff-changes'
import { answer, type Bind } from '../../http/bind-route.ts'
import { coinPriceDays } from '../settings/index.ts'
import { catalogueStanding } from './catalogue-standing.queries.ts'
import { previewChange, readChangeDetail, rivalsOf } from './change-detail.queries.ts'
import { listChanges, readCatalogue } from './changes.queries.ts'
import { approveChange, cancelChange, refuseChange } from './decide-change.ts'
import { proposeWithBound } from './propose-change.ts'
import { actorOf, refusals } from './viewer.ts'

/** Binds the calls that change what the house promises: maker and checker differ. */
export function changeRoutes(bind: Bind): void {
  bind.read(wire.staffCatalogue, async ({ db, deps, viewer }) => {
    const standing = await catalogueStanding(db, viewer.memberId, deps.clock.now())
    return answer({ ...(await readCatalogue(db, deps)), standing })
  })
  bind.read(wire.priceHistory, async ({ db, deps, query }) => answer(await coinPriceDays(db, deps.clock.now(), query.days)))
  bind.read(wire.staffChanges, async ({ db, deps, viewer, query }) => answer(await listChanges(db, deps, viewer.memberId, query)))
  bind.read(wire.staffChange, async ({ db, deps, viewer, params }) => answer(await readChangeDetail(db, deps, viewer, params.id)))
  bind.write(wire.previewChange, async ({ tx, deps, viewer, caller, body }) =>
    answer(await previewChange(tx, deps, actorOf(viewer, caller), body)),
  )
  bind.write(
    wire.proposeChange,
    async ({ tx, deps, viewer, caller, body }) => {
      const { changeId, bound } = await proposeWithBound(tx, deps, actorOf(viewer, caller), body)
      const rivals = await rivalsOf(tx, body, changeId, deps.clock.now())
      const data = { id: changeId, ...(bound === undefined ? {} : { bound }), ...(rivals.length === 0 ? {} : { rivals }) }
      return answer(data, 'Proposed; another staff member has to approve it')
    },
    refusals('change.propose', 'change'),
  )
  bind.write(
    wire.approveChange,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const startsAt = await approveChange(tx, deps, actorOf(viewer, caller), { id: params.id, reason: body.reason, seen: body.seen })
      return answer(null, startsAt === null ? 'The change is in force' : `The change is planned for ${startsAt.toISOString()}`)
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
  bind.write(
    wire.cancelChange,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await cancelChange(tx, deps, actorOf(viewer, caller), { id: params.id, reason: body.reason })
      return answer(null, 'The change is taken back')
    },
    refusals('change.cancel', 'change'),
  )
}
