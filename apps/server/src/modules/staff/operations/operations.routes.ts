import * as wire from '@tizara/contract/staff-platform'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { readIncidents, takeIncident } from './incidents.ts'
import { readPeople } from '../people/people.queries.ts'
import { announcePresence } from './presence.ts'
import { proposeAnswer } from './propose-answer.ts'
import { findEverywhere } from './search.queries.ts'
import { proposeLift, pausePlatform } from './pause-platform.ts'
import { actorOf } from '../access/viewer.ts'
import { bindActs, filed } from '../access/bind-acts.ts'

/** Binds the routes for the platform, staff and global search. */
export function operationsRoutes(bind: Bind): void {
  const act = bindActs(bind)
  bind.write(wire.announcePresence, async ({ tx, deps, viewer, caller, body }) => {
    await announcePresence(tx, deps.clock.now(), actorOf(viewer, caller), body)
    return answer(null)
  })
  bind.read(wire.staffIncidents, async ({ db }) => answer(await readIncidents(db)))
  act.write(wire.takeIncident, 'incident.take', 'incident', async ({ tx, deps, actor, params }) => {
    await takeIncident(tx, deps, actor, params.id)
    return answer(null, 'You look after it')
  })
  act.write(wire.pausePlatform, 'stop', 'platform', async ({ tx, deps, actor, body }) => {
    await pausePlatform(tx, deps, actor, body.reason)
    return answer(null, 'Payouts, credits and reward runs are stopped')
  })
  act.write(wire.liftStop, 'stop.lift', 'platform', async ({ tx, deps, actor, body }) =>
    filed(await proposeLift(tx, deps, actor, body.reason)),
  )
  act.write(wire.answerChain, 'chain.answer', 'platform', async ({ tx, deps, actor, body }) =>
    filed(await proposeAnswer(tx, deps, actor, body)),
  )
  bind.read(wire.staffPeople, async ({ db, deps }) => answer(await readPeople(db, deps.clock.now())))
  bind.read(wire.staffSearch, async ({ db, viewer, query }) => answer(await findEverywhere(db, viewer, query.q)))
}
