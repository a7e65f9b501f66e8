import { profile } from '@tizara/contract/members'
import { acceptTerms, termsOfUse } from '@tizara/contract/terms-of-use'
import { t } from '@tizara/languages'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, toApiError } from '../lib/http/api.ts'
import { read, refetch } from '../lib/http/query.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogFooter } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { TermsContent } from './terms-content.tsx'

/** Asks a signed-in member to accept the terms of use. It can be closed, because reading needs no acceptance. */
export default function TermsDialog() {
  const { data: terms } = useQuery(read(termsOfUse))
  const [open, setOpen] = useState(true)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  if (terms === undefined || terms === null) return null
  const { version, hash } = terms

  async function accept(): Promise<void> {
    setPending(true)
    setError(undefined)
    try {
      await call(acceptTerms, { body: { version, hash } })
      setOpen(false)
      await refetch(profile)
    } catch (thrown) {
      setError(toApiError(thrown).message)
      await refetch(termsOfUse)
    }
    setPending(false)
  }
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={t('Terms of use')}
      description={t('Please accept them before you move money. You can read everything and withdraw your money without accepting them.')}
    >
      {error !== undefined && (
        <Notice tone="danger" className="mb-3">
          {error}
        </Notice>
      )}
      <TermsContent terms={terms} />
      <DialogFooter>
        <Button onClick={() => setOpen(false)}>{t('Not now')}</Button>
        <Button variant="primary" pending={pending} onClick={() => void accept()}>
          {t('Accept')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
