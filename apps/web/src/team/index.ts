export { useTeamStake } from './team.queries.ts'
