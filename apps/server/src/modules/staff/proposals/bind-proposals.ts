import type { Route } from '@tizara/contract'
import type { ProposalSubject } from '@tizara/contract/staff-changes'
import type { Bind } from '../../../http/calls/bind-route.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff } from '../access/actor.ts'
import type { StaffActionName } from '../access/describe-staff-action.ts'
import { bindStaffActions, proposed, type StaffInput } from '../access/bind-staff-actions.ts'
import type { StaffRight } from '../access/rights.ts'
import type { Proposal } from './proposal.ts'
import { submitProposal } from './submit-proposal.ts'

type ValueOf<S extends ProposalSubject> = Extract<Proposal, { subject: S }>['value']

/** Binds staff calls whose only effect is a proposal, which another person must approve. */
export function bindProposals(bind: Bind) {
  const actions = bindStaffActions(bind)
  /**
   * Binds one call. The caller needs the right of the call's name; the audit log has `action` and `type` for a rejection.
   * @param valueOf makes the proposal's value from the call's input without its reason; may throw AppError, such as NOT_FOUND
   */
  const bindAs =
    (bindKind: 'write' | 'money') =>
    <R extends Route, S extends ProposalSubject>(
      route: R,
      [action, type]: readonly [action: StaffActionName, type: string],
      subject: S,
      valueOf: (input: Omit<StaffInput<R>, 'reason'>, tx: Tx, deps: Deps) => ValueOf<S> | Promise<ValueOf<S>>,
    ): void =>
      actions[bindKind](route, action, type, async ({ tx, deps, actor, input }) => {
        await assertStaff(tx, deps, actor, route.name as StaffRight)
        const { reason, ...asked } = input as StaffInput<R> & { reason: string }
        const value = await valueOf(asked, tx, deps)
        return proposed(await submitProposal(tx, deps, actor, { subject, value, reason } as Proposal))
      })
  return { write: bindAs('write'), money: bindAs('money') }
}
