import { pageOf } from '@tizara/contract'
import { countDownlineStake, searchTeam, teamTotals, teamTree } from '@tizara/contract/team'
import { useQuery } from '@tanstack/react-query'
import { ApiError, call, toApiError } from '../lib/http/api.ts'
import { queryClient, read } from '../lib/http/query.ts'
import type { LoadBranch } from './team-tree.ts'
import { messages } from './team.messages.ts'

/** Loads the coin staked by the whole downline (UI-TEAM-01). */
export const useTeamStake = () => useQuery(read(countDownlineStake))

/** Loads the team's first levels (UI-TEAM-02). */
export const useTeam = () => useQuery({ ...read(teamTree), staleTime: 60_000 })

/** Loads one branch, or its next page: the people that follow the direct referral `after`. */
export const loadBranch: LoadBranch = (id, after) =>
  queryClient.fetchQuery(read(teamTree, { query: after === undefined ? { root: id } : { root: id, after } }))

/** Searches the team by name, email or code. Servers that implement only the specification lack this call. */
export const useTeamSearch = (text: string) =>
  useQuery({ ...read(searchTeam, { query: { q: text } }), enabled: text.length >= 2, select: (reply) => pageOf(reply) })

/** Returns the same failure with another message. */
export function renamed(thrown: unknown, message: string): Error {
  const { statusCode, fromServer } = toApiError(thrown)
  return new ApiError({ statusCode, fromServer, message })
}

/** Loads the four Special Rcm figures. Keeps a failure in the query's state, without showing it (UI-RCM-10, ER-65). */
export const useTeamTotals = () =>
  useQuery({
    ...read(teamTotals),
    queryFn: async ({ signal }) => {
      try {
        return (await call(teamTotals, { signal })).data
      } catch (thrown) {
        throw signal.aborted ? thrown : renamed(thrown, messages.totalsFailed)
      }
    },
  })
