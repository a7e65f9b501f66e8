import type { ReplyOf } from '@tizara/contract'
import { API_KEY_DAYS_MAX } from '@tizara/contract/api-keys'
import type { staffApiKeys } from '@tizara/contract/staff-api-keys'
import { useState } from 'react'
import { ApiError } from '../../../lib/http/api.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { submitProposal } from '../../kit/submit-proposal.ts'

const DAYS = [30, 90, 180, API_KEY_DAYS_MAX] as const

/** Proposes an API key of the operator. Its proposer owns it. */
export function ProposeKey({ rights, onClose }: { rights: ReplyOf<typeof staffApiKeys>['rights']; onClose: () => void }) {
  const [name, setName] = useState('')
  const [networks, setNetworks] = useState('')
  const [days, setDays] = useState<number>(90)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const toggle = (right: string) => setChosen(chosen.includes(right) ? chosen.filter((one) => one !== right) : [...chosen, right])
  return (
    <ActDialog
      title="Propose an API key"
      effects={[
        'Another person has to approve it. You own the key, and you alone can see it, once.',
        'It ends with your sessions: with a new password or second factor, a suspension, or another role.',
      ]}
      verb="Propose"
      draft="api-key:new"
      onDo={async (reason) => {
        if (name.trim() === '') throw new ApiError({ statusCode: 400, message: 'Enter a name' })
        if (chosen.length === 0) throw new ApiError({ statusCode: 400, message: 'Choose what the key may read' })
        const value = { name: name.trim(), rights: [...chosen], networks: networks.split(/[\s,]+/).filter(Boolean), days }
        await submitProposal({ subject: 'api-key', value, reason })
      }}
      onClose={onClose}
    >
      <label className="mt-3 block">
        <span className="mb-1 block font-medium">Name</span>
        <input className="control" maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <fieldset className="mt-3">
        <legend className="mb-1 font-medium">May read</legend>
        <div className="max-h-60 overflow-y-auto rounded border px-2" tabIndex={-1}>
          {rights.map((right) => (
            <label key={right.name} className="flex min-w-0 items-start gap-2 py-1.5">
              <input
                type="checkbox"
                className="mt-1"
                aria-label={right.name}
                checked={chosen.includes(right.name)}
                onChange={() => toggle(right.name)}
              />
              <span className="min-w-0">
                {right.name} <span className="block text-xs text-muted">{right.summary}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <label className="mt-3 block">
        <span className="mb-1 block font-medium">Expires after</span>
        <select className="control" value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {DAYS.map((one) => (
            <option key={one} value={one}>
              {one} days
            </option>
          ))}
        </select>
      </label>
      <label className="mt-3 block">
        <span className="mb-1 block font-medium">Only from these networks</span>
        <textarea className="control" rows={2} spellCheck={false} value={networks} onChange={(event) => setNetworks(event.target.value)} />
        <span className="block text-xs text-faint">One per line, such as 192.0.2.0/24. If empty, the key is valid from everywhere.</span>
      </label>
    </ActDialog>
  )
}
