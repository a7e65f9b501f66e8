import { countRecoveryCodes } from '@tizara/contract/auth'
import { listPasskeys } from '@tizara/contract/passkeys'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import { lazy, Suspense, useState } from 'react'
import { read } from '../../lib/http/query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { T } from '../../ui/t.tsx'

const RecoveryCodesDialog = lazy(() => import('./recovery-codes.dialog.tsx'))
/** From this number on, the card warns. */
const WARN_AT = 3

/** Unused recovery codes of the authenticator app, and their renewal. */
export default function RecoveryCodesCard({ className }: { className?: string }) {
  const { data } = useQuery(read(countRecoveryCodes))
  const { data: passkeys = [] } = useQuery(read(listPasskeys))
  const [isOpen, setOpen] = useState(false)
  return (
    <Card className={className}>
      <CardHeader
        title={t('Recovery codes')}
        hint={t('Each signs you in once, in place of a code of your authenticator app.')}
        badge={
          data !== undefined && (
            <Badge tone={data.unused > WARN_AT ? 'neutral' : 'warning'}>
              <T text="{unused} unused" unused={data.unused} />
            </Badge>
          )
        }
        action={
          <Button size="sm" onClick={() => setOpen(true)}>
            {t('Renew')}
          </Button>
        }
        className="mb-0!"
      />
      {isOpen && (
        <Suspense fallback={null}>
          <RecoveryCodesDialog withPasskey={passkeys.length > 0} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  )
}
