import { lazy, Suspense } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { WhenNear } from '../lib/when-near.tsx'
import { useProfile } from '../members/index.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { COPIED_MS, dashboardMessages as text } from './dashboard.messages.ts'

const QrCode = lazy(async () => ({ default: (await import('../ui/qr-code.tsx')).QrCode }))

/** Size of the code with its frame, so that nothing moves when it arrives. */
const QR_PLACE = 'size-[138px]'
const QR_BLANK = <Skeleton className={`${QR_PLACE} rounded-xl`} />

/** The member's referral link with a copy button and a code to scan (UI-DASH-42 to UI-DASH-46). */
export function InvitePanel() {
  const { data: member } = useProfile()
  const link = member && `${location.origin}/auth/signup?referralCode=${encodeURIComponent(member.myReferralCode)}`
  return (
    <section aria-labelledby="invite-heading">
      <h2 id="invite-heading" className="mb-3 text-md font-strong tracking-head">
        Invite
      </h2>
      <Card className="flex flex-col gap-5 sm:flex-row sm:items-center">
        <WhenNear className={`${QR_PLACE} shrink-0 max-sm:mx-auto`} fallback={QR_BLANK}>
          {link === undefined ? (
            QR_BLANK
          ) : (
            <Suspense fallback={QR_BLANK}>
              <QrCode text={link} size={112} label="QR code of your referral link" />
            </Suspense>
          )}
        </WhenNear>
        <div className="min-w-0 flex-1">
          <Field label="Your referral link" hint="Whoever signs up with it joins your team.">
            <div className="flex gap-2">
              <Input
                readOnly
                mono
                value={link ?? ''}
                className="min-w-0 truncate text-sm"
                aria-label="Your referral link"
                onFocus={(event) => event.target.select()}
              />
              <Button
                disabled={link === undefined}
                onClick={() =>
                  link === undefined ? undefined : copyText(link, { copied: text.copied, failed: text.copyFailed, ms: COPIED_MS })
                }
              >
                Copy
              </Button>
            </div>
          </Field>
        </div>
      </Card>
    </section>
  )
}
