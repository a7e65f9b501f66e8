import { t } from '@tizara/languages'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { SecondFactorDialog } from './lazy-second-factor.ts'

/** Shows and switches the authenticator requirement at sign-in. */
export function SecondFactorCard({ on, className }: { on: boolean; className?: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Card className={className}>
      <CardHeader
        title={t('Authenticator app')}
        hint={t('Adds a code from your phone every time you sign in.')}
        badge={<Badge tone={on ? 'success' : 'neutral'}>{on ? t('On') : t('Off')}</Badge>}
        action={
          <Button size="sm" onClick={() => setOpen(true)}>
            {on ? t('Switch off') : t('Set up')}
          </Button>
        }
        className="mb-0!"
      />
      {open && <SecondFactorDialog on={on} onClose={() => setOpen(false)} />}
    </Card>
  )
}
