import { t } from '@tizara/languages'
import QrCodeIcon from 'lucide-react/icons/qr-code'
import { lazy, Suspense, useState } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { useProfile } from '../members/index.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { COPIED_MS, dashboardMessages as text } from './dashboard.messages.ts'

const QrCode = lazy(async () => ({ default: (await import('../ui/qr-code.tsx')).QrCode }))

/** Placeholder as large as the framed QR code, so that nothing moves. */
const QR_BLANK = <Skeleton className="size-[138px] rounded-xl" />

/** Shows the referral link with copy button and QR code (§1, UI-DASH-42 to UI-DASH-46). */
export function InvitePanel() {
  const { data: member } = useProfile()
  const [scan, setScan] = useState(false)
  const link = member && `${location.origin}/auth/signup?referralCode=${encodeURIComponent(member.myReferralCode)}`
  return (
    <section aria-label={t('Invite')}>
      <Card padding="sm">
        <Field
          label={t('Your referral link')}
          aside={<span className="max-sm:hidden">{t('People who sign up with this link join your team.')}</span>}
        >
          <div className="flex items-center gap-2">
            <Input
              readOnly
              mono
              value={link ?? ''}
              className="min-w-0 flex-1 truncate text-sm"
              aria-label={t('Your referral link')}
              onFocus={(event) => event.target.select()}
            />
            <Button
              disabled={link === undefined}
              onClick={() =>
                link === undefined ? undefined : copyText(link, { copied: text.copied, failed: text.copyFailed, ms: COPIED_MS })
              }
            >
              {t('Copy')}
            </Button>
            <IconButton label={t('QR code')} aria-expanded={scan} disabled={link === undefined} onClick={() => setScan(!scan)}>
              <QrCodeIcon aria-hidden="true" />
            </IconButton>
          </div>
        </Field>
        {scan && link !== undefined && (
          <div className="mt-4 flex justify-center">
            <Suspense fallback={QR_BLANK}>
              <QrCode text={link} size={112} label={t('QR code of your referral link')} />
            </Suspense>
          </div>
        )}
      </Card>
    </section>
  )
}
