import { staffOverview } from '@tizara/contract/staff'
import { staffIncidents } from '@tizara/contract/staff-platform'
import { refetch } from '../../lib/http/query.ts'

/** Re-reads all data that a pause or incident changes. */
export const rereadPlatform = () => refetch(staffIncidents, staffOverview)
