import { staffOverview } from '@tizara/contract/staff'
import { staffTicketDetail, staffTickets } from '@tizara/contract/staff-tickets'
import { refetch } from '../../../lib/query.ts'

/** Reads again what an act on a ticket changes. */
export const reloadTickets = () => refetch(staffTickets, staffTicketDetail, staffOverview)
