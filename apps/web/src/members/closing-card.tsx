import { CLOSING_DAYS, closeAccount, closingObstacles } from '@tizara/contract/account-closing'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { read } from '../lib/query.ts'
import { logOut } from '../lib/session-calls.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast-store.ts'
import { ProofForm } from './proof-form.tsx'

export interface ClosingCardProps {
  /** True if the member proves with the authenticator app. */
  withApp: boolean
}

/** Closes the account, or lists what must be settled first. */
export default function ClosingCard({ withApp }: ClosingCardProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card>
      <CardHeader title="Close your account" hint={`It is closed after ${CLOSING_DAYS} days. Until then, signing in keeps it open.`} />
      <Button onClick={() => setOpen(true)}>Close my account</Button>
      {isOpen && <ClosingDialog withApp={withApp} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function ClosingDialog({ withApp, onClose }: ClosingCardProps & { onClose: () => void }) {
  const { data, isError } = useQuery({ ...read(closingObstacles), staleTime: 0 })
  return (
    <Dialog open title="Close my account" onClose={onClose}>
      {isError ? (
        <Notice tone="danger">This could not be loaded. Please try again later.</Notice>
      ) : data === undefined ? (
        <SkeletonText lines={4} />
      ) : data.obstacles.length > 0 ? (
        <div className="space-y-3">
          <p>Please settle this first:</p>
          <ul className="list-disc space-y-1 pl-5">
            {data.obstacles.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      ) : (
        <ProofForm
          withApp={withApp}
          submit="Close my account"
          variant="danger"
          onProof={async (proof) => {
            await call(closeAccount, { body: proof })
            toast(`Your account will be closed. Sign in within ${CLOSING_DAYS} days to keep it.`, { tone: 'info', ms: 8000 })
            logOut()
          }}
        >
          <div className="space-y-2 text-muted">
            <p>All your devices are signed out now. The account then earns no rewards, and nobody can send you money.</p>
            <p>
              After {CLOSING_DAYS} days nobody can sign in any more, and we erase your personal data. The records of your payments stay,
              without your name. Download a copy first if you need one.
            </p>
          </div>
        </ProofForm>
      )}
    </Dialog>
  )
}
