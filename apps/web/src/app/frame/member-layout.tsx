import { t } from '@tizara/languages'
import PanelLeftClose from 'lucide-react/icons/panel-left-close'
import PanelLeftOpen from 'lucide-react/icons/panel-left-open'
import { lazy, type ReactNode, Suspense } from 'react'
import { useProfile } from '../../members/index.ts'
import { readStored, storageKeys } from '../../lib/http/storage.ts'
import { view } from '../../lib/view-as.ts'
import { cx } from '../../ui/cx.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Brand } from './brand.tsx'
import { OfflineNote } from './offline-note.tsx'
import { Queries } from '../query-provider.tsx'
import { PageSpinner } from '../page-spinner.tsx'
import { SidebarNav } from './sidebar-nav.tsx'
import { TopBar } from './top-bar.tsx'
import { useSidebarDrawer, useSidebarExpanded, useWideScreen } from './use-sidebar.ts'

const TermsDialog = lazy(() => import('../../terms-of-use/terms.dialog.tsx'))
const ViewBanner = lazy(() => import('./view-banner.tsx'))

/** Protected layout: top bar, sidebar and page (RT-03, UI-LAYOUT-01). */
export default function MemberLayout({ children }: { children: ReactNode }) {
  const wideScreen = useWideScreen()
  const [expanded, setExpanded] = useSidebarExpanded()
  const drawer = useSidebarDrawer()
  return (
    <Queries>
      <div
        className={cx(
          'min-h-dvh [--header-h:3.75rem] lg:grid',
          expanded ? 'lg:grid-cols-[15.5rem_minmax(0,1fr)]' : 'lg:grid-cols-[4.25rem_minmax(0,1fr)]',
        )}
      >
        <a href="#main" className="skip-link">
          {t('Skip to content')}
        </a>
        {wideScreen ? (
          <aside className="sticky top-0 flex h-dvh flex-col border-e bg-surface">
            <div className={cx('flex h-(--header-h) shrink-0 items-center', expanded ? 'px-5' : 'justify-center')}>
              <Brand href="/dashboard" markOnly={!expanded} />
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto px-3 py-2">
              <SidebarNav wide={expanded} onWiden={() => setExpanded(true)} />
            </div>
            <div className={cx('flex border-t p-2', expanded ? 'justify-end' : 'justify-center')}>
              <IconButton
                label={expanded ? t('Collapse sidebar') : t('Expand sidebar')}
                aria-expanded={expanded}
                onClick={() => setExpanded(!expanded)}
              >
                {expanded ? (
                  <PanelLeftClose aria-hidden="true" className="rtl:-scale-x-100" />
                ) : (
                  <PanelLeftOpen aria-hidden="true" className="rtl:-scale-x-100" />
                )}
              </IconButton>
            </div>
          </aside>
        ) : (
          <Drawer title={t('Menu')} side="left" closeLabel={t('Close menu')} open={drawer.open} onClose={drawer.close}>
            <div className="px-3 pb-6">
              <div className="flex h-16 items-center px-2">
                <Brand href="/dashboard" />
              </div>
              <SidebarNav wide />
            </div>
          </Drawer>
        )}
        <div className="min-w-0">
          {view !== undefined && (
            <Suspense fallback={null}>
              <ViewBanner />
            </Suspense>
          )}
          <TermsAsked />
          <OfflineNote />
          <TopBar onMenu={drawer.show} />
          <main id="main" className="mx-auto w-full max-w-[78rem] px-4 pt-6 pb-16 sm:px-6 sm:pt-7">
            <Ready>{children}</Ready>
          </main>
        </div>
      </div>
    </Queries>
  )
}

/** Asks for the terms of use while the member has not accepted them. Staff who view the pages cannot accept for a member. */
function TermsAsked() {
  const { data: member } = useProfile()
  if (member?.termsDue === undefined || view !== undefined) return null
  return (
    <Suspense fallback={null}>
      <TermsDialog key={member.termsDue} />
    </Suspense>
  )
}

/** Renders at once for a verified member; otherwise waits for the profile (ST-34). */
function Ready({ children }: { children: ReactNode }) {
  const { data: member, isError } = useProfile()
  if (member === undefined) return isError || readStored(storageKeys.userStatus) === 'true' ? children : <PageSpinner />
  return member.isVerified && member.status ? children : <PageSpinner />
}
