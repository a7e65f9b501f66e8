/**
 * Team: the sponsor tree and its branch totals.
 * - Wire: `GET /test`, `GET /team/search`, `GET /stake-logs/count-my-downline-stake`, `GET /special-rcm/last-refferer`, `GET
 * /special-rcm/get-total-team-stake`.
 * - Owns `team_member`, `team_total`, `team_month`, `team_pending_delta`. Ports provide the stakes and deposits for its lists.
 * - Rules: a forest by construction (invariant I11). Totals cost the same for any team: a job aggregates recorded changes, and reads add
 * pending ones.
 */
export type { CreditedDeposit, TeamStake } from './ports.ts'
export { type ChangedTeam, applyPendingTeamVolume, recordStakesEnded, recordTeamVolume } from './team-volume.ts'
export { branchTotals, downlineCount, downlineStake, isWithinTeam, monthTotals, uplinesOf } from './team.queries.ts'
export { teamRoutes } from './team.routes.ts'
