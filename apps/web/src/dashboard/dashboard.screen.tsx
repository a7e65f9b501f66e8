import type { NftKind } from '@tizara/contract'
import { t } from '@tizara/languages'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import CreditCard from 'lucide-react/icons/credit-card'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { readReceiptText } from '../lib/receipts/receipt-link.ts'
import { readStored, storageKeys } from '../lib/http/storage.ts'
import { useAfterIdle } from '../lib/use-after-idle.ts'
import { PHONE, useMedia } from '../lib/use-media.ts'
import { WhenNear } from '../lib/when-near.tsx'
import { useProfile } from '../members/index.ts'
import { Button } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { prefetchDashboardTop, useWallets } from '../wallets/index.ts'
import { CoinPanel } from './coin-panel.tsx'
import { dashboardMessages as text } from './dashboard.messages.ts'
import { type DialogName, OpenDialog, readDialogName, readStart, usePreloadedDialogs } from './dialogs.tsx'
import { Hero } from './hero.tsx'
import { InvitePanel } from './invite-panel.tsx'
import { WalletGrid } from './wallet-grid.tsx'

const LowerHalf = lazy(() => import('./lower-half.tsx'))
const NextPanel = lazy(async () => ({ default: (await import('./lower-half.tsx')).NextPanel }))
const AnnouncementPopup = lazy(async () => ({ default: (await import('../announcements/index.ts')).AnnouncementPopup }))
const OpenStakeDialog = lazy(async () => ({ default: (await import('../staking/index.ts')).OpenStakeDialog }))
const BuyNftDialog = lazy(async () => ({ default: (await import('../nfts/index.ts')).BuyNftDialog }))
const ReceiptDrawer = lazy(async () => ({ default: (await import('../lib/receipts/receipt-drawer.tsx')).ReceiptDrawer }))

const NEXT_SKELETON = <Skeleton className="h-full w-full rounded-xl" />
const LOWER_SKELETON = <Skeleton className="h-[40rem] w-full rounded-xl" />

type OpenedDialog = { name: DialogName | 'stake'; start?: DialogProps['start'] } | { name: 'nft'; kind: NftKind } | null

/** Prefetches the top figures on an unblocked member's home, so that it renders with them. */
export const prefetch = async (): Promise<void> => {
  if (readStored(storageKeys.userStatus) === 'true') await prefetchDashboardTop()
}

/**
 * Member's home (UI-DASH rows). Panels are independent: a failure affects no other panel. Phones show the balance first, then what is next
 * for the member, then the wallets; price and referral link follow.
 */
export default function DashboardScreen() {
  const { data: member } = useProfile()
  const wallets = useWallets()
  const isDeferredReady = useAfterIdle(wallets.data !== undefined || wallets.isError)
  const query = new URLSearchParams(useSearch())
  const [opened, setOpened] = useState<OpenedDialog>(() => {
    const name = readDialogName(query.get('open'))
    return name && { name, start: readStart(history.state) }
  })
  const receipt = readReceiptText(query.get('receipt'))
  usePreloadedDialogs()
  const dialogName = query.get('open')
  useEffect(() => {
    if (dialogName === null) return
    // A link on this page, such as on a receipt, opens a modal without loading the page.
    const name = readDialogName(dialogName)
    if (name !== null) setOpened({ name, start: readStart(history.state) })
    // Removes the modal from the URL, so that a reload does not reopen it.
    navigate(location.pathname, { replace: true })
  }, [dialogName])
  const open = (name: DialogName | 'stake') => setOpened({ name })
  const isPhone = useMedia(PHONE, false)
  const next = (
    <div className="grid min-h-[21rem]">
      <Suspense fallback={NEXT_SKELETON}>{isDeferredReady ? <NextPanel /> : NEXT_SKELETON}</Suspense>
    </div>
  )
  const coin = <CoinPanel onBuy={() => open('buy-token')} />
  return (
    <>
      <PageHeader
        title={t('Dashboard')}
        subtitle={member ? t('Welcome back, {name}.', { name: member.name }) : t('Welcome back.')}
        actions={<HeaderButtons onOpen={open} />}
      />
      <div className="space-y-7">
        {!isPhone && <InvitePanel />}
        <div className="grid gap-3.5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <Hero onOpen={open} />
          {isPhone ? next : coin}
        </div>
        <WalletGrid onOpen={open} />
        {isPhone && coin}
        {isPhone && <InvitePanel />}
        {isDeferredReady ? (
          <WhenNear fallback={LOWER_SKELETON} margin="150%" untouched className="space-y-7">
            <Suspense fallback={LOWER_SKELETON}>
              <LowerHalf withoutNext={isPhone} onBuyNft={(kind) => setOpened({ name: 'nft', kind })} />
            </Suspense>
          </WhenNear>
        ) : (
          LOWER_SKELETON
        )}
      </div>
      <Over opened={opened} onClose={() => setOpened(null)} />
      {receipt !== undefined && (
        <Suspense fallback={null}>
          <ReceiptDrawer open subject={t('Transfer')} receipt={receipt} onClose={() => navigate(location.pathname, { replace: true })} />
        </Suspense>
      )}
      <Suspense fallback={null}>{isDeferredReady && <AnnouncementPopup />}</Suspense>
    </>
  )
}

/** Buttons Deposit, Bridge, Payment and Withdraw (UI-DASH-01 to UI-DASH-05). */
function HeaderButtons({ onOpen }: { onOpen: (name: DialogName) => void }) {
  return (
    <>
      <Button variant="primary" icon={<ArrowDownToLine size={16} aria-hidden="true" />} onClick={() => onOpen('deposit')}>
        {text.deposit}
      </Button>
      <Button icon={<ArrowLeftRight size={16} aria-hidden="true" />} onClick={() => onOpen('bridge')}>
        {text.bridge}
      </Button>
      <Button icon={<CreditCard size={16} aria-hidden="true" />} onClick={() => onOpen('payment')}>
        {text.payment}
      </Button>
      <Button icon={<ArrowUpFromLine size={16} aria-hidden="true" />} onClick={() => onOpen('withdraw')}>
        {text.withdraw}
      </Button>
    </>
  )
}

function Over({ opened, onClose }: { opened: OpenedDialog; onClose: () => void }) {
  if (opened === null) return null
  if (opened.name === 'nft') {
    return (
      <Suspense fallback={null}>
        <BuyNftDialog kind={opened.kind} onClose={onClose} />
      </Suspense>
    )
  }
  if (opened.name === 'stake') {
    return (
      <Suspense fallback={null}>
        <OpenStakeDialog onClose={onClose} />
      </Suspense>
    )
  }
  return <OpenDialog name={opened.name} start={opened.start} onClose={onClose} />
}
