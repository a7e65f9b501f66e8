/**
 * Team: who stands below whom, and what each branch adds up to.
 * - Wire: `GET /test`, `GET /team/search`, `GET /stake-logs/count-my-downline-stake`, `GET /special-rcm/last-refferer`,
 *   `GET /special-rcm/get-total-team-stake`.
 * - Owns: `team_member`, `team_total`, `team_month`, `team_delta`; what its lists show of stakes and deposits is handed in.
 * - Rules: a forest by construction (invariant I11); totals cost the same for any size of team: noted changes are folded
 *   by a sweep, and reads add what is not folded yet.
 */
export type { CreditedDeposit, TeamStake } from './ports.ts'
export { type ChangedTeam, applyPendingTeamVolume, recordStakesEnded, recordTeamVolume } from './team-volume.ts'
export { branchTotals, downlineCount, downlineStake, isWithinTeam, monthTotals, uplinesOf } from './team.queries.ts'
export { teamRoutes } from './team.routes.ts'
