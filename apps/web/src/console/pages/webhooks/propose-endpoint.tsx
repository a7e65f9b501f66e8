import type { ReplyOf } from '@tizara/contract'
import { eventKinds, type EventKind } from '@tizara/contract/staff-events'
import type { staffWebhooks } from '@tizara/contract/staff-webhooks'
import { useState } from 'react'
import { ApiError } from '../../../lib/http/api.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { submitProposal } from '../../kit/submit-proposal.ts'

export type Endpoint = ReplyOf<typeof staffWebhooks>['endpoints'][number]

/** Proposes a new endpoint, or other values of an existing one, which is then switched on. */
export function ProposeEndpoint({ endpoint, onClose }: { endpoint: Endpoint | undefined; onClose: () => void }) {
  const [name, setName] = useState(endpoint?.name ?? '')
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [chosen, setChosen] = useState<readonly EventKind[]>(endpoint?.kinds ?? [])
  const toggle = (kind: EventKind) => setChosen(chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind])
  return (
    <ActDialog
      title={endpoint === undefined ? 'Propose an endpoint' : 'Propose a change of the endpoint'}
      effects={[
        'Another person has to approve it.',
        endpoint === undefined
          ? 'It gets events from the approval on, once you have created its secret.'
          : 'It is switched on, and another address needs a new secret.',
      ]}
      verb="Propose"
      draft={`webhook:${endpoint?.id ?? 'new'}`}
      onDo={async (reason) => {
        if (name.trim() === '') throw new ApiError({ statusCode: 400, message: 'Enter a name' })
        if (!URL.canParse(url.trim())) throw new ApiError({ statusCode: 400, message: 'Enter a URL' })
        const id = endpoint === undefined ? {} : { id: endpoint.id }
        const value = { ...id, name: name.trim(), url: url.trim(), kinds: [...chosen] }
        await submitProposal({ subject: 'webhook', value, reason })
      }}
      onClose={onClose}
    >
      <label className="mt-3 block">
        <span className="mb-1 block font-medium">Name</span>
        <input className="control" maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <label className="mt-3 block">
        <span className="mb-1 block font-medium">Address</span>
        <input
          className="control"
          type="url"
          maxLength={500}
          placeholder="https://books.example.com/webhooks"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </label>
      <fieldset className="mt-3">
        <legend className="mb-1 font-medium">Events</legend>
        <div className="max-h-44 overflow-y-auto rounded border px-2" tabIndex={-1}>
          {eventKinds.map((kind) => (
            <label key={kind} className="flex min-w-0 items-center gap-2 py-1">
              <input type="checkbox" checked={chosen.includes(kind)} onChange={() => toggle(kind)} />
              {kind}
            </label>
          ))}
        </div>
        <span className="block text-xs text-faint">If none is chosen, the endpoint gets all events.</span>
      </fieldset>
    </ActDialog>
  )
}
