import { pageOf } from '@tizara/contract'
import { getTicket, tickets } from '@tizara/contract/support'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ListRequest } from '../lib/list-source.ts'
import { read, refetch } from '../lib/query.ts'

/** One page of the member's tickets (API-89, UI-TICKETS-01). */
export const useTickets = (request: ListRequest) =>
  useQuery({ ...read(tickets, { query: request }), select: (reply) => pageOf(reply), placeholderData: keepPreviousData })

/** One ticket with its newest messages (API-90); looked at again while it is in sight, as staff may answer. */
export const useTicket = (id: string) => useQuery({ ...read(getTicket, { params: { id } }), refetchInterval: 30_000 })

/** The tickets anew after a change. */
export const refetchTickets = (): Promise<void> => refetch(tickets, getTicket)
