import * as actions from '@tizara/contract/staff-member-acts'
import * as wire from '@tizara/contract/staff-member-pages'
import * as cases from '@tizara/contract/staff-cases'
import * as linkedAccounts from '@tizara/contract/staff-linked-accounts'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { noteOnMember, revealMember, verifyMemberEmail, viewAsMember } from './member-actions.ts'
import { closeCase, openCase, takeCase } from './cases.ts'
import { readCases } from './cases.queries.ts'
import * as pages from './member-pages.queries.ts'
import { cancelAccountRecovery, proposeAccountRecovery } from './account-recovery.ts'
import { reviewLinkedAccount } from '../duties/review-linked-account.ts'
import { readLinkedAccounts } from '../duties/linked-accounts.queries.ts'
import { readTimeline } from './timeline.queries.ts'
import { bindStaffActions, doneOrProposed, proposed } from '../access/bind-staff-actions.ts'

/** Binds member pages, staff actions about a member that move no money, and linked accounts. */
export function memberPageRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(wire.staffTimeline, async ({ db, params, query }) => answer(await readTimeline(db, params.id, query)))
  bind.read(wire.staffMemberLedger, async ({ db, params, query }) => answer(await pages.readMemberLedger(db, params.id, query)))
  bind.read(wire.staffMemberSessions, async ({ db, deps, params, query }) =>
    answer(await pages.readMemberSessions(db, deps, params.id, query)),
  )
  bind.read(wire.staffMemberTeam, async ({ db, params, query }) => answer(await pages.readMemberTeam(db, params.id, query)))
  bind.read(wire.staffMemberTickets, async ({ db, params, query }) => answer(await pages.readMemberTickets(db, params.id, query)))
  bind.read(wire.staffMemberNotes, async ({ db, params, query }) => answer(await pages.readMemberNotes(db, params.id, query)))
  memberActionRoutes(bind)
  bind.read(linkedAccounts.staffLinkedAccounts, async ({ db, query }) => answer(await readLinkedAccounts(db, query)))
  action.write(linkedAccounts.reviewLinkedAccount, 'linked-account.review', 'linked_account', async ({ tx, deps, actor, body, input }) => {
    await reviewLinkedAccount(tx, deps, actor, input)
    return answer(null, body.verdict === 'harmless' ? 'Noted as harmless' : 'Monitored')
  })
}

/** Binds the list of cases and the actions on a case. */
export function caseRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(cases.staffCases, async ({ db, query, viewer }) => answer(await readCases(db, viewer.memberId, query)))
  action.write(cases.openCase, 'case.open', 'member', async ({ tx, deps, actor, input }) =>
    answer({ caseId: await openCase(tx, deps, actor, input) }, 'The case is open'),
  )
  action.write(cases.takeCase, 'case.take', 'case', async ({ tx, deps, actor, input }) => {
    await takeCase(tx, deps, actor, input)
    return answer(null, 'You own the case')
  })
  action.write(cases.closeCase, 'case.close', 'case', async ({ tx, deps, actor, input }) =>
    doneOrProposed(await closeCase(tx, deps, actor, input), 'The case is closed'),
  )
}

function memberActionRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  action.done(actions.noteOnMember, 'member.note', 'member', noteOnMember, 'Only staff can read it')
  action.write(actions.revealMember, 'member.reveal', 'member', async ({ tx, deps, actor, input }) =>
    answer({ values: await revealMember(tx, deps, actor, input) }),
  )
  action.done(actions.verifyMemberEmail, 'member.verify', 'member', verifyMemberEmail, 'The mail address is verified')
  action.write(actions.proposeAccountRecovery, 'member.start-recovery', 'member', async ({ tx, deps, actor, input }) =>
    proposed(await proposeAccountRecovery(tx, deps, actor, input)),
  )
  action.done(actions.cancelAccountRecovery, 'member.cancel-recovery', 'member', cancelAccountRecovery, 'The recovery is cancelled')
  action.write(actions.viewAsMember, 'member.view-as', 'member', async ({ tx, deps, actor, viewer, input }) => {
    return answer(await viewAsMember(tx, deps, actor, { ...input, sessionId: viewer.sessionId }))
  })
}
