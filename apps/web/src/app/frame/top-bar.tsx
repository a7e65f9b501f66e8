import { t } from '@tizara/languages'
import ArrowDownUp from 'lucide-react/icons/arrow-down-up'
import ChartColumn from 'lucide-react/icons/chart-column'
import ChevronDown from 'lucide-react/icons/chevron-down'
import LogOut from 'lucide-react/icons/log-out'
import Menu from 'lucide-react/icons/menu'
import Sparkles from 'lucide-react/icons/sparkles'
import Star from 'lucide-react/icons/star'
import UserRound from 'lucide-react/icons/user-round'
import type { ReactNode } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { logOut } from '../../lib/http/session-calls.ts'
import { useProfile } from '../../members/index.ts'
import { Avatar } from '../../ui/art/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { type MenuItem, PopoverMenu } from '../../ui/popover-menu.tsx'
import { Bell } from './bell.tsx'
import { Brand } from './brand.tsx'
import { SandboxRibbon } from '../sandbox/sandbox-ribbon.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** Top bar: rank, special badge, inbox, theme, profile menu, and the sidebar button on small screens (UI-TOPBAR rows). */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  return (
    <header className="sticky top-0 z-20 flex h-(--header-h) items-center gap-2 border-b bg-bg px-3 sm:gap-3 sm:px-6">
      <IconButton label={t('Open menu')} className="lg:hidden" onClick={onMenu}>
        <Menu aria-hidden="true" />
      </IconButton>
      <Brand href="/dashboard" markOnly className="max-[430px]:hidden lg:hidden" />
      <SandboxRibbon />
      <div className="ms-auto flex min-w-0 items-center gap-1.5 sm:gap-2.5">
        <MemberBadges />
        <Bell />
        <ThemeSwitch />
        <ProfileMenu />
      </div>
    </header>
  )
}

function MemberBadges() {
  const { data: member } = useProfile()
  return (
    <>
      {member?.rank ? (
        <Badge icon={<Star aria-hidden="true" className="shrink-0 max-[430px]:hidden" />} className="min-w-0">
          <span className="truncate" dir="auto">
            {member.rank.toUpperCase()}
          </span>
        </Badge>
      ) : null}
      {member?.isSpecialRcm === true && (
        <Badge tone="accent" icon={<Sparkles aria-hidden="true" className="my-0.5 md:hidden" />}>
          <span className="max-md:sr-only">{t('Special Member')}</span>
        </Badge>
      )}
    </>
  )
}

/** Builds a menu item that opens a page without a reload; modified presses keep the browser's meaning. */
const linkItem = (label: string, href: string, icon: ReactNode): MenuItem => ({
  key: href,
  label,
  icon,
  href,
  onSelect: (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate(href)
  },
})

function ProfileMenu() {
  const { data: member } = useProfile()
  const name = member?.name ?? ''
  return (
    <PopoverMenu
      label={t('Profile menu')}
      triggerClass="flex items-center gap-1 rounded-full p-0.5 pe-1.5 text-faint hover:bg-hover"
      trigger={
        <>
          <Avatar name={name} src={member?.profileImage} size={32} />
          <ChevronDown size={15} aria-hidden="true" />
        </>
      }
      header={
        member && (
          <div className="max-w-60">
            <p className="truncate font-semi">{member.name}</p>
            {member.email !== undefined && <p className="truncate text-sm text-muted">{member.email}</p>}
            <div className="mt-1.5 flex flex-wrap gap-1 md:hidden">
              {member.rank ? <Badge icon={<Star aria-hidden="true" />}>{member.rank.toUpperCase()}</Badge> : null}
              {member.isSpecialRcm && (
                <Badge tone="accent" plain>
                  {t('Special Member')}
                </Badge>
              )}
            </div>
          </div>
        )
      }
      items={[
        linkItem(t('Profile'), '/profile', <UserRound aria-hidden="true" />),
        linkItem(t('Activity'), '/activity', <ArrowDownUp aria-hidden="true" />),
        linkItem(t('My earnings'), '/earnings', <ChartColumn aria-hidden="true" />),
        { key: 'log-out', label: t('Log Out'), icon: <LogOut aria-hidden="true" />, divider: true, onSelect: logOut },
      ]}
    />
  )
}
