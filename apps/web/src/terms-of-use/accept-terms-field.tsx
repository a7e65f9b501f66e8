import { termsOfUse } from '@tizara/contract/terms-of-use'
import { useEffect, useId, useState } from 'react'
import { call } from '../lib/http/api.ts'
import { metaContent } from '../lib/http/meta.ts'
import { T } from '../ui/t.tsx'
import type { Terms } from './terms-content.tsx'

/**
 * Reads the terms of use that a new member has to accept.
 * @returns `isAsked`: whether the form has the checkbox; `terms`: undefined until they have arrived, and if there are none
 */
export function useTermsToAccept(): { isAsked: boolean; terms: Terms | undefined } {
  const [terms, setTerms] = useState<Terms>()
  // The page server knows it before the first paint, so that the button does not move.
  const [isAsked, setAsked] = useState(() => metaContent('terms', 'off') === 'on')
  useEffect(() => {
    // A server without this call has no terms.
    void call(termsOfUse).then(
      ({ data }) => {
        setTerms(data ?? undefined)
        setAsked(data !== null)
      },
      () => undefined,
    )
  }, [])
  return { isAsked, terms }
}

interface AcceptTermsFieldProps {
  isAccepted: boolean
  error: string | undefined
  onChange: (isAccepted: boolean) => void
}

/** Checkbox of the sign-up form. The terms open in another tab, so that the form keeps its values. */
export function AcceptTermsField({ isAccepted, error, onChange }: AcceptTermsFieldProps) {
  const id = useId()
  return (
    <div>
      <label className="flex min-h-9 items-center gap-2">
        <input
          type="checkbox"
          name="terms"
          className="size-4 shrink-0 accent-accent"
          checked={isAccepted}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : id}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          <T
            text="I accept the <link>terms of use</link>"
            link={(content) => (
              <a className="link" href="/terms" target="_blank" rel="noopener">
                {content}
              </a>
            )}
          />
        </span>
      </label>
      {error !== undefined && (
        <p id={id} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
