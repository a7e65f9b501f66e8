import { profileQuery } from '../members/index.ts'
import { queryClient } from '../lib/http/query.ts'

/** Prefetches the profile, so that the page renders only once. */
export const prefetchProfile = (): Promise<void> => queryClient.prefetchQuery(profileQuery)
