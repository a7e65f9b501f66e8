import { t } from '@tizara/languages'
import { Badge } from '../ui/badge.tsx'
import { isClosed } from './support.rules.ts'

/** Status from the server: OPEN or CLOSED. */
export function TicketStatus({ status }: { status: string }) {
  return <Badge tone={isClosed({ status }) ? 'neutral' : 'success'}>{t(status)}</Badge>
}
