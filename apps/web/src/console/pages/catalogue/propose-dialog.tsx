import { previewChange, proposal, proposeChange, staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import type { ReplyOf } from '@tizara/contract'
import { staffOverview } from '@tizara/contract/staff'
import { type FormEvent, lazy, Suspense, useId, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import * as v from 'valibot'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { useModal } from '../../../ui/use-modal.ts'
import { CoverageRows, EffectList } from '../proposals/effect.tsx'
import { errorTextOf } from '../../kit/error-text.ts'
import { useWhoCan } from '../../kit/me.tsx'
import { isOffline, Offline, SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { FieldOf } from './form-field.tsx'
import { joinOffers, type Offer, valueOf } from './offers.ts'
import { FormError } from '../../kit/form-error.tsx'
import { sheetClass, sheetFootClass } from '../../../ui/sheet.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

// Loads the preview only when it is shown.
const AsMember = lazy(() => import('./as-member.tsx'))

type Preview = ReplyOf<typeof previewChange>

interface Props {
  offer: Offer
  /** Lists the offers that can join the proposal; undefined if the person may not propose several values. */
  toAdd?: ((offers: readonly Offer[]) => Offer[]) | undefined
  onClose: () => void
}

/** Proposes new values: shows the server's preview, then asks for the reason. A second person approves all of them together. */
export function ProposeDialog({ offer: first, toAdd, onClose }: Props) {
  const id = useId()
  const bind = useModal({ open: true, onClose })
  const [added, setAdded] = useState<readonly Offer[]>([])
  const offer = joinOffers([first, ...added])
  const others = toAdd?.([first, ...added]) ?? []
  const [typed, setTyped] = useState(first.current)
  const [start, setStart] = useState('')
  const [reason, setReason] = useState('')
  const [preview, setPreview] = useState<Preview>()
  const [errorText, setErrorText] = useState<string>()
  const change = (act: () => void) => {
    act()
    setPreview(undefined)
    setErrorText(undefined)
  }
  const add = (title: string) => {
    const other = others.find((one) => one.title === title)
    if (other === undefined) return
    change(() => {
      setAdded((before) => [...before, other])
      setTyped((before) => ({ ...before, ...other.current }))
    })
  }
  /** A time typed without a zone is UTC. */
  const body = { subject: offer.subject, value: valueOf(offer, typed), ...(start === '' ? {} : { startsAt: `${start}:00Z` }) }

  /** Repeats the server's checks for early feedback. */
  function checked(why: string) {
    const read = v.safeParse(proposal, { ...body, reason: why })
    if (read.success) return true
    setErrorText(v.getDotPath(read.issues[0]) === 'reason' ? 'A proposal needs a reason' : read.issues[0].message)
    return false
  }
  const refuse = (error: unknown) => setErrorText(errorTextOf(error))
  async function simulate(): Promise<void> {
    if (!checked('preview')) return
    try {
      setPreview((await call(previewChange, { body: body as never })).data)
    } catch (error) {
      refuse(error)
    }
  }
  async function propose(): Promise<void> {
    if (!checked(reason.trim())) return
    try {
      const { data } = await call(proposeChange, { body: { ...body, reason: reason.trim() } as never })
      toast('Proposed; another person has to approve it')
      await refetch(staffChanges, staffCatalogue, staffOverview)
      onClose()
      navigate(`/staff/changes/${data.id}`)
    } catch (error) {
      refuse(error)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isOffline()) void (preview === undefined ? simulate() : propose())
  }
  return (
    <dialog {...bind} className={sheetClass('sm')} aria-labelledby={`${id}-t`}>
      <form onSubmit={submit}>
        <div className="px-4 pt-3 pb-4 grid gap-3.5">
          <h2 id={`${id}-t`} className="text-base font-semi tracking-head">
            {offer.title}
          </h2>
          {offer.fields.map((field) => (
            <FieldOf
              key={field.key}
              field={field}
              held={offer.current[field.key] ?? ''}
              value={typed[field.key] ?? ''}
              onChange={(text) => change(() => setTyped((before) => ({ ...before, [field.key]: text })))}
            />
          ))}
          {others.length > 0 && (
            <div>
              <label htmlFor={`${id}-a`} className="mb-1 block font-medium font-semi">
                Add to this proposal
              </label>
              <select id={`${id}-a`} className="control" value="" onChange={(event) => add(event.target.value)}>
                <option value="">Another value, decided together</option>
                {others.map(({ title }) => (
                  <option key={title} value={title}>
                    {title}
                  </option>
                ))}
              </select>
            </div>
          )}
          <label>
            <span className="mb-1 block font-medium font-semi">Effective from, UTC</span>
            <input
              type="datetime-local"
              className="control"
              value={start}
              aria-describedby={`${id}-s`}
              onChange={(event) => change(() => setStart(event.target.value.slice(0, 16)))}
            />
          </label>
          <p id={`${id}-s`} className="text-xs text-faint">
            If empty, it takes effect on approval.
          </p>
          {preview !== undefined && <PreviewOf preview={preview} />}
          {preview !== undefined && (offer.subject === 'nft' || offer.subject === 'popup') && (
            <Suspense fallback={null}>
              <AsMember offer={offer} typed={typed} />
            </Suspense>
          )}
          {preview !== undefined && (
            <label>
              <span className="mb-1 block font-medium font-semi">Reason</span>
              <input className="control" maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
            </label>
          )}
          <FormError text={errorText} />
          <Offline />
        </div>
        <div className={sheetFootClass}>
          <Button onClick={onClose}>Back</Button>
          {preview === undefined ? (
            <SendButton variant="primary" onClick={simulate}>
              See what it does
            </SendButton>
          ) : (
            <SendButton variant="primary" aria-disabled={preview.blocks.length > 0} onClick={propose}>
              Propose
            </SendButton>
          )}
        </div>
      </form>
    </dialog>
  )
}

const BLOCKS: Readonly<Record<string, string>> = {
  CONVERT_RATE_TOO_LOW: 'The convert rate must not be below the coin price, now and at every planned start.',
  NOT_COVERED: 'The pool and the commitment would not cover the promised rewards.',
  PRICE_STEP: 'A price may change by at most 5 % within 24 hours. Plan a larger change a day ahead: members see it once it is approved.',
  CHANGE_OUTDATED: 'An earlier planned proposal changes the same value.',
}

/** Shows effects, obstacles and competing proposals. */
export function PreviewOf({ preview }: { preview: Preview }) {
  const whoAddsValues = useWhoCan('change.values')
  return (
    <section aria-label="What it does" aria-live="polite">
      <h3 className="text-sm font-semi">{plain(preview.title)}</h3>
      <EffectList rows={preview.rows} />
      {preview.rows.length > 0 && <p className="text-xs text-faint mt-1">Calculated from {preview.basedOn}.</p>}
      <CoverageRows rows={preview.coverage} />
      {preview.maxGain !== undefined && (
        <p className="text-xs text-muted mt-1">
          A group of members can take out at most{' '}
          {preview.maxGain.perMonth === null ? 'any amount' : `${(Number(preview.maxGain.perMonth) / 1e8).toFixed(2)} %`} in 30 days.
        </p>
      )}
      {preview.maxGain?.warnings.map((warning) => (
        <Notice key={warning} role="alert" tone="warning" icon={null} className="mt-2">
          {plain(warning)}.
        </Notice>
      ))}
      {preview.overlaps.map((overlap) => (
        <Notice key={overlap.id} tone="warning" icon={null} className="mt-2">
          <span>
            {overlap.status === 'PLANNED' ? 'Planned' : 'Proposed'} for the same value by {plain(overlap.by.name)}: {plain(overlap.title)}.
            Only one of them can take effect.
          </span>
        </Notice>
      ))}
      {preview.blocks.map((code) => (
        <Notice key={code} role="alert" tone="danger" icon={null} className="mt-2">
          {BLOCKS[code] ?? preview.blockText ?? 'It could not take effect with the current values.'}
          {code === 'CONVERT_RATE_TOO_LOW' && ` ${whoAddsValues} add the convert rate to this proposal.`}
        </Notice>
      ))}
    </section>
  )
}
