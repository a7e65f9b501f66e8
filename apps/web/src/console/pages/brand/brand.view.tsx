import { staffCatalogue } from '@tizara/contract/staff-changes'
import { brandLinks, LOGO_MAX_BYTES, uploadLogo } from '@tizara/contract/staff-brand'
import { type BrandValue, brandValue } from '@tizara/contract/staff-values'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import * as v from 'valibot'
import { call } from '../../../lib/http/api.ts'
import { Button } from '../../../ui/button.tsx'
import { FileInput } from '../../../ui/file-input.tsx'
import { errorTextOf } from '../../kit/error-text.ts'
import { FormError } from '../../kit/form-error.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { isOffline } from '../../kit/offline.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { watch } from '../../kit/watch.ts'
import { Pending, Since } from '../catalogue/pending.tsx'
import { BrandPreview } from './brand-preview.tsx'

// Loads the preview of the effect only for a draft.
const ProposeValue = lazy(async () => ({ default: (await import('../catalogue/propose-value.tsx')).ProposeValue }))

/** Example of the colour field. */
const SAMPLE_ACCENT = '#1a73e8'

/** `/staff/brand`: name, logo, accent colour, sender and links of the platform, with a draft and its preview. */
export default function BrandView() {
  const catalogue = useQuery(watch(staffCatalogue, {}))
  const [draft, setDraft] = useState<BrandValue>()
  const mayPropose = useMay('change.brand')
  const whoProposes = useWhoCan('change.brand')
  const brand = catalogue.data?.brand
  const decisions = catalogue.data?.decisions?.['brand']
  return (
    <Page
      title="Brand"
      hint="Name and look of all pages, mails and PDFs that members see."
      right={
        brand !== undefined &&
        draft === undefined && (
          <Button aria-disabled={!mayPropose} title={mayPropose ? undefined : whoProposes} onClick={() => mayPropose && setDraft(brand)}>
            Draft a new brand
          </Button>
        )
      }
    >
      <Panel title="In force" hint={<Since of={[decisions]} />}>
        <div className="px-4 pb-4">
          <ListState query={catalogue} rows={brand === undefined ? 0 : 1} none="No brand" />
          {brand !== undefined && <BrandPreview brand={brand} />}
          <Pending of={decisions} />
        </div>
      </Panel>
      {draft !== undefined && (
        <Panel
          title="Draft"
          className="mt-3"
          hint="Only you see it until you propose it."
          right={
            <Button size="sm" onClick={() => setDraft(undefined)}>
              Discard
            </Button>
          }
        >
          <Draft brand={draft} onChange={setDraft} />
          <Suspense fallback={null}>
            <ProposeValue
              change={{ subject: 'brand', value: draft }}
              verbs={['See what it does', 'Propose this brand']}
              faultOf={() => faultOf(draft)}
              onProposed={() => setDraft(undefined)}
            />
          </Suspense>
        </Panel>
      )}
    </Page>
  )
}

const LABELS = {
  name: 'Name',
  senderName: 'Sender of mails',
  accent: 'Accent colour',
  terms: 'Terms',
  privacy: 'Privacy',
  imprint: 'Imprint',
  support: 'Help',
} as const
type TextKey = keyof typeof LABELS

/** Repeats the server's checks for early feedback. */
function faultOf(brand: BrandValue): string | undefined {
  const read = v.safeParse(brandValue, brand)
  if (read.success) return undefined
  const [issue] = read.issues
  const key = v.getDotPath(issue) ?? ''
  return `${LABELS[key as TextKey] ?? key}: ${issue.message}`
}

const isColour = (text: string | null): text is string => text !== null && /^#[0-9a-f]{6}$/.test(text)

