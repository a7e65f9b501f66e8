import type { ReplyOf } from '@tizara/contract'
import type { staffTicketDetail } from '@tizara/contract/staff-tickets'

export type StaffTicket = ReplyOf<typeof staffTicketDetail>
