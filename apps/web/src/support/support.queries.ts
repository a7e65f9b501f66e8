import { pageOf } from '@tizara/contract'
import { readTicketNotices, unreadNotices } from '@tizara/contract/notices-unread'
import { getTicket, tickets } from '@tizara/contract/support'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../lib/http/api.ts'
import type { ListRequest } from '../lib/lists/list-source.ts'
import { read, refetch } from '../lib/http/query.ts'

/** Loads a page with the member's tickets (API-89, UI-TICKETS-01). */
export const useTickets = (request: ListRequest) =>
  useQuery({ ...read(tickets, { query: request }), select: (reply) => pageOf(reply), placeholderData: keepPreviousData })

/** Loads one ticket with its newest messages (API-90). Polls while visible, because staff may answer. */
export const useTicket = (id: string) => useQuery({ ...read(getTicket, { params: { id } }), refetchInterval: 30_000 })

/** Marks the notifications about an open ticket as read, also when an answer arrives meanwhile. It reads the count of the bell. */
export function useMarkTicketRead(id: string | undefined): void {
  const { data } = useQuery({ ...read(unreadNotices), enabled: false })
  const unread = data?.count ?? 0
  useEffect(() => {
    if (id === undefined || unread === 0) return
    call(readTicketNotices, { params: { id } }).then(
      () => refetch(unreadNotices),
      (error: unknown) => console.error('The notifications about this ticket stay unread', error),
    )
  }, [id, unread])
}

/** Refetches tickets after an edit. */
export const refetchTickets = (): Promise<void> => refetch(tickets, getTicket)