function Draft({ brand, onChange }: { brand: BrandValue; onChange: (brand: BrandValue) => void }) {
  const field = (key: TextKey, hint: string, length: number) => (
    <TextField
      label={LABELS[key]}
      hint={hint}
      maxLength={length}
      value={brand[key] ?? ''}
      onChange={(text) => onChange({ ...brand, [key]: key === 'name' ? text : text.trim() === '' ? null : text })}
    />
  )
  return (
    <div className="grid gap-3.5 px-4 pt-3.5">
      <div className="grid items-start gap-3.5 sm:grid-cols-2">
        {field('name', 'At the top of pages, mails and PDFs, and in authenticator apps.', 40)}
        {field('senderName', 'If empty, mails come from the name.', 60)}
        <LogoField label="Logo" hash={brand.logo} onChange={(logo) => onChange({ ...brand, logo })} />
        <LogoField label="Logo, dark theme" hash={brand.logoDark} onChange={(logoDark) => onChange({ ...brand, logoDark })} />
        <div className="flex items-start gap-2.5">
          <div className="flex-1">{field('accent', `Such as ${SAMPLE_ACCENT}. If empty, the colours of the product are used.`, 7)}</div>
          <input
            type="color"
            aria-label="Choose the accent colour"
            className="mt-[23px] h-(--control-height) w-12 rounded-md border bg-surface p-1"
            value={isColour(brand.accent) ? brand.accent : SAMPLE_ACCENT}
            onChange={(event) => onChange({ ...brand, accent: event.target.value })}
          />
        </div>
      </div>
      <fieldset className="grid items-start gap-3.5 sm:grid-cols-2">
        <legend className="mb-2 font-semi">Links below pages and mails</legend>
        {brandLinks.map(([key]) => (
          <div key={key}>{field(key, 'An address that starts with https://. If empty, no link.', 300)}</div>
        ))}
      </fieldset>
      <BrandPreview brand={{ ...brand, accent: isColour(brand.accent) ? brand.accent : null }} />
    </div>
  )
}

interface TextFieldProps {
  label: string
  hint: string
  maxLength: number
  value: string
  onChange: (text: string) => void
}

function TextField({ label, hint, maxLength, value, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={hint}>
      <input
        id={id}
        className="control"
        maxLength={maxLength}
        value={value}
        aria-describedby={`${id}-h`}
        onChange={(event) => onChange(event.target.value)}
      />
    </Labelled>
  )
}

const Labelled = ({ id, label, hint, children }: { id: string; label: string; hint: string; children: ReactNode }) => (
  <div className="min-w-0">
    <label htmlFor={id} className="mb-1 block font-semi">
      {label}
    </label>
    {children}
    <p id={`${id}-h`} className="mt-1 text-xs text-faint">
      {hint}
    </p>
  </div>
)

/** Uploads a logo as soon as it is chosen. The draft then names it by its hash. */
function LogoField({ label, hash, onChange }: { label: string; hash: string | null; onChange: (hash: string | null) => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [errorText, setErrorText] = useState<string>()
  async function choose(next: File | null): Promise<void> {
    setErrorText(undefined)
    if (next === null || isOffline()) {
      setFile(null)
      return onChange(null)
    }
    try {
      const { data } = await call(uploadLogo, { body: {}, file: next })
      setFile(next)
      onChange(data.hash)
    } catch (error) {
      setFile(null)
      setErrorText(errorTextOf(error))
    }
  }
  return (
    <div className="min-w-0">
      <p className="mb-1 font-semi">{label}</p>
      <FileInput
        label={label}
        accept="image/svg+xml,image/png"
        value={file}
        prompt={hash === null ? 'Choose a square SVG or PNG' : 'Replace the uploaded logo'}
        clearLabel={`Remove ${label.toLowerCase()}`}
        onChange={(next) => void choose(next)}
      />
      {hash !== null && file === null && (
        <Button size="sm" className="mt-1.5" onClick={() => onChange(null)}>
          Use no logo<span className="sr-only"> for {label}</span>
        </Button>
      )}
      <p className="mt-1 text-xs text-faint">
        At most {LOGO_MAX_BYTES / 1000} kB. Favicon and app icons are made from it. {label === 'Logo' ? '' : 'If empty, it is the same.'}
      </p>
      <FormError text={errorText} />
    </div>
  )
}
