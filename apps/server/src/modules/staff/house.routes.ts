import * as house from '@tizara/contract/staff-house'
import { answer, type Bind } from '../../http/bind-route.ts'
import { readIncidents, takeIncident } from './incidents.ts'
import { readPeople } from './people.queries.ts'
import { announcePresence } from './presence.ts'
import { findEverywhere } from './search.queries.ts'
import { proposeLift, stopHouse } from './stop-house.ts'
import { actorOf, refusals } from './viewer.ts'

/** Binds the calls about the house itself, its people, and the search through everything. */
export function houseRoutes(bind: Bind): void {
  bind.write(house.announcePresence, async ({ tx, deps, viewer, caller, body }) => {
    await announcePresence(tx, deps.clock.now(), actorOf(viewer, caller), body)
    return answer(null)
  })
  bind.read(house.staffIncidents, async ({ db }) => answer(await readIncidents(db)))
  bind.write(
    house.takeIncident,
    async ({ tx, deps, viewer, caller, params }) => {
      await takeIncident(tx, deps, actorOf(viewer, caller), params.id)
      return answer(null, 'You look after it')
    },
    refusals('incident.take', 'incident'),
  )
  bind.write(
    house.stopHouse,
    async ({ tx, deps, viewer, caller, body }) => {
      await stopHouse(tx, deps, actorOf(viewer, caller), body.reason)
      return answer(null, 'Payouts, credits and reward runs are stopped')
    },
    refusals('stop', 'house'),
  )
  bind.write(
    house.liftStop,
    async ({ tx, deps, viewer, caller, body }) =>
      answer({ changeId: await proposeLift(tx, deps, actorOf(viewer, caller), body.reason) }, 'Another staff member has to approve this'),
    refusals('stop.lift', 'house'),
  )
  bind.read(house.staffPeople, async ({ db, deps }) => answer(await readPeople(db, deps.clock.now())))
  bind.read(house.staffSearch, async ({ db, viewer, query }) => answer(await findEverywhere(db, viewer, query.q)))
}
