import type { BodyOf, ParamsOf, ReplyOf, Route } from '@tizara/contract'
import type { Answer, Context } from '../../../http/calls/call.ts'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { StaffActionName } from './describe-staff-action.ts'
import type { StaffActor } from './actor.ts'
import { actorOf, rejectionRecorder } from './viewer.ts'

type Part<T> = T extends object ? T : unknown

/** The parameters of a staff call merged with its body. */
export type StaffInput<R extends Route> = Part<ParamsOf<R>> & Part<BodyOf<R>>

/** Staff write context. */
type StaffCall<R extends Route> = Context<R> & { tx: Tx; actor: StaffActor; input: StaffInput<R> }

/** Binds staff write routes. Adds the actor and writes rejections to the audit log. */
export function bindStaffActions(bind: Bind) {
  const bindAs =
    (bindKind: 'write' | 'money') =>
    <R extends Route>(
      route: R,
      action: StaffActionName,
      type: string,
      handler: (call: StaffCall<R>) => Promise<Answer<ReplyOf<R>>>,
    ): void =>
      bind[bindKind](route, (call) => handler(withActor(call)), rejectionRecorder(action, type))
  const write = bindAs('write')
  /** Binds a use case without a result; the response has the message. */
  const done = <R extends Route>(
    route: R,
    action: StaffActionName,
    type: string,
    run: (tx: Tx, deps: Deps, actor: StaffActor, input: StaffInput<R>) => Promise<void>,
    message: string,
  ): void =>
    write(route, action, type, async ({ tx, deps, actor, input }) => {
      await run(tx, deps, actor, input)
      return answer(null, message)
    })
  return { write, money: bindAs('money'), done }
}

function withActor<R extends Route>(call: Context<R> & { tx: Tx }): StaffCall<R> {
  const input = { ...(call.body as object), ...(call.params as object) } as StaffCall<R>['input']
  return { ...call, actor: actorOf(call.viewer, call.caller), input }
}

/** Response for a proposal awaiting a second person. */
export const proposed = (proposalId: string) => answer({ proposalId }, 'Another staff member has to approve this')

/** Outcome of an action: done at once, or a proposal that another person must approve. */
export type ProposalOutcome = { done: true } | { done: false; proposalId: string }

/** Response for an action that is done, or that became a proposal. */
export const doneOrProposed = (outcome: ProposalOutcome, message: string) =>
  outcome.done ? answer(null, message) : proposed(outcome.proposalId)
