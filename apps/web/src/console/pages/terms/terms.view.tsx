import { staffCatalogue } from '@tizara/contract/staff-changes'
import { staffTermsOfUse } from '@tizara/contract/staff-terms-of-use'
import { TERMS_MAX_LENGTH, type TermsOfUseValue, termsOfUseValue } from '@tizara/contract/staff-values'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import * as v from 'valibot'
import { Button } from '../../../ui/button.tsx'
import { Table } from '../../../ui/table.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { brief } from '../../kit/when.ts'
import { Pending } from '../catalogue/pending.tsx'

// Loads the preview of the effect only for a draft.
const ProposeValue = lazy(async () => ({ default: (await import('../catalogue/propose-value.tsx')).ProposeValue }))

/** `/staff/terms`: the terms of use in force, their versions, and a draft of the next one. */
export default function TermsView() {
  const terms = useQuery(watch(staffTermsOfUse, {}))
  const catalogue = useQuery(watch(staffCatalogue, {}))
  const [draft, setDraft] = useState<TermsOfUseValue>()
  const mayPropose = useMay('change.terms-of-use')
  const whoProposes = useWhoCan('change.terms-of-use')
  const current = terms.data?.current ?? undefined
  const text = current?.text ?? undefined
  const link = current?.link ?? undefined
  const versions = terms.data?.versions ?? []
  return (
    <Page
      title="Terms of use"
      hint="Members accept each version before they buy, trade or send money. They can always read everything and withdraw their money."
      right={
        terms.data !== undefined &&
        draft === undefined && (
          <Button
            aria-disabled={!mayPropose}
            title={mayPropose ? undefined : whoProposes}
            onClick={() => mayPropose && setDraft(current ?? { text: '', link: null })}
          >
            Draft a new version
          </Button>
        )
      }
    >
      {draft !== undefined && (
        <Panel
          title="Draft"
          className="mb-3"
          hint="Only you see it until you propose it."
          right={
            <Button size="sm" onClick={() => setDraft(undefined)}>
              Discard
            </Button>
          }
        >
          <Draft terms={draft} onChange={setDraft} />
          <Suspense fallback={null}>
            <ProposeValue
              change={{ subject: 'terms-of-use', value: draft }}
              verbs={['See what it does', 'Propose this version']}
              faultOf={() => faultOf(draft)}
              onProposed={() => setDraft(undefined)}
            />
          </Suspense>
        </Panel>
      )}
      <Panel title="In force">
        <div className="px-4 pb-4">
          <ListState query={terms} rows={current === undefined ? 0 : 1} none="No terms of use yet. Members are not asked for any." />
          {text !== undefined && (
            <div dir="auto" className="wrap-anywhere whitespace-pre-line">
              {plain(text)}
            </div>
          )}
          {link !== undefined && <p className="font-mono text-xs wrap-anywhere">{plain(link)}</p>}
          <Pending of={catalogue.data?.decisions?.['terms-of-use']} />
        </div>
      </Panel>
      {versions.length > 0 && (
        <Panel title="Versions" hint="The 50 newest." className="mt-3">
          <Table folds>
            <thead>
              <tr>
                {['Version', 'State', 'Start, UTC', 'Kind', 'SHA-256'].map((head) => (
                  <th key={head}>{head}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {versions.map((row) => (
                <tr key={row.version}>
                  <th scope="row">{row.version}</th>
                  <td data-label="State">{row.state}</td>
                  <td data-label="Start, UTC">{brief(row.startsAt)}</td>
                  <td data-label="Kind" className="wrap-anywhere">
                    {row.link === null ? 'Text' : plain(row.link)}
                  </td>
                  <td data-label="SHA-256" className="font-mono text-xs wrap-anywhere">
                    {row.hash}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Panel>
      )}
    </Page>
  )
}

/** Repeats the server's checks for early feedback. */
function faultOf(terms: TermsOfUseValue): string | undefined {
  const read = v.safeParse(termsOfUseValue, terms)
  return read.success ? undefined : read.issues[0].message
}

function Draft({ terms: { text, link }, onChange }: { terms: TermsOfUseValue; onChange: (terms: TermsOfUseValue) => void }) {
  const isLink = link !== null
  return (
    <div className="grid gap-3.5 px-4 pt-3.5">
      <fieldset className="flex flex-wrap gap-x-4">
        <legend className="mb-1 font-semi">Kind</legend>
        <label className="flex min-h-9 items-center gap-2">
          <input type="radio" name="kind" checked={!isLink} onChange={() => onChange({ text: '', link: null })} />
          Text
        </label>
        <label className="flex min-h-9 items-center gap-2">
          <input type="radio" name="kind" checked={isLink} onChange={() => onChange({ text: null, link: '' })} />
          Link to a page
        </label>
      </fieldset>
      {isLink ? (
        <label>
          <span className="mb-1 block font-semi">Link</span>
          <input
            className="control"
            maxLength={300}
            value={link}
            onChange={(event) => onChange({ text: null, link: event.target.value })}
          />
          <span className="block text-xs text-faint">
            An address that starts with https://. The platform keeps the hash of the address, so give each version its own.
          </span>
        </label>
      ) : (
        <label>
          <span className="mb-1 block font-semi">Text</span>
          <textarea
            className="control field-sizing-content max-h-[60dvh] min-h-40"
            maxLength={TERMS_MAX_LENGTH}
            value={text ?? ''}
            onChange={(event) => onChange({ text: event.target.value, link: null })}
          />
          <span className="block text-xs text-faint">
            At most {TERMS_MAX_LENGTH.toLocaleString('en-US')} characters. Line breaks are kept; there is no other formatting.
          </span>
        </label>
      )}
    </div>
  )
}
