import * as acts from '@tizara/contract/staff-member-acts'
import * as wire from '@tizara/contract/staff-member-pages'
import * as traces from '@tizara/contract/staff-linked-accounts'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { noteOnMember, revealMember, verifyMember, viewAsMember } from './member-acts.ts'
import * as pages from './member-pages.queries.ts'
import { proposeSecondFactorReset } from './reset-second-factor.ts'
import { reviewLinkedAccount } from '../duties/review-linked-account.ts'
import { readLinkedAccounts } from '../duties/linked-accounts.queries.ts'
import { readTimeline } from './timeline.queries.ts'
import { bindStaffActions, filed } from '../access/bind-staff-actions.ts'

/** Binds one member's pages, the staff actions there without money, and linked accounts. */
export function memberPageRoutes(bind: Bind): void {
  const act = bindStaffActions(bind)
  bind.read(wire.staffTimeline, async ({ db, params, query }) => answer(await readTimeline(db, params.id, query)))
  bind.read(wire.staffMemberLedger, async ({ db, params, query }) => answer(await pages.readMemberLedger(db, params.id, query)))
  bind.read(wire.staffMemberSessions, async ({ db, deps, params, query }) =>
    answer(await pages.readMemberSessions(db, deps, params.id, query)),
  )
  bind.read(wire.staffMemberTeam, async ({ db, params, query }) => answer(await pages.readMemberTeam(db, params.id, query)))
  bind.read(wire.staffMemberTickets, async ({ db, params, query }) => answer(await pages.readMemberTickets(db, params.id, query)))
  bind.read(wire.staffMemberNotes, async ({ db, params, query }) => answer(await pages.readMemberNotes(db, params.id, query)))
  memberActRoutes(bind)
  bind.read(traces.staffLinkedAccounts, async ({ db, query }) => answer(await readLinkedAccounts(db, query)))
  act.write(traces.reviewLinkedAccount, 'linked-account.review', 'linked_account', async ({ tx, deps, actor, body, input }) => {
    await reviewLinkedAccount(tx, deps, actor, input)
    return answer(null, body.verdict === 'harmless' ? 'Noted as harmless' : 'Monitored')
  })
}

function memberActRoutes(bind: Bind): void {
  const act = bindStaffActions(bind)
  act.write(acts.noteOnMember, 'member.note', 'member', async ({ tx, deps, actor, input }) => {
    await noteOnMember(tx, deps, actor, input)
    return answer(null, 'Only staff can read it')
  })
  act.write(acts.revealMember, 'member.reveal', 'member', async ({ tx, deps, actor, input }) =>
    answer({ values: await revealMember(tx, deps, actor, input) }),
  )
  act.write(acts.verifyMember, 'member.verify', 'member', async ({ tx, deps, actor, input }) => {
    await verifyMember(tx, deps, actor, input)
    return answer(null, 'The mail address is verified')
  })
  act.write(acts.resetSecondFactor, 'member.reset-second-factor', 'member', async ({ tx, deps, actor, input }) =>
    filed(await proposeSecondFactorReset(tx, deps, actor, input)),
  )
  act.write(acts.viewAsMember, 'member.view-as', 'member', async ({ tx, deps, actor, viewer, input }) => {
    return answer(await viewAsMember(tx, deps, actor, { ...input, sessionId: viewer.sessionId }))
  })
}
