import { listPasskeys } from '@tizara/contract/passkeys'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import KeyRound from 'lucide-react/icons/key-round'
import { lazy, Suspense, useState } from 'react'
import { Moment } from '../../lib/moment.tsx'
import { passkeysWork } from '../../lib/proofs/passkeys-work.ts'
import { read } from '../../lib/http/query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import type { PasskeyStep } from './passkeys.dialog.tsx'
import type { Passkey } from './passkeys.queries.ts'
import { T } from '../../ui/t.tsx'

const PasskeysDialog = lazy(() => import('./passkeys.dialog.tsx'))

/** The member's passkeys, an alternative to the authenticator code. */
export default function PasskeysCard({ withApp, className }: { withApp: boolean; className?: string }) {
  const { data: passkeys = [] } = useQuery({ ...read(listPasskeys), enabled: withApp })
  const [step, setStep] = useState<PasskeyStep>()
  return (
    <Card className={className}>
      <CardHeader
        title={t('Passkeys')}
        hint={
          withApp
            ? t('Your fingerprint, face or security key in place of the code, at sign-in and for payouts.')
            : t('Set up the authenticator app first. A passkey then replaces its code.')
        }
        action={
          withApp &&
          passkeysWork && (
            <Button size="sm" onClick={() => setStep({ add: true })}>
              {t('Add a passkey')}
            </Button>
          )
        }
        className={passkeys.length === 0 ? 'mb-0!' : undefined}
      />
      {withApp && !passkeysWork && <p className="text-sm text-muted">{t('This browser cannot make passkeys.')}</p>}
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
          <T text="Added {moment}" moment={<Moment at={createdAt} />} />
          {lastUsedAt === null ? t(', not used yet') : <T text=", last used {moment}" moment={<Moment at={lastUsedAt} time />} />}
        </p>
      </div>
      {synced && <Badge tone="neutral">{t('On several devices')}</Badge>}
      <Button size="sm" className="max-sm:ms-8.5" aria-label={t('Rename {name}', { name })} onClick={() => onStep({ rename: passkey })}>
        {t('Rename')}
      </Button>
      <Button size="sm" aria-label={t('Remove {name}', { name })} onClick={() => onStep({ remove: passkey })}>
        {t('Remove')}
      </Button>
    </li>
  )
}
