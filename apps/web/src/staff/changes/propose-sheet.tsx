import { proposal, proposeChange, staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import { staffOverview } from '@tizara/contract/staff'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import * as v from 'valibot'
import { call, toApiError } from '../../lib/api.ts'
import { read, refetch } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { exactAmount } from '../../ui/money-format.ts'
import { toast } from '../../ui/toast-store.ts'
import { useModal } from '../../ui/use-modal.ts'
import { useMe } from '../lib/me.tsx'

/** Single values that a person types: of the price, the limits and the settings. */
const VALUES = [
  ['price', 'coinPrice', 'Price of the coin, USD'],
  ['limits', 'fourEyesAboveUsd', 'Two people above, USD'],
  ['limits', 'fourEyesAboveCoin', 'Two people above, coin'],
  ['settings', 'minCoin', 'Least coin of a purchase'],
  ['settings', 'maxCoin', 'Most coin of a purchase'],
  ['settings', 'convertRate', 'Convert rate'],
  ['settings', 'exchangeLimit', 'Exchange limit, %'],
  ['settings', 'platformFeePercent', 'Platform fee, %'],
  ['settings', 'networkFeePercent', 'Network fee, %'],
  ['settings', 'bridgeFeePercent', 'Bridge fee, %'],
  ['settings', 'bridgeMinimum', 'Least coin of a bridge'],
] as const

/** Proposes another value for something that holds now; somebody else puts it in force. */
export function ProposeSheet({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const bind = useModal({ open: true, onClose })
  const open = VALUES.filter(([subject]) => me.rights.includes(`change.${subject}`))
  const [name, setName] = useState<string>(open[0]?.[1] ?? '')
  const [value, setValue] = useState('')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string>()
  const { data } = useQuery(read(staffCatalogue))
  const pending = useQuery(read(staffChanges, { query: { limit: 100, status: 'PENDING' } }))
  const chosen = open.find((one) => one[1] === name)
  const holds =
    data === undefined
      ? undefined
      : new Map<string, unknown>(Object.entries({ ...data.settings, ...data.limits, coinPrice: data.coinPrice })).get(name)
  const waits =
    pending.data?.data.some((row) => typeof row.value === 'object' && row.value !== null && Object.hasOwn(row.value, name)) === true

  async function propose(): Promise<void> {
    if (chosen === undefined) return
    const checked = v.safeParse(proposal, { subject: chosen[0], value: { [chosen[1]]: value.trim() }, reason })
    if (!checked.success)
      return setFault(v.getDotPath(checked.issues[0]) === 'reason' ? 'A proposal needs a reason' : checked.issues[0].message)
    try {
      const { startsAt: _, ...body } = { startsAt: undefined, ...checked.output }
      const { data: made } = await call(proposeChange, { body })
      toast('Proposed; another person has to approve it')
      await refetch(staffChanges, staffOverview)
      onClose()
      navigate(`/staff/changes/${made.id}`)
    } catch (error) {
      const { errorMessages, message } = toApiError(error)
      setFault(errorMessages[0]?.message ?? message)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void propose()
  }
  return (
    <dialog {...bind} className="sheet small" aria-labelledby="propose-title">
      <form onSubmit={submit}>
        <div className="in g">
          <h2 id="propose-title" className="t">
            Propose a change
          </h2>
          <label>
            <span className="f b">Value</span>
            <select className="control" value={name} onChange={(event) => setName(event.target.value)}>
              {open.map(([, key, label]) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <p className="mut sm">
            Holds now: <b>{typeof holds === 'bigint' ? exactAmount(holds) : '…'}</b>
            {waits && <span className="warn">. A change of it waits already.</span>}
          </p>
          <label>
            <span className="f b">New value</span>
            <input className="control" inputMode="decimal" value={value} onChange={(event) => setValue(event.target.value)} />
          </label>
          <label>
            <span className="f b">Reason</span>
            <input className="control" maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
          </label>
          {fault !== undefined && (
            <p role="alert" className="note bad">
              {fault}
            </p>
          )}
        </div>
        <div className="ft">
          <button type="button" className="btn" onClick={onClose}>
            Back
          </button>
          <Button variant="primary" className="btn pri" onClick={propose}>
            Propose
          </Button>
        </div>
      </form>
    </dialog>
  )
}
