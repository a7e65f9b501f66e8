import { staffHealth } from '@tizara/contract/staff-health'
import * as wire from '@tizara/contract/staff'
import * as members from '@tizara/contract/staff-members'
import * as queues from '@tizara/contract/staff-queues'
import * as rewards from '@tizara/contract/staff-rewards'
import { answer, type Bind } from '../../http/bind-route.ts'
import { noteView } from '../members/index.ts'
import { auditRoutes } from './audit.routes.ts'
import { fileCancelling } from './file-cancelling.ts'
import { houseRoutes } from './house.routes.ts'
import { changeRoutes } from './changes.routes.ts'
import { endMemberSessions, flagSpecialRcm, giveRank, setMemberStatus } from './decide-member.ts'
import { readRequest } from './queue-detail.queries.ts'
import { approveRequest, namePayoutTransaction, rejectRequest, stopSending, takeBackApproval } from './decide-request.ts'
import { findMembers, memberDetail } from './members.queries.ts'
import { readMe } from './me.queries.ts'
import { memberPageRoutes } from './member-pages.routes.ts'
import { creditMember, fundPool, type MoneyOutcome } from './move-house-money.ts'
import { readOverview } from './overview.queries.ts'
import { jobRoutes } from './jobs.routes.ts'
import { ledgerRoutes } from './ledger.routes.ts'
import { grantRole } from './grant-role.ts'
import type { StaffPorts } from './ports.ts'
import { purchaseRoutes } from './purchases.routes.ts'
import { readQueue } from './queues.queries.ts'
import { rewardDayRoutes } from './reward-day.routes.ts'
import { readHeldRewards, readRewardPool, readRewardRuns } from './reward-pool.queries.ts'
import { byRights } from './rights.ts'
import { actorOf, refusals } from './viewer.ts'
import { startRewardRun } from './start-reward-run.ts'
import { ticketRoutes } from './tickets.routes.ts'

/** Binds the calls of this capability. The member app never makes them (GN-04). */
export function staffRoutes(unchecked: Bind, ports: StaffPorts): void {
  const bind = byRights(unchecked)
  queueRoutes(bind)
  memberRoutes(bind)
  peopleRoutes(bind)
  purchaseRoutes(bind)
  ticketRoutes(bind, ports)
  memberPageRoutes(bind)
  rewardRoutes(bind)
  changeRoutes(bind)
  auditRoutes(bind)
  jobRoutes(bind)
  houseRoutes(bind)
  ledgerRoutes(bind, ports.transfers)
  bind.read(wire.staffOverview, async ({ db, deps, viewer, query }) => answer(await readOverview(db, deps, viewer, query.days)))
  bind.read(staffHealth, async ({ db, deps }) => answer(await ports.readHealth(db, deps)))
  bind.read(wire.staffMe, async ({ db, viewer }) => answer(await readMe(db, viewer)))
}

function queueRoutes(bind: Bind): void {
  bind.read(queues.staffQueue, async ({ db, deps, viewer, params, query }) => answer(await readQueue(db, deps, viewer, params.kind, query)))
  bind.read(queues.staffQueueItem, async ({ db, deps, viewer, params }) =>
    answer(await readRequest(db, deps, viewer, params.kind, params.id)),
  )
  bind.write(
    queues.nameTransaction,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await namePayoutTransaction(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer(null, 'The transaction is named')
    },
    refusals('request.transaction', 'request'),
  )
  bind.write(
    queues.takeBackApproval,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await takeBackApproval(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer(null, 'Your approval is taken back')
    },
    refusals('request.take-back', 'request'),
  )
  bind.money(
    queues.stopSending,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const status = await stopSending(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer({ status }, status === 'RETURNED' ? 'The money is back' : 'It comes back once it cannot arrive any more')
    },
    refusals('request.stop-sending', 'request'),
  )
  bind.money(
    queues.approveRequest,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const status = await approveRequest(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer({ status }, status === 'APPROVED' ? 'Approved' : 'Another staff member has to approve this too')
    },
    refusals('request.approve', 'request'),
  )
  bind.money(
    queues.rejectRequest,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await rejectRequest(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer(null, 'Rejected')
    },
    refusals('request.reject', 'request'),
  )
}

