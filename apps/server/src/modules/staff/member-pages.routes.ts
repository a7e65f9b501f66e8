import * as acts from '@tizara/contract/staff-member-acts'
import * as wire from '@tizara/contract/staff-member-pages'
import * as traces from '@tizara/contract/staff-traces'
import { answer, type Bind } from '../../http/bind-route.ts'
import { noteOnMember, revealMember, verifyMember, viewAsMember } from './member-acts.ts'
import * as pages from './member-pages.queries.ts'
import { proposeSecondFactorReset } from './reset-second-factor.ts'
import { reviewSharedTrace } from './review-shared-trace.ts'
import { readSharedTraces } from './shared-traces.queries.ts'
import { readTimeline } from './timeline.queries.ts'
import { actorOf, refusals } from './viewer.ts'

/** Binds the pages of one member, what staff do there besides what moves money, and shared traces. */
export function memberPageRoutes(bind: Bind): void {
  bind.read(wire.staffTimeline, async ({ db, params, query }) => answer(await readTimeline(db, params.id, query)))
  bind.read(wire.staffMemberLedger, async ({ db, params, query }) => answer(await pages.readMemberLedger(db, params.id, query)))
  bind.read(wire.staffMemberSessions, async ({ db, deps, params, query }) =>
    answer(await pages.readMemberSessions(db, deps, params.id, query)),
  )
  bind.read(wire.staffMemberTeam, async ({ db, params, query }) => answer(await pages.readMemberTeam(db, params.id, query)))
  bind.read(wire.staffMemberTickets, async ({ db, params, query }) => answer(await pages.readMemberTickets(db, params.id, query)))
  bind.read(wire.staffMemberNotes, async ({ db, params, query }) => answer(await pages.readMemberNotes(db, params.id, query)))
  memberActRoutes(bind)
  bind.read(traces.staffSharedTraces, async ({ db, query }) => answer(await readSharedTraces(db, query)))
  bind.write(
    traces.reviewSharedTrace,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await reviewSharedTrace(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer(null, body.verdict === 'harmless' ? 'Noted as harmless' : 'Under watch')
    },
    refusals('shared-trace.review', 'shared_trace'),
  )
}

function memberActRoutes(bind: Bind): void {
  bind.write(
    acts.noteOnMember,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await noteOnMember(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer(null, 'Only staff can read it')
    },
    refusals('member.note', 'member'),
  )
  bind.write(
    acts.revealMember,
    async ({ tx, deps, viewer, caller, params, body }) =>
      answer({ values: await revealMember(tx, deps, actorOf(viewer, caller), { ...params, ...body }) }),
    refusals('member.reveal', 'member'),
  )
  bind.write(
    acts.verifyMember,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await verifyMember(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer(null, 'The mail address counts as proved')
    },
    refusals('member.verify', 'member'),
  )
  bind.write(
    acts.resetSecondFactor,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const changeId = await proposeSecondFactorReset(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer({ changeId }, 'Another staff member has to approve this')
    },
    refusals('member.reset-second-factor', 'member'),
  )
  bind.write(
    acts.viewAsMember,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const input = { ...params, ...body, sessionId: viewer.sessionId }
      return answer(await viewAsMember(tx, deps, actorOf(viewer, caller), input))
    },
    refusals('member.view-as', 'member'),
  )
}
