import { UNREAD_MAX, unreadNotices } from '@tizara/contract/notices-unread'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import BellIcon from 'lucide-react/icons/bell'
import { Link } from 'wouter'
import { read } from '../../lib/http/query.ts'
import { useProfile } from '../../members/index.ts'

/** Link to the inbox with the number of unread notifications, which the change stream keeps current. */
export function Bell() {
  const { data: member } = useProfile()
  // Another back end has no inbox; its profile also lacks the second-factor state.
  const hasInbox = member?.secondFactor !== undefined
  const { data } = useQuery({ ...read(unreadNotices), enabled: hasInbox && member.isVerified })
  if (!hasInbox) return null
  const count = data?.count ?? 0
  const shown = count >= UNREAD_MAX ? `${UNREAD_MAX - 1}+` : String(count)
  const label = count === 0 ? t('Inbox') : t('Inbox, {shown} unread', { shown })
  return (
    <Link
      href="/inbox"
      aria-label={label}
      title={label}
      className="relative inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted transition-colors hover:bg-hover hover:text-ink *:[svg]:size-[18px]"
    >
      <BellIcon aria-hidden="true" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0 end-0 min-w-4 rounded-full bg-accent px-1 text-center text-[0.625rem]/4 font-strong text-on-accent"
        >
          {shown}
        </span>
      )}
    </Link>
  )
}
