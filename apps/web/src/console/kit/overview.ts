import { staffOverview } from '@tizara/contract/staff'
import { useQuery } from '@tanstack/react-query'
import { watch } from './watch.ts'

/** Reads pending work and platform health for the menu counts and the views. */
export const useOverview = () => useQuery(watch(staffOverview, { query: { days: 1 } }))
