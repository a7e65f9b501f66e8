import { rotateWebhookSecret, staffWebhooks, stopWebhook } from '@tizara/contract/staff-webhooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Heads } from '../../kit/heads.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { Page } from '../../kit/page.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { briefly } from '../../kit/when.ts'
import { Deliveries } from './deliveries.tsx'
import { type Endpoint, ProposeEndpoint } from './propose-endpoint.tsx'

const OFF_REASONS = {
  STAFF: 'by staff',
  FAILING: 'accepted nothing for five days',
  GONE: 'answered 410 Gone',
  RESTORED: 'after a restore',
  FORGED: 'changed outside the application',
} as const

type Doing = { what: 'propose'; endpoint: Endpoint | undefined } | { what: 'secret' | 'off' | 'end'; endpoint: Endpoint }

/** `/staff/webhooks`: other software that gets events of the platform. */
export default function WebhooksView() {
  const location = usePageLocation('/staff/webhooks')
  const list = useQuery(watch(staffWebhooks, {}))
  const mayPropose = useMay('change.webhook')
  const whoProposes = useWhoCan('change.webhook')
  const [doing, setDoing] = useState<Doing>()
  const [created, setCreated] = useState<{ name: string; secret: string }>()
  const endpoints = list.data?.endpoints ?? []
  const opened = endpoints.find(({ id }) => id === location.id)
  const close = () => setDoing(undefined)
  return (
    <Page
      title="Webhooks"
      hint="Other software gets the events of the platform at an address. A webhook names kinds and public ids, and no personal data."
      right={
        <Button
          aria-disabled={!mayPropose}
          title={mayPropose ? undefined : whoProposes}
          onClick={() => mayPropose && setDoing({ what: 'propose', endpoint: undefined })}
        >
          Propose an endpoint
        </Button>
      }
    >
      {created !== undefined && (
        <Notice tone="warning" title={`The secret of “${plain(created.name)}”`} className="mt-3">
          Copy it now. It is shown only once. The receiver verifies webhooks with it.
          <CopyField value={created.secret} label="Secret" className="mt-2" />
        </Notice>
      )}
      <Panel title="Endpoints" className="mt-3">
        <ListState
          query={list}
          rows={endpoints.length}
          none="No endpoints yet"
          hint="One person proposes an endpoint, another approves it."
        />
        {endpoints.length > 0 && (
          <Table folds>
            <Heads columns={['Name', 'State', 'Events', 'Pending', ['Actions', 'sr']]} />
            <tbody>
              {endpoints.map((endpoint) => (
                <EndpointRow key={endpoint.id} row={endpoint} onOpen={() => location.open(endpoint.id)} onDo={setDoing} />
              ))}
            </tbody>
          </Table>
        )}
      </Panel>
      {opened !== undefined && <Deliveries key={opened.id} id={opened.id} name={opened.name} />}
      {doing?.what === 'propose' && <ProposeEndpoint endpoint={doing.endpoint} onClose={close} />}
      {doing?.what === 'secret' && (
        <CreateSecret row={doing.endpoint} onCreated={(secret) => setCreated({ name: doing.endpoint.name, secret })} onClose={close} />
      )}
      {(doing?.what === 'off' || doing?.what === 'end') && <Stop row={doing.endpoint} ends={doing.what === 'end'} onClose={close} />}
    </Page>
  )
}

