import * as wire from '@tizara/contract/staff-changes'
import { previewMail, staffMails } from '@tizara/contract/staff-mails'
import { mailSamples, sampleMail } from '../../../gateways/mailer/index.ts'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { assertStaff } from '../access/actor.ts'
import { approveProposal, cancelProposal, rejectProposal } from './decide-proposal.ts'
import { previewProposal, readProposalDetail, overlapsOf } from './proposal-detail.queries.ts'
import { listProposals } from './proposals.queries.ts'
import { submitProposalWithMaxGain } from './submit-proposal.ts'
import { actorOf } from '../access/viewer.ts'
import { bindStaffActions } from '../access/bind-staff-actions.ts'

/** Binds the proposal routes. */
export function proposalRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(staffMails, async ({ deps }) => answer(mailSamples(deps.config)))
  // POST without side effects: renders a sample mail.
  bind.write(previewMail, async ({ tx, deps, viewer, caller, params }) => {
    await assertStaff(tx, deps, actorOf(viewer, caller), 'previewMail')
    const mail = sampleMail(deps.config, params.name)
    if (mail === undefined) throw new AppError('NOT_FOUND')
    return answer(mail)
  })
  bind.read(wire.staffChanges, async ({ db, deps, viewer, query }) => answer(await listProposals(db, deps, viewer.memberId, query)))
  bind.read(wire.staffChange, async ({ db, deps, viewer, params }) => answer(await readProposalDetail(db, deps, viewer, params.id)))
  bind.write(wire.previewChange, async ({ tx, deps, viewer, caller, body }) =>
    answer(await previewProposal(tx, deps, actorOf(viewer, caller), body)),
  )
  action.write(wire.proposeChange, 'change.propose', 'change', async ({ tx, deps, actor, body }) => {
    const { proposalId, maxGain } = await submitProposalWithMaxGain(tx, deps, actor, body)
    const overlaps = await overlapsOf(tx, body, proposalId, deps.clock.now())
    const data = { id: proposalId, ...(maxGain === undefined ? {} : { maxGain }), ...(overlaps.length === 0 ? {} : { overlaps }) }
    return answer(data, 'Proposed; another staff member has to approve it')
  })
  action.write(wire.approveChange, 'change.approve', 'change', async ({ tx, deps, actor, input }) => {
    const startsAt = await approveProposal(tx, deps, actor, input)
    return answer(null, startsAt === null ? 'The change is now in effect' : `The change is planned for ${startsAt.toISOString()}`)
  })
  action.done(wire.rejectChange, 'change.reject', 'change', rejectProposal, 'The proposal is rejected')
  action.done(wire.cancelChange, 'change.cancel', 'change', cancelProposal, 'The proposal is cancelled')
}
