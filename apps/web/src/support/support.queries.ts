import { pageOf } from '@tizara/contract'
import { getTicket, tickets } from '@tizara/contract/support'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ListRequest } from '../lib/list-source.ts'
import { read, refetch } from '../lib/query.ts'

/** Loads a page with the member's tickets (API-89, UI-TICKETS-01). */
export const useTickets = (request: ListRequest) =>
  useQuery({ ...read(tickets, { query: request }), select: (reply) => pageOf(reply), placeholderData: keepPreviousData })

/** Loads one ticket with its newest messages (API-90). Polls while visible, because staff may answer. */
export const useTicket = (id: string) => useQuery({ ...read(getTicket, { params: { id } }), refetchInterval: 30_000 })

/** Refetches tickets after an edit. */
export const refetchTickets = (): Promise<void> => refetch(tickets, getTicket)
