import * as wire from '@tizara/contract/staff-changes'
import { previewMail, staffMails } from '@tizara/contract/staff-mails'
import { mailSamples, sampleMail } from '../../../gateways/mailer/index.ts'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { coinPriceDays } from '../../settings/index.ts'
import { assertStaff } from '../access/actor.ts'
import { catalogueStanding } from '../catalogue/catalogue-standing.queries.ts'
import { previewChange, readChangeDetail, rivalsOf } from './change-detail.queries.ts'
import { listChanges, readCatalogue } from './changes.queries.ts'
import { approveChange, cancelChange, refuseChange } from './decide-change.ts'
import { proposeWithBound } from './propose-change.ts'
import { actorOf } from '../access/viewer.ts'
import { bindActs } from '../access/bind-acts.ts'

/** Binds the calls that change what the house promises: maker and checker differ. */
export function changeRoutes(bind: Bind): void {
  const act = bindActs(bind)
  bind.read(wire.staffCatalogue, async ({ db, deps, viewer }) => {
    const standing = await catalogueStanding(db, viewer.memberId, deps.clock.now())
    return answer({ ...(await readCatalogue(db, deps)), standing })
  })
  bind.read(wire.priceHistory, async ({ db, deps, query }) => answer(await coinPriceDays(db, deps.clock.now(), query.days)))
  bind.read(staffMails, async ({ deps }) => answer(mailSamples(deps.config)))
  // No fact is written: it is a write only as far as its method is one.
  bind.write(previewMail, async ({ tx, deps, viewer, caller, params }) => {
    await assertStaff(tx, actorOf(viewer, caller), 'previewMail')
    const mail = sampleMail(deps.config, params.name)
    if (mail === undefined) throw new AppError('NOT_FOUND')
    return answer(mail)
  })
  bind.read(wire.staffChanges, async ({ db, deps, viewer, query }) => answer(await listChanges(db, deps, viewer.memberId, query)))
  bind.read(wire.staffChange, async ({ db, deps, viewer, params }) => answer(await readChangeDetail(db, deps, viewer, params.id)))
  bind.write(wire.previewChange, async ({ tx, deps, viewer, caller, body }) =>
    answer(await previewChange(tx, deps, actorOf(viewer, caller), body)),
  )
  act.write(wire.proposeChange, 'change.propose', 'change', async ({ tx, deps, actor, body }) => {
    const { changeId, bound } = await proposeWithBound(tx, deps, actor, body)
    const rivals = await rivalsOf(tx, body, changeId, deps.clock.now())
    const data = { id: changeId, ...(bound === undefined ? {} : { bound }), ...(rivals.length === 0 ? {} : { rivals }) }
    return answer(data, 'Proposed; another staff member has to approve it')
  })
  act.write(wire.approveChange, 'change.approve', 'change', async ({ tx, deps, actor, input }) => {
    const startsAt = await approveChange(tx, deps, actor, input)
    return answer(null, startsAt === null ? 'The change is in force' : `The change is planned for ${startsAt.toISOString()}`)
  })
  act.write(wire.refuseChange, 'change.refuse', 'change', async ({ tx, deps, actor, input }) => {
    await refuseChange(tx, deps, actor, input)
    return answer(null, 'The change is refused')
  })
  act.write(wire.cancelChange, 'change.cancel', 'change', async ({ tx, deps, actor, input }) => {
    await cancelChange(tx, deps, actor, input)
    return answer(null, 'The change is taken back')
  })
}
