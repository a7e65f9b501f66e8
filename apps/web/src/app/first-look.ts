import { profileQuery } from '../members/index.ts'
import { queryClient } from '../lib/query.ts'

/** Fetches who the member is, so that a page is drawn with it at once instead of twice. */
export const firstLook = (): Promise<void> => queryClient.prefetchQuery(profileQuery)
