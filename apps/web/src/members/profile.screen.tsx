import type { MemberProfile } from '@tizara/contract/members'
import { t } from '@tizara/languages'
import Star from 'lucide-react/icons/star'
import { lazy, type ReactNode, Suspense } from 'react'
import { Moment } from '../lib/moment.tsx'
import { Avatar } from '../ui/art/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton, SkeletonText } from '../ui/skeleton.tsx'
import { PasswordCard } from './security/password-card.tsx'
import { useProfile } from './profile.queries.ts'
import { SecondFactorCard } from './security/second-factor-card.tsx'
import { SessionsCard } from './security/sessions-card.tsx'

const AddressBookCard = lazy(() => import('./addresses/address-book-card.tsx'))
const ApiKeysCard = lazy(() => import('./security/api-keys-card.tsx'))
const ClosingCard = lazy(() => import('./closing-card.tsx'))
const StatementCard = lazy(() => import('./statement-card.tsx'))
const ContactRows = lazy(() => import('./contact-rows.tsx'))
const LanguageCard = lazy(() => import('./language-card.tsx'))
const NoticesCard = lazy(() => import('./notices-card.tsx'))
const PayeesCard = lazy(() => import('./addresses/payees-card.tsx'))
const OwnDataCard = lazy(() => import('./own-data-card.tsx'))
const PasskeysCard = lazy(() => import('./security/passkeys-card.tsx'))
const RecoveryCodesCard = lazy(() => import('./security/recovery-codes-card.tsx'))
const StaffActionsCard = lazy(() => import('./staff-actions-card.tsx'))

/** `/profile` (RT-50, UI-PROFILE rows), grouped by subject. */
export default function ProfileScreen() {
  const { data: member, isError } = useProfile()
  // Another back end may lack these calls and the second-factor state.
  const hasOwnCalls = member?.secondFactor !== undefined
  return (
    <>
      <PageHeader title={t('Profile')} />
      {member === undefined && !isError && (
        // The cards appear together, so that none pushes another down.
        <div className="grid gap-4 lg:grid-cols-2">
          <CardSkeleton className="h-[50rem]" />
          <CardSkeleton className="h-[50rem]" />
        </div>
      )}
      {member !== undefined && (
        <div className="space-y-8">
          <Group title={t('You')}>
            <Person member={member} />
            {hasOwnCalls && (
              <Card>
                <CardHeader title={t('Contact')} hint={t('A new phone number or email address needs a proof.')} />
                <Suspense fallback={<SkeletonText lines={10} />}>
                  <ContactRows member={member} />
                </Suspense>
              </Card>
            )}
            {hasOwnCalls && (
              <Suspense fallback={<Skeleton className="h-[138px] w-full rounded-xl" />}>
                <LanguageCard />
              </Suspense>
            )}
          </Group>
          <Group title={t('Security')}>
            {hasOwnCalls && (
              <>
                <PasswordCard />
                <SessionsCard />
                <SecondFactorCard on={member.secondFactor === true} />
              </>
            )}
            <Suspense fallback={<CardSkeleton />}>
              {member?.secondFactor === true && <RecoveryCodesCard />}
              {hasOwnCalls && <PasskeysCard withApp={member.secondFactor === true} />}
            </Suspense>
            {!hasOwnCalls && <SessionsCard className="lg:col-span-2" />}
            {hasOwnCalls && (
              <Suspense fallback={<Skeleton className="h-[138px] w-full rounded-xl lg:col-span-2" />}>
                <StaffActionsCard className="lg:col-span-2" />
              </Suspense>
            )}
          </Group>
          <Group title={t('Withdrawals')}>
            <Suspense fallback={<CardSkeleton className="lg:col-span-2" />}>
              <AddressBookCard className="lg:col-span-2" />
            </Suspense>
            <Suspense fallback={null}>
              <PayeesCard className="lg:col-span-2" />
            </Suspense>
          </Group>
          {hasOwnCalls && (
            <Suspense fallback={null}>
              <Group title={t('Notifications')}>
                <NoticesCard className="lg:col-span-2" />
              </Group>
              <Group title={t('Statements')}>
                <StatementCard className="lg:col-span-2" />
              </Group>
              <Group title={t('Your data')}>
                <ApiKeysCard withApp={member.secondFactor === true} className="lg:col-span-2" />
                <OwnDataCard withApp={member.secondFactor === true} />
                <ClosingCard withApp={member.secondFactor === true} />
              </Group>
            </Suspense>
          )}
        </div>
      )}
    </>
  )
}

/** Cards of one subject, in two columns on wide screens. */
function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-3 text-lg font-strong tracking-head">{title}</h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">{children}</div>
    </section>
  )
}

function Person({ member }: { member: MemberProfile }) {
  const { rank } = member
  return (
    <Card>
      <div className="mb-4 flex flex-wrap items-center gap-4">
        <Avatar name={member.name} src={member.profileImage} size={64} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-lg font-strong tracking-head">{member.name}</h2>
          {member.email !== undefined && <p className="truncate text-muted">{member.email}</p>}
          <div className="mt-2 flex flex-wrap gap-1.5">
            {!member.status && <Badge tone="danger">{t('Blocked')}</Badge>}
            <Badge tone={member.isActive ? 'success' : 'neutral'}>{member.isActive ? t('ACTIVE') : t('INACTIVE')}</Badge>
            {rank ? <Badge icon={<Star aria-hidden="true" />}>{rank.toUpperCase()}</Badge> : null}
            {member.isSpecialRcm && (
              <Badge tone="accent" plain>
                {t('Special Member')}
              </Badge>
            )}
          </div>
        </div>
      </div>
      <DescriptionList
        rows={[
          member.phone !== undefined && { label: t('Phone'), value: <span dir="ltr">{member.phone}</span> },
          {
            label: t('Referral Code'),
            value: (
              <span className="inline-flex items-center gap-2">
                <span className="font-mono">{member.myReferralCode}</span>
                <CopyButton text={member.myReferralCode} label={t('Copy referral code')} iconOnly />
              </span>
            ),
          },
          { label: t('My Team'), value: (member.referralCount ?? 0).toLocaleString('en-US') },
          member.createdAt !== undefined && { label: t('Member since'), value: <Moment at={member.createdAt} /> },
        ]}
      />
    </Card>
  )
}

function CardSkeleton({ className }: { className?: string }) {
  return (
    <Card className={className} aria-busy="true">
      <CardHeader title={<Skeleton className="h-5 w-40" />} />
      <SkeletonText lines={5} />
    </Card>
  )
}
