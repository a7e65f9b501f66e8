import { staffOverview } from '@tizara/contract/staff'
import { staffIncidents } from '@tizara/contract/staff-house'
import { refetch } from '../../lib/query.ts'

/** Reads again what a stop or an incident changes. */
export const rereadHouse = () => refetch(staffIncidents, staffOverview)
