import type { ReplyOf } from '@tizara/contract'
import type { termsOfUse } from '@tizara/contract/terms-of-use'
import { t } from '@tizara/languages'
import { formatUtc } from '../lib/format.ts'

export type Terms = NonNullable<ReplyOf<typeof termsOfUse>>

/** Text of the terms of use, or a link to the operator's page, with the version. */
export function TermsContent({ terms: { version, text, link, startsAt } }: { terms: Terms }) {
  return (
    <>
      <p className="mb-3 text-sm text-muted">{t('Version {version}, in force since {since}', { version, since: formatUtc(startsAt) })}</p>
      {text !== null && (
        <div dir="auto" className="wrap-anywhere whitespace-pre-line">
          {text}
        </div>
      )}
      {link !== null && (
        <p>
          <a className="link wrap-anywhere" href={link} target="_blank" rel="noopener noreferrer">
            <bdi>{link}</bdi>
          </a>
        </p>
      )}
    </>
  )
}
