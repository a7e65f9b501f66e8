import * as wire from '@tizara/contract/support'
import { sql } from 'kysely'
import type { History } from '../histories/index.ts'

export const tickets = {
  kind: 'ticket',
  lists: [wire.tickets],
  counted: { table: 'ticket' },
  receipt: { none: 'no money has moved' },
  also: [wire.getTicket],
  // A message changes no count of the list.
  follows: sql<string>`(select (max(t.last_message_at), count(t.closed_at))::text from ticket t where t.member_id = m.id)`,
} as const satisfies History
export const supportHistories: readonly History[] = [tickets]
