import { pageOf } from '@tizara/contract'
import { getTicket, type Ticket, tickets } from '@tizara/contract/support'
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import type { ListRequest } from '../lib/list-source.ts'
import { read, refetch } from '../lib/query.ts'

/** One page of the member's tickets (API-89, UI-TICKETS-01). */
export const useTickets = (request: ListRequest) =>
  useQuery({ ...read(tickets, { query: request }), select: (reply) => pageOf(reply), placeholderData: keepPreviousData })

type Pages = InfiniteData<Ticket, string | undefined>

/** The ticket as its newest page tells it, with the messages of all pages that were fetched. */
const inOne = ({ pages }: Pages): Ticket | undefined =>
  pages[0] && { ...pages[0], earlier: pages.at(-1)?.earlier, updates: pages.toReversed().flatMap(({ updates }) => updates ?? []) }

/** One ticket with its messages, the newest first to come (API-90); looked at again while it is in sight, as staff may answer. */
export const useTicket = (id: string) =>
  useInfiniteQuery({
    queryKey: [getTicket.name, { id }],
    queryFn: async ({ signal, pageParam }): Promise<Ticket> =>
      (await call(getTicket, { params: { id }, query: pageParam === undefined ? {} : { before: pageParam }, signal })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ earlier, updates }) => (earlier === true ? updates?.[0]?.id : undefined),
    select: inOne,
    refetchInterval: 30_000,
  })

/** The tickets anew after a change. */
export const refetchTickets = (): Promise<void> => refetch(tickets, getTicket)
