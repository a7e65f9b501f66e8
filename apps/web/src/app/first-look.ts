import { profileQuery } from '../members/index.ts'
import { queryClient } from '../lib/query.ts'

/** Prefetches the profile, so that the page renders once instead of twice. */
export const firstLook = (): Promise<void> => queryClient.prefetchQuery(profileQuery)
