import { staffOverview } from '@tizara/contract/staff'
import { useQuery } from '@tanstack/react-query'
import { watch } from './watch.ts'

/** What waits and how the house stands, for the menu's numbers and the views. */
export const useOverview = () => useQuery(watch(staffOverview, { query: { days: 1 } }))
