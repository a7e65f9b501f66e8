import {
  countDownlineStake,
  lastReferrals as lastReferralsRoute,
  searchTeam as searchTeamRoute,
  teamTotals,
  teamTree,
} from '@tizara/contract/team'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { lastReferrals } from './last-referrals.ts'
import type { TeamPorts } from './ports.ts'
import { readTeamTree } from './read-team-tree.ts'
import { searchTeam } from './search-team.ts'
import { downlineStake, monthTotals } from './team.queries.ts'

const NO_TOTALS = { lastMonthStakeSumTotal: 0n, currentMonthStakeSumTotal: 0n, lastMonthNFTSum: 0n, currentMonthNFTSum: 0n }

export function teamRoutes(bind: Bind, ports: TeamPorts): void {
  bind.read(teamTree, async ({ db, deps, viewer, query }) =>
    answer(await readTeamTree(db, ports, viewer.memberId, deps.clock.now(), query)),
  )
  bind.read(searchTeamRoute, async ({ db, viewer, query }) => answer(await searchTeam(db, viewer.memberId, query.q, query)))
  bind.read(countDownlineStake, async ({ db, viewer }) => answer(await downlineStake(db, viewer.memberId)))
  bind.read(lastReferralsRoute, async ({ db, viewer, query }) => answer(await lastReferrals(db, ports, viewer, query)))
  bind.read(teamTotals, async ({ db, deps, viewer }) =>
    answer(viewer.isSpecialRcm ? await monthTotals(db, viewer.memberId, deps.clock.now()) : NO_TOTALS),
  )
}
