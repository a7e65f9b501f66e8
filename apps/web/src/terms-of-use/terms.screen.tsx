import { profile } from '@tizara/contract/members'
import { acceptTerms, acceptTermsByLink, termsOfUse } from '@tizara/contract/terms-of-use'
import { t } from '@tizara/languages'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, toApiError } from '../lib/http/api.ts'
import { read, refetch } from '../lib/http/query.ts'
import { useProfile } from '../members/index.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { TermsContent } from './terms-content.tsx'

/** Returns the mailed link's token, or an empty text. It follows the #, so that no server or log receives it. */
const tokenOf = (hash: string): string => {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''))
  } catch {
    return ''
  }
}

/** `/terms`: the terms of use. Signed-in members and holders of a mailed link can accept them; only a button press has an effect. */
export default function TermsScreen() {
  const { data: terms, isError } = useQuery(read(termsOfUse))
  const { data: member } = useProfile()
  const [token] = useState(() => tokenOf(location.hash))
  const [state, setState] = useState<'ready' | 'running' | 'done'>('ready')
  const [error, setError] = useState<string>()
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])

  async function accept(body: { version: number; hash: string }): Promise<void> {
    setState('running')
    setError(undefined)
    try {
      await (token === '' ? call(acceptTerms, { body }) : call(acceptTermsByLink, { token, body }))
      setState('done')
      await refetch(profile)
    } catch (thrown) {
      setError(toApiError(thrown).message)
      setState('ready')
      await refetch(termsOfUse)
    }
  }
  return (
    <>
      <h1 className="text-3xl font-strong tracking-num">{t('Terms of use')}</h1>
      <div className="mt-7 space-y-5">
        {error !== undefined && <Notice tone="danger">{error}</Notice>}
        {terms === undefined &&
          (isError ? <Notice tone="warning">{t('An error occurred. Please try again.')}</Notice> : <Skeleton className="h-40 w-full" />)}
        {terms === null && <p className="text-muted">{t('There are no terms of use yet.')}</p>}
        {terms && <TermsContent terms={terms} />}
        {terms && state === 'done' && (
          <Notice tone="success" role="status">
            {t('You have accepted the terms of use.')}
          </Notice>
        )}
        {terms && state !== 'done' && (token !== '' || member?.termsDue !== undefined) && (
          <Button variant="primary" pending={state === 'running'} onClick={() => void accept({ version: terms.version, hash: terms.hash })}>
            {t('Accept')}
          </Button>
        )}
      </div>
    </>
  )
}
