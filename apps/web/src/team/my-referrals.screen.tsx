import { myTeam, type teamMember } from '@tizara/contract/members'
import { t, texts } from '@tizara/languages'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { PagedList } from '../lib/lists/paged-list.tsx'

/** LS-11, LS-12. */
const columns = texts<readonly ListColumn<InferOutput<typeof teamMember>>[]>('header', [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  { key: 'name', header: 'Name', phone: 'title', value: (row) => row.name },
  {
    key: 'email',
    header: 'Email',
    phone: 'second',
    value: (row) => row.email,
    cell: (row) => <span className="break-all">{row.email}</span>,
  },
  { key: 'code', header: 'Refer-Code', value: (row) => row.myReferralCode },
  { key: 'joined', header: 'Join date', phone: 'state', value: (row) => row.updatedAt },
])

/** `/my-referrals` (LS-11). */
export default function MyReferralsScreen() {
  return (
    <PagedList
      title={t('My Referrals')}
      subtitle={t('People who signed up with your referral code.')}
      list={myTeam}
      columns={columns}
      emptyHint={t('People appear here when they sign up with your referral link.')}
      emptyAction={{ href: '/dashboard', label: t('Copy my link') }}
    />
  )
}
