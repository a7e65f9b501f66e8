import { CLOSING_DAYS, closeAccount, closingObstacles } from '@tizara/contract/account-closing'
import { translateResponse } from '@tizara/contract/response-texts'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../lib/http/api.ts'
import { read } from '../lib/http/query.ts'
import { logOut } from '../lib/http/session-calls.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast-store.ts'
import { ProofForm } from './security/proof-form.tsx'
import { T } from '../ui/t.tsx'

export interface ClosingCardProps {
  /** True if the member proves with the authenticator app. */
  withApp: boolean
}

/** Closes the account, or lists what must be settled first. */
export default function ClosingCard({ withApp }: ClosingCardProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card>
      <CardHeader
        title={t('Close your account')}
        hint={t('It is closed after {closingDays} days. Until then, signing in keeps it open.', { closingDays: CLOSING_DAYS })}
      />
      <Button onClick={() => setOpen(true)}>{t('Close my account')}</Button>
      {isOpen && <ClosingDialog withApp={withApp} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function ClosingDialog({ withApp, onClose }: ClosingCardProps & { onClose: () => void }) {
  const { data, isError } = useQuery({ ...read(closingObstacles), staleTime: 0 })
  return (
    <Dialog open title={t('Close my account')} onClose={onClose}>
      {isError ? (
        <Notice tone="danger">{t('This could not be loaded. Please try again later.')}</Notice>
      ) : data === undefined ? (
        <SkeletonText lines={4} />
      ) : data.obstacles.length > 0 ? (
        <div className="space-y-3">
          <p>{t('Please settle this first:')}</p>
          <ul className="list-disc space-y-1 ps-5">
            {data.obstacles.map((text) => (
              <li key={text}>{translateResponse(text, t)}</li>
            ))}
          </ul>
        </div>
      ) : (
        <ProofForm
          withApp={withApp}
          submit={t('Close my account')}
          variant="danger"
          onProof={async (proof) => {
            await call(closeAccount, { body: proof })
            toast(t('Your account will be closed. Sign in within {closingDays} days to keep it.', { closingDays: CLOSING_DAYS }), {
              tone: 'info',
              ms: 8000,
            })
            logOut()
          }}
        >
          <div className="space-y-2 text-muted">
            <p>{t('All your devices are signed out now. The account then earns no rewards, and nobody can send you money.')}</p>
            <p>
              <T
                text="After {closingDays} days nobody can sign in any more, and we erase your personal data. The records of your payments stay, without your name. Download a copy first if you need one."
                closingDays={CLOSING_DAYS}
              />
            </p>
          </div>
        </ProofForm>
      )}
    </Dialog>
  )
}
