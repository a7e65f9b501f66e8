import type { ReplyOf } from '@tizara/contract'
import { sendWebhookAgain, staffWebhookDeliveries } from '@tizara/contract/staff-webhooks'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { Heads } from '../../kit/heads.tsx'
import { ListState, More } from '../../kit/list-parts.tsx'
import { isOffline, SendButton } from '../../kit/offline.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { useNextPages } from '../../kit/use-next-pages.ts'
import { briefly } from '../../kit/when.ts'

type Delivery = ReplyOf<typeof staffWebhookDeliveries>['rows'][number]

const STATES = {
  PENDING: ['warning', 'Pending'],
  DELIVERED: ['success', 'Delivered'],
  FAILED: ['danger', 'Failed'],
} as const

/** Shows the deliveries of an endpoint with the last response, newest first. */
export function Deliveries({ id, name }: { id: string; name: string }) {
  const list = useNextPages(staffWebhookDeliveries, { params: { id } })
  return (
    <Panel title={`Deliveries to “${plain(name)}”`} className="mt-3">
      <ListState query={list} rows={list.rows.length} none="No deliveries yet" />
      {list.rows.length > 0 && (
        <Table folds>
          <Heads columns={['Event', 'State', 'Attempts', 'Last response', ['Actions', 'sr']]} />
          <tbody>
            {list.rows.map((row) => (
              <DeliveryRow key={row.eventId} endpoint={id} row={row} />
            ))}
          </tbody>
        </Table>
      )}
      <More pages={list} />
    </Panel>
  )
}

function DeliveryRow({ endpoint, row }: { endpoint: string; row: Delivery }) {
  const { eventId, kind, subject, state, attempts, createdAt, nextAttemptAt, attemptedAt, status, answer, durationMs, error } = row
  const [tone, text] = STATES[state]
  const sendAgain = async (): Promise<void> => {
    if (isOffline()) return
    try {
      toast((await call(sendWebhookAgain, { params: { id: endpoint }, body: { eventId } })).message)
    } catch (cause) {
      toast(errorTextOf(cause), { tone: 'danger' })
    }
    await refetch(staffWebhookDeliveries)
  }
  return (
    <tr>
      <td className="break-words">
        <div className="min-w-0">
          {kind} <span className="block font-mono text-xs text-muted">{plain(subject)}</span>
          <span className="block text-xs text-muted">{briefly(createdAt)} UTC</span>
        </div>
      </td>
      <td data-label="State">
        <div className="min-w-0 flex-1">
          <Badge tone={tone}>{text}</Badge>
          {state === 'PENDING' && (
            <span className="block text-xs text-muted">
              {nextAttemptAt === null ? 'after an earlier event of this object' : `next attempt ${briefly(nextAttemptAt)} UTC`}
            </span>
          )}
        </div>
      </td>
      <td data-label="Attempts">{attempts}</td>
      <td data-label="Last response" className="break-words">
        {attemptedAt === null ? (
          'none'
        ) : (
          <div className="min-w-0 flex-1">
            <span>{error === null ? `Status ${status}` : plain(error)}</span>
            <span className="block text-xs text-muted">
              {briefly(attemptedAt)} UTC, {durationMs} ms
            </span>
            {answer !== null && answer !== '' && (
              <details className="text-xs">
                <summary>Body</summary>
                <pre className="max-w-full whitespace-pre-wrap break-all">{plain(answer)}</pre>
              </details>
            )}
          </div>
        )}
      </td>
      <td data-label="Actions">
        {state !== 'PENDING' && (
          <SendButton size="sm" aria-label={`Send again: ${kind} ${plain(subject)}`} onClick={sendAgain}>
            Send again
          </SendButton>
        )}
      </td>
    </tr>
  )
}
