import { Badge } from '../ui/badge.tsx'
import { isClosed } from './support.rules.ts'

/** The status as the server has it: OPEN or CLOSED. */
export function TicketStatus({ status }: { status: string }) {
  return <Badge tone={isClosed({ status }) ? 'neutral' : 'success'}>{status}</Badge>
}
