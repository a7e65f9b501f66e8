import * as keys from '@tizara/contract/staff-api-keys'
import { staffEvents } from '@tizara/contract/staff-events'
import * as hotWallet from '@tizara/contract/staff-hot-wallet'
import * as wire from '@tizara/contract/staff-platform'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { readEvents } from '../../events/index.ts'
import { readIncidents, takeIncident } from './incidents.ts'
import { readPeople } from '../people/people.queries.ts'
import { allowViews } from '../people/allow-views.ts'
import { proposeSuspensionLift, suspendColleague } from '../people/suspend-colleague.ts'
import { readHotWallet, cancelHotWalletPayout } from './move-to-cold-storage.ts'
import { announcePresence } from './presence.ts'
import { endKey, fetchKey, readOperatorKeys } from './operator-keys.ts'
import { describeAnswer } from './describe-answer.ts'
import { findEverywhere } from './search.queries.ts'
import { pausePlatform } from './pause-platform.ts'
import { currentPause } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { memberByPublicId } from '../../members/index.ts'
import { isLinkedPair } from '../duties/staff-links.ts'
import { bindProposals } from '../proposals/bind-proposals.ts'
import { actorOf } from '../access/viewer.ts'
import { bindStaffActions, proposed } from '../access/bind-staff-actions.ts'

/** Binds the routes for the platform, staff and global search. */
export function operationsRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  const propose = bindProposals(bind)
  bind.write(wire.announcePresence, async ({ tx, deps, viewer, caller, body }) => {
    await announcePresence(tx, deps, actorOf(viewer, caller), body)
    return answer(null)
  })
  bind.read(wire.staffIncidents, async ({ db }) => answer(await readIncidents(db)))
  action.write(wire.takeIncident, 'incident.take', 'incident', async ({ tx, deps, actor, params }) => {
    await takeIncident(tx, deps, actor, params.id)
    return answer(null, 'The incident is assigned to you')
  })
  bind.read(staffEvents, async ({ db, deps, query }) => answer(await readEvents(db, query, deps.clock.now())))
  bind.read(keys.staffApiKeys, async ({ db, deps, viewer }) => answer(await readOperatorKeys(db, deps, viewer.memberId)))
  action.write(keys.fetchApiKey, 'api-key.fetch', 'api_key', async ({ tx, deps, actor, params }) =>
    answer({ key: await fetchKey(tx, deps, actor, params.id) }),
  )
  action.done(keys.endStaffApiKey, 'api-key.end', 'api_key', endKey, 'The API key is revoked')
  action.write(wire.pausePlatform, 'stop', 'platform', async ({ tx, deps, actor, body }) => {
    await pausePlatform(tx, deps, actor, body.reason)
    return answer(null, 'Payouts, credits and reward runs are paused')
  })
  propose.write(wire.resumePlatform, ['platform.resume', 'platform'], 'resume-platform', async (_, tx) => {
    const stop = await currentPause(tx)
    if (stop === undefined) throw new AppError('ALREADY_DECIDED')
    return { since: stop.since.toISOString(), why: stop.why }
  })
  propose.write(wire.answerChain, ['chain.answer', 'platform'], 'chain-answer', async (asked, tx, deps) => ({
    ...asked,
    what: await describeAnswer(tx, deps, asked),
  }))
  action.write(wire.suspendColleague, 'suspend', 'member', async ({ tx, deps, actor, input }) => {
    const outcome = await suspendColleague(tx, deps, actor, input)
    return outcome.done ? answer(null, 'The rights are suspended for an hour') : proposed(outcome.proposalId)
  })
  // Confirms that two linked staff accounts belong to two people.
  propose.write(wire.confirmSeparatePeople, ['separate-people', 'member'], 'separate-people', async ({ id, otherId }, tx) => {
    const [one, other] = [await memberByPublicId(tx, id), await memberByPublicId(tx, otherId)]
    if (one === undefined || other === undefined || !(await isLinkedPair(tx, one.id, other.id))) throw new AppError('NOT_FOUND')
    return { memberId: one.public_id, otherId: other.public_id, email: one.email, otherEmail: other.email }
  })
  action.write(wire.liftSuspension, 'suspend.lift', 'member', async ({ tx, deps, actor, input }) =>
    proposed(await proposeSuspensionLift(tx, deps, actor, input)),
  )
  action.done(wire.allowViews, 'view-limit.allow', 'member', allowViews, 'The person may view as much again')
  bind.read(hotWallet.staffHotWallet, async ({ db, deps }) => answer(await readHotWallet(db, deps)))
  propose.write(hotWallet.proposeColdMove, ['cold-move.propose', 'cold_move'], 'cold-move', (move) => ({
    ...move,
    address: move.address.toLowerCase(),
  }))
  action.write(hotWallet.cancelHotWalletPayout, 'cold-move.cancel', 'cold_move', async ({ tx, deps, actor, input }) => {
    const state = await cancelHotWalletPayout(tx, deps, actor, input)
    return answer({ state }, state === 'CANCELLED' ? 'The move is cancelled' : 'The move is cancelled unless it still arrives')
  })
  bind.read(wire.staffPeople, async ({ db, deps }) => answer(await readPeople(db, deps.clock.now())))
  bind.read(wire.staffSearch, async ({ db, viewer, query }) => answer(await findEverywhere(db, viewer, query.q)))
}
