/**
 * Team: who stands below whom, and what each branch adds up to (tier 2).
 * - Wire: `GET /test`, `GET /team/search`, `GET /stake-logs/count-my-downline-stake`, `GET /special-rcm/last-refferer`,
 *   `GET /special-rcm/get-total-team-stake`.
 * - Owns: `team_member`, `team_total`, `team_month`, `team_delta`; what its lists show of stakes and deposits is handed in.
 * - Rules: a forest by construction (invariant I11); totals cost the same for any size of team: noted changes are folded
 *   by a sweep, and reads add what is not folded yet.
 */
export type { CreditedDeposit, TeamPorts, TeamStake } from './ports.ts'
export { joinTeam, type NewTeamMember } from './join-team.ts'
export { type ChangedTeam, foldTeamVolume, noteStakesEnded, noteTeamVolume, type TeamVolume } from './team-volume.ts'
export {
  branchTotals,
  type BranchTotal,
  downlineCount,
  downlineStake,
  isWithinTeam,
  monthTotals,
  type MonthTotals,
  type Upline,
  uplineOf,
} from './team.queries.ts'
export { teamRoutes } from './team.routes.ts'
