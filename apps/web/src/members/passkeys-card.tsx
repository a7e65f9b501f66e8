import { listPasskeys } from '@tizara/contract/passkeys'
import { useQuery } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { lazy, Suspense, useState } from 'react'
import { Moment } from '../lib/moment.tsx'
import { passkeysWork } from '../lib/passkeys-work.ts'
import { read } from '../lib/query.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import type { PasskeyStep } from './passkeys.dialog.tsx'
import type { Passkey } from './passkeys.queries.ts'

const PasskeysDialog = lazy(() => import('./passkeys.dialog.tsx'))

/** The member's passkeys, an alternative to the authenticator code. */
export default function PasskeysCard({ withApp, className }: { withApp: boolean; className?: string }) {
  const { data: passkeys = [] } = useQuery({ ...read(listPasskeys), enabled: withApp })
  const [step, setStep] = useState<PasskeyStep>()
  return (
    <Card className={className}>
      <CardHeader
        title="Passkeys"
        hint={
          withApp
            ? 'Your fingerprint, face or security key in place of the code, at sign-in and for payouts.'
            : 'Set up the authenticator app first. A passkey then replaces its code.'
        }
        action={
          withApp &&
          passkeysWork && (
            <Button size="sm" onClick={() => setStep({ add: true })}>
              Add a passkey
            </Button>
          )
        }
        className={passkeys.length === 0 ? 'mb-0!' : undefined}
      />
      {withApp && !passkeysWork && <p className="text-sm text-muted">This browser cannot make passkeys.</p>}
      {passkeys.length > 0 && (
        <ul className="divide-y">
          {passkeys.map((one) => (
            <Line key={one.id} passkey={one} onStep={setStep} />
          ))}
        </ul>
      )}
      {step !== undefined && (
        <Suspense fallback={null}>
          <PasskeysDialog step={step} onClose={() => setStep(undefined)} />
        </Suspense>
      )}
    </Card>
  )
}

function Line({ passkey, onStep }: { passkey: Passkey; onStep: (step: PasskeyStep) => void }) {
  const { name, createdAt, lastUsedAt, synced } = passkey
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <KeyRound size={18} aria-hidden="true" className="text-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium break-words">{name}</p>
        <p className="text-sm text-muted">
          Added <Moment at={createdAt} />
          {lastUsedAt === null ? (
            ', not used yet'
          ) : (
            <>
              , last used <Moment at={lastUsedAt} time />
            </>
          )}
        </p>
      </div>
      {synced && <Badge tone="neutral">On several devices</Badge>}
      <Button size="sm" className="max-sm:ml-8.5" aria-label={`Rename ${name}`} onClick={() => onStep({ rename: passkey })}>
        Rename
      </Button>
      <Button size="sm" aria-label={`Remove ${name}`} onClick={() => onStep({ remove: passkey })}>
        Remove
      </Button>
    </li>
  )
}
