import { staffOverview } from '@tizara/contract/staff'
import { staffTicketDetail, staffTickets } from '@tizara/contract/staff-tickets'
import { refetch } from '../../../lib/http/query.ts'

/** Re-reads all data that a ticket action changes. */
export const reloadTickets = () => refetch(staffTickets, staffTicketDetail, staffOverview)