function EndpointRow({ row, onOpen, onDo }: { row: Endpoint; onOpen: () => void; onDo: (doing: Doing) => void }) {
  const { name, url, kinds, waiting, state } = row
  const button = (text: string, onClick: () => void) => (
    <Button size="sm" aria-label={`${text}: ${plain(name)}`} onClick={onClick}>
      {text}
    </Button>
  )
  return (
    <tr>
      <td className="break-words">
        <div className="min-w-0">
          {plain(name)} <span className="block text-xs break-all text-muted">{plain(url)}</span>
        </div>
      </td>
      <td data-label="State">
        <div className="min-w-0 flex-1">
          <State row={row} />
        </div>
      </td>
      <td data-label="Events" className="break-words">
        {kinds.length === 0 ? 'all' : kinds.join(', ')}
      </td>
      <td data-label="Pending">{waiting >= 1000 ? '1,000 or more' : waiting}</td>
      <td data-label="Actions">
        <div className="flex min-w-0 flex-1 flex-wrap gap-1.5 max-md:justify-end">
          {button('Deliveries', onOpen)}
          {state !== 'ENDED' && (
            <>
              {button('Create a secret', () => onDo({ what: 'secret', endpoint: row }))}
              {button(state === 'ON' ? 'Change' : 'Switch on', () => onDo({ what: 'propose', endpoint: row }))}
              {state === 'ON' && button('Switch off', () => onDo({ what: 'off', endpoint: row }))}
              {button('End', () => onDo({ what: 'end', endpoint: row }))}
            </>
          )}
        </div>
      </td>
    </tr>
  )
}

function State({ row: { state, offReason, offSince, canSign, previousUntil, failingSince, fault } }: { row: Endpoint }) {
  if (state !== 'ON')
    return (
      <>
        <Badge tone="neutral">{state === 'OFF' ? 'Off' : 'Ended'}</Badge>
        {offReason !== null && <span className="block text-xs text-muted">{OFF_REASONS[offReason]}</span>}
        {offSince !== null && <span className="block text-xs text-muted">since {briefly(offSince)} UTC</span>}
        {fault !== null && <span className="block text-xs break-words text-muted">last attempt: {plain(fault)}</span>}
      </>
    )
  if (!canSign) return <Badge tone="warning">Needs a secret</Badge>
  return (
    <>
      <Badge tone={failingSince === null ? 'success' : 'danger'}>{failingSince === null ? 'On' : 'Failing'}</Badge>
      {failingSince !== null && <span className="block text-xs text-muted">since {briefly(failingSince)} UTC</span>}
      {fault !== null && <span className="block text-xs break-words text-muted">last attempt: {plain(fault)}</span>}
      {previousUntil !== null && <span className="block text-xs text-muted">two secrets until {briefly(previousUntil)} UTC</span>}
    </>
  )
}

function CreateSecret({ row, onCreated, onClose }: { row: Endpoint; onCreated: (secret: string) => void; onClose: () => void }) {
  return (
    <ActDialog
      title={`Create a secret of “${plain(row.name)}”`}
      effects={[
        'It is shown once, to you.',
        row.canSign
          ? 'The current secret also signs for 24 hours, so that the receiver can change it meanwhile. An earlier one ends at once.'
          : 'Webhooks are sent as soon as it exists.',
      ]}
      verb="Create"
      draft={`webhook-secret:${row.id}`}
      onDo={async (reason) => {
        const { data } = await call(rotateWebhookSecret, { params: { id: row.id }, body: { reason } })
        onCreated(data.secret)
        await refetch(staffWebhooks)
      }}
      onClose={onClose}
    />
  )
}

function Stop({ row: { id, name }, ends, onClose }: { row: Endpoint; ends: boolean; onClose: () => void }) {
  return (
    <ActDialog
      title={`${ends ? 'End' : 'Switch off'} “${plain(name)}”`}
      effects={
        ends
          ? ['The receiver gets no more webhooks.', 'It cannot be switched on again.']
          : ['Events wait for up to 30 days.', 'Two people can switch it on again.']
      }
      verb={ends ? 'End the endpoint' : 'Switch off'}
      danger
      draft={`webhook-stop:${id}`}
      onDo={async (reason) => {
        toast((await call(stopWebhook, { params: { id }, body: { reason, ends } })).message)
        await refetch(staffWebhooks)
      }}
      onClose={onClose}
    />
  )
}
