import { staffHealth } from '@tizara/contract/staff-health'
import * as wire from '@tizara/contract/staff'
import * as members from '@tizara/contract/staff-members'
import * as paymentReturns from '@tizara/contract/staff-payment-returns'
import * as payoutRules from '@tizara/contract/staff-payout-rules'
import * as segments from '@tizara/contract/staff-saved-segments'
import * as queues from '@tizara/contract/staff-queues'
import * as rewardRuns from '@tizara/contract/staff-reward-runs'
import * as rewards from '@tizara/contract/staff-rewards'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { requireMember } from '../members/index.ts'
import { accountingRoutes } from './accounting/accounting.routes.ts'
import { auditRoutes } from './audit-log/audit.routes.ts'
import { authorizeRoutes } from './access/authorize-routes.ts'
import { bindProposals } from './proposals/bind-proposals.ts'
import { pendingRewardsOf } from './proposals/kinds/ledger/reward-cancellation.ts'
import { webhookRoutes } from './operations/webhooks.routes.ts'
import { importPageRoutes } from './operations/imports.routes.ts'
import { operationsRoutes } from './operations/operations.routes.ts'
import { businessRoutes } from './business/business.routes.ts'
import { catalogueRoutes } from './catalogue/catalogue.routes.ts'
import { proposalRoutes } from './proposals/proposals.routes.ts'
import { endMemberSessions, setRcmWalletAccess, setMemberRank, setMemberStatus } from './members/decide-member.ts'
import { readRequest } from './requests/queue-detail.queries.ts'
import { stopPaymentReturn } from './requests/return-payment.ts'
import { revealAddress } from './requests/reveal-address.ts'
import { approveRequest, recordPayoutTransaction, rejectRequest, stopSending, revokeApproval } from './requests/decide-request.ts'
import { findMembers, memberDetail } from './members/members.queries.ts'
import { readMe } from './access/me.queries.ts'
import { caseRoutes, memberPageRoutes } from './members/member-pages.routes.ts'
import { fundPool } from './rewards/move-pool-money.ts'
import { readOverview } from './operations/overview.queries.ts'
import { jobRoutes } from './operations/jobs.routes.ts'
import { ledgerRoutes } from './ledger/ledger.routes.ts'
import { grantRole } from './people/grant-role.ts'
import type { StaffPorts } from './access/ports.ts'
import { screeningRoutes } from './members/screening.routes.ts'
import { purchaseRoutes } from './members/purchases.routes.ts'
import { readPayoutRules } from './requests/payout-rules.queries.ts'
import { stopPayoutRules } from './requests/stop-payout-rules.ts'
import { readQueue } from './requests/queues.queries.ts'
import { deleteSegment, listSegments, saveSegment } from './segments/saved-segments.ts'
import { rewardDayRoutes } from './rewards/reward-day.routes.ts'
import { readPendingRewards, readRewardPool, readRewardRuns } from './rewards/reward-pool.queries.ts'
import { actorOf } from './access/viewer.ts'
import { startRewardRun } from './rewards/start-reward-run.ts'
import { ticketRoutes } from './tickets/tickets.routes.ts'
import { bindStaffActions, doneOrProposed, proposed } from './access/bind-staff-actions.ts'
import { exportRoutes } from './operations/exports.routes.ts'
import { simulationRoutes } from './rewards/simulation.routes.ts'

/** Binds the routes of this module. The member app never calls them [GN-04]. */
export function staffRoutes(unchecked: Bind, ports: StaffPorts): void {
  const bind = authorizeRoutes(unchecked)
  queueRoutes(bind)
  memberRoutes(bind)
  peopleRoutes(bind)
  purchaseRoutes(bind)
  ticketRoutes(bind, ports)
  memberPageRoutes(bind)
  caseRoutes(bind)
  screeningRoutes(bind)
  rewardRoutes(bind)
  catalogueRoutes(bind)
  proposalRoutes(bind)
  simulationRoutes(bind)
  auditRoutes(bind)
  exportRoutes(bind)
  jobRoutes(bind)
  businessRoutes(bind)
  accountingRoutes(bind)
  operationsRoutes(bind)
  importPageRoutes(bind)
  webhookRoutes(bind)
  ledgerRoutes(bind)
  bind.read(wire.staffOverview, async ({ db, deps, viewer, query }) => answer(await readOverview(db, deps, viewer, query.days)))
  bind.read(staffHealth, async ({ db, deps }) => answer(await ports.readHealth(db, deps)), { onPrimary: true })
  bind.read(wire.staffMe, async ({ db, viewer }) => answer(await readMe(db, viewer)))
}

function queueRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  const propose = bindProposals(bind)
  bind.read(queues.staffQueue, async ({ db, deps, viewer, params, query }) => answer(await readQueue(db, deps, viewer, params.kind, query)))
  // Reads on the primary, because the need for a second approval depends on all earlier decisions.
  bind.read(
    queues.staffQueueItem,
    async ({ db, deps, viewer, params }) => answer(await readRequest(db, deps, viewer, params.kind, params.id)),
    { onPrimary: true },
  )
  action.write(queues.revealRequestAddress, 'member.reveal', 'request', async ({ tx, deps, actor, input }) =>
    answer({ address: await revealAddress(tx, deps, actor, input) }),
  )
  action.done(queues.nameTransaction, 'request.transaction', 'request', recordPayoutTransaction, 'The transaction is recorded')
  action.done(queues.revokeApproval, 'request.revoke-approval', 'request', revokeApproval, 'Your approval is revoked')
  action.money(queues.stopSending, 'request.stop-sending', 'request', async ({ tx, deps, actor, input }) => {
    const status = await stopSending(tx, deps, actor, input)
    return answer({ status }, status === 'RETURNED' ? 'The money is returned' : 'The money returns once the payment cannot arrive any more')
  })
  propose.write(
    paymentReturns.proposePaymentReturn,
    ['payment.return-propose', 'deposits'],
    'payment-return',
    ({ id: deposit, asset, amount, address }) => ({ deposit, asset, amount, address: address.toLowerCase() }),
  )
  action.write(paymentReturns.cancelPaymentReturn, 'payment-return.cancel', 'payment_return', async ({ tx, deps, actor, input }) => {
    const state = await stopPaymentReturn(tx, deps, actor, input)
    return answer({ state }, state === 'CANCELLED' ? 'The return is cancelled' : 'The return is cancelled unless it still arrives')
  })
  action.money(queues.approveRequest, 'request.approve', 'request', async ({ tx, deps, actor, input }) => {
    const { status, transferId } = await approveRequest(tx, deps, actor, input)
    const posted = transferId === undefined ? {} : { transferId: String(transferId) }
    return answer({ status, ...posted }, status === 'APPROVED' ? 'Approved' : 'Another staff member has to approve this too')
  })
  bind.read(payoutRules.staffPayoutRules, async ({ db, deps }) => answer(await readPayoutRules(db, deps)))
  action.write(payoutRules.stopPayoutRules, 'payout-rules.stop', 'payout_rules', async ({ tx, deps, actor, body }) => {
    await stopPayoutRules(tx, deps, actor, body.reason)
    return answer(null, 'The rules are off')
  })
  action.money(queues.rejectRequest, 'request.reject', 'request', async ({ tx, deps, actor, input }) => {
    await rejectRequest(tx, deps, actor, input)
    return answer(null, 'Rejected')
  })
}

function memberRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(members.staffMembers, async ({ db, deps, query }) => answer(await findMembers(db, deps, query)))
  bind.read(members.staffMemberDetail, async ({ db, deps, params }) => answer(await memberDetail(db, deps, params.id)))
  bind.read(segments.staffSegments, async ({ db }) => answer(await listSegments(db)))
  action.write(segments.saveSegment, 'segment.save', 'segment', async ({ tx, deps, actor, input }) =>
    answer({ id: await saveSegment(tx, deps, actor, input) }, 'Saved'),
  )
  action.done(segments.deleteSegment, 'segment.delete', 'segment', deleteSegment, 'Deleted')
  action.write(members.setMemberStatus, 'member.status', 'member', async ({ tx, deps, actor, input }) =>
    doneOrProposed(await setMemberStatus(tx, deps, actor, input), 'The member is blocked'),
  )
  action.write(members.setSpecialRcm, 'member.special-rcm', 'member', async ({ tx, deps, actor, input }) =>
    doneOrProposed(await setRcmWalletAccess(tx, deps, actor, input), 'The member is no longer special'),
  )
  action.write(members.setMemberRank, 'member.rank', 'member', async ({ tx, deps, actor, input }) =>
    doneOrProposed(await setMemberRank(tx, deps, actor, input), 'The programme ranks the member again'),
  )
  action.write(members.endMemberSessions, 'member.end-sessions', 'member', async ({ tx, deps, actor, input }) => {
    const outcome = await endMemberSessions(tx, deps, actor, input)
    if ('proposalId' in outcome) return proposed(outcome.proposalId)
    return answer(null, `${outcome.ended} sessions ended`)
  })
  // It always requires a second person, because the member pays nothing [MF-25] [RW-10].
  bindProposals(bind).money(members.creditRcm, ['member.credit-rcm', 'member'], 'credit', async ({ id, amount }, tx) => {
    const member = await requireMember(tx, id)
    return { memberId: member.public_id, email: member.email, amount }
  })
}

function peopleRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  action.write(members.grantRole, 'role.grant', 'member', async ({ tx, deps, actor, body }) => {
    const { reason, ...grant } = body
    const named = { ...grant, name: grant.name ?? grant.email }
    return doneOrProposed(await grantRole(tx, deps, actor, named, reason), 'The role is granted')
  })
}

function rewardRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  const propose = bindProposals(bind)
  action.money(rewards.fundRewardPool, 'rewards.fund-pool', 'reward_pool', async ({ tx, deps, actor, body }) =>
    doneOrProposed(await fundPool(tx, deps, actor, body), 'The reward pool is funded'),
  )
  propose.write(rewards.proposeProceeds, ['proceeds.propose', 'sales_fund'], 'proceeds', ({ amount, address }) => ({
    amount,
    address: address.toLowerCase(),
  }))
  bind.read(rewards.staffHeldRewards, async ({ db, params, query }) => answer(await readPendingRewards(db, params.id, query)))
  propose.write(rewards.cancelRewards, ['rewards.cancel', 'member'], 'cancel-rewards', ({ id, from = null }, tx) =>
    pendingRewardsOf(tx, id, from),
  )
  bind.read(rewards.staffRewardPool, async ({ db, deps }) => answer(await readRewardPool(db, deps, deps.clock.now())))
  bind.read(rewardRuns.staffRewardRuns, async ({ db, query }) => answer(await readRewardRuns(db, query)))
  rewardDayRoutes(bind)
  bind.withoutTransaction(rewardRuns.startRewardRun, async ({ db, deps, viewer, caller }) => {
    const outcome = await startRewardRun(db, deps, actorOf(viewer, caller))
    return answer(null, outcome === 'paid' ? 'All due rewards are paid' : 'The reward run has started and continues in the background')
  })
}
