import type { MemberProfile } from '@tizara/contract/members'
import Star from 'lucide-react/icons/star'
import { formatDate } from '../lib/format.ts'
import { Avatar } from '../ui/art/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DescriptionList, type DescriptionRow } from '../ui/description-list.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useProfile } from './profile.queries.ts'

/** `/profile` (RT-50, UI-PROFILE-01 to UI-PROFILE-06): read only, as no call changes a profile. */
export default function ProfileScreen() {
  const { data: member, isError } = useProfile()
  return (
    <>
      <PageHeader title="Profile" subtitle="Who you are here, and the code that others join with." />
      {member === undefined ? <Waiting failed={isError} /> : <Person member={member} />}
    </>
  )
}

function Waiting({ failed }: { failed: boolean }) {
  if (failed) return <p className="text-muted">The profile could not be read. Reload the page to try again.</p>
  return <Skeleton className="h-80 w-full max-w-2xl rounded-xl" />
}

function Person({ member }: { member: MemberProfile }) {
  return (
    <Card className="max-w-2xl">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3 border-b pb-5">
        <Avatar name={member.name} src={member.profileImage} size={72} />
        <div className="min-w-0">
          <h2 className="truncate text-xl font-strong tracking-head">{member.name}</h2>
          <div className="mt-2 flex flex-wrap gap-1.5">
            <Badge tone={member.isActive ? 'success' : 'neutral'}>{member.isActive ? 'ACTIVE' : 'INACTIVE'}</Badge>
            {member.rank ? <Badge icon={<Star aria-hidden="true" />}>{member.rank.toUpperCase()}</Badge> : null}
            {member.isSpecialRcm === true && (
              <Badge tone="accent" plain>
                Special Member
              </Badge>
            )}
          </div>
        </div>
      </div>
      <DescriptionList className="mt-1" rows={rowsOf(member)} />
    </Card>
  )
}

/** What the server sends; what it leaves out has no line. */
function rowsOf(member: MemberProfile): ReadonlyArray<DescriptionRow | false> {
  return [
    member.email !== undefined && { key: 'email', label: 'Email', value: <span className="break-all">{member.email}</span> },
    member.phone !== undefined && { key: 'phone', label: 'Phone', value: member.phone },
    member.createdAt !== undefined && { key: 'joined', label: 'Joined', value: formatDate(member.createdAt) },
    {
      key: 'code',
      label: 'Referral code',
      value: (
        <span className="inline-flex items-center gap-2">
          <span className="font-mono">{member.myReferralCode}</span>
          <CopyButton iconOnly text={member.myReferralCode} label="Copy referral code" />
        </span>
      ),
    },
    { key: 'referrals', label: 'Referrals', value: (member.referralCount ?? 0).toLocaleString('en-US') },
  ]
}
