/**
 * Team: the sponsor tree and the totals of each branch.
 * - Wire: `GET /test`, `GET /team/search`, `GET /stake-logs/count-my-downline-stake`, `GET /special-rcm/last-refferer`,
 *   `GET /special-rcm/get-total-team-stake`.
 * - Owns: `team_member`, `team_total`, `team_month`, `team_pending_delta`; stakes and deposits in its lists are
 *   injected.
 * - Rules: a forest by construction (invariant I11). Totals cost the same for any size of team: a job adds recorded
 *   changes up, and reads add the pending ones.
 */
export type { CreditedDeposit, TeamStake } from './ports.ts'
export { type ChangedTeam, applyPendingTeamVolume, recordStakesEnded, recordTeamVolume } from './team-volume.ts'
export { branchTotals, downlineCount, downlineStake, isWithinTeam, monthTotals, uplinesOf } from './team.queries.ts'
export { teamRoutes } from './team.routes.ts'