function memberRoutes(bind: Bind): void {
  bind.read(members.staffMembers, async ({ db, query }) => answer(await findMembers(db, query)))
  bind.read(members.staffMemberDetail, async ({ db, deps, viewer, caller, params }) => {
    const detail = await memberDetail(db, deps, params.id)
    await noteView(db, deps, actorOf(viewer, caller), params.id)
    return answer(detail)
  })
  bind.write(
    members.setMemberStatus,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const outcome = await setMemberStatus(tx, deps, actorOf(viewer, caller), { id: params.id, ...body })
      return moneyAnswer(outcome, body.status ? 'The member may sign in again' : 'The member is blocked')
    },
    refusals('member.status', 'member'),
  )
  bind.write(
    members.setSpecialRcm,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await flagSpecialRcm(tx, deps, actorOf(viewer, caller), { id: params.id, ...body })
      return answer(null, body.isSpecialRcm ? 'The member is special' : 'The member is ordinary')
    },
    refusals('member.special-rcm', 'member'),
  )
  bind.write(
    members.setMemberRank,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await giveRank(tx, deps, actorOf(viewer, caller), { id: params.id, ...body })
      return answer(null, body.rank === null ? 'The programme ranks the member again' : 'The rank is given')
    },
    refusals('member.rank', 'member'),
  )
  bind.write(
    members.endMemberSessions,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const outcome = await endMemberSessions(tx, deps, actorOf(viewer, caller), { id: params.id, reason: body.reason })
      if ('changeId' in outcome) return answer(outcome, 'Another staff member has to approve this')
      return answer(null, `${outcome.ended} sessions ended`)
    },
    refusals('member.end-sessions', 'member'),
  )
  bind.money(
    members.creditRcm,
    async ({ tx, deps, viewer, caller, params, body }) =>
      moneyAnswer(await creditMember(tx, deps, actorOf(viewer, caller), { id: params.id, ...body }), 'Credited'),
    refusals('member.credit-rcm', 'member'),
  )
}

function peopleRoutes(bind: Bind): void {
  bind.write(
    members.grantRole,
    async ({ tx, deps, viewer, caller, body }) => {
      const { reason, ...grant } = body
      const named = { ...grant, name: grant.name ?? grant.email }
      return moneyAnswer(await grantRole(tx, deps, actorOf(viewer, caller), named, reason), 'The role is given')
    },
    refusals('role.grant', 'member'),
  )
}

function rewardRoutes(bind: Bind): void {
  bind.money(
    rewards.fundRewardPool,
    async ({ tx, deps, viewer, caller, body }) =>
      moneyAnswer(await fundPool(tx, deps, actorOf(viewer, caller), body), 'The reward pool is funded'),
    refusals('rewards.fund-pool', 'reward_pool'),
  )
  bind.read(rewards.staffHeldRewards, async ({ db, params, query }) => answer(await readHeldRewards(db, params.id, query)))
  bind.write(
    rewards.cancelRewards,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const changeId = await fileCancelling(tx, deps, actorOf(viewer, caller), { ...params, ...body })
      return answer({ changeId }, 'Another staff member has to approve this')
    },
    refusals('rewards.cancel', 'member'),
  )
  bind.read(rewards.staffRewardPool, async ({ db, deps }) => answer(await readRewardPool(db, deps.clock.now())))
  bind.read(rewards.staffRewardRuns, async ({ db, query }) => answer(await readRewardRuns(db, query)))
  rewardDayRoutes(bind)
  bind.outside(rewards.startRewardRun, async ({ db, deps, viewer, caller }) => {
    const outcome = await startRewardRun(db, deps, actorOf(viewer, caller))
    return answer(null, outcome === 'paid' ? 'What was due is paid' : 'The reward run has started and goes on')
  })
}

const moneyAnswer = (outcome: MoneyOutcome, message: string) =>
  outcome.done ? answer(null, message) : answer({ changeId: outcome.changeId }, 'Another staff member has to approve this')
