import type { WalletKey } from '@tizara/contract/wallets'
import { walletAssets } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { Link } from 'wouter'
import { useProfile } from '../members/index.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useGeneralSettings, useWallets, useWalletUnit } from '../wallets/index.ts'
import { dashboardMessages as text } from './dashboard.messages.ts'
import type { DialogName } from './dialogs.tsx'
import { walletsOf } from './holdings.ts'
import { WalletCard } from './wallet-card.tsx'

/** A wallet card's button, and its modal. */
interface WalletAction {
  label: string
  opens: DialogName | 'stake'
}

/** Each card's actions (UI-DASH-08, UI-DASH-12, UI-DASH-13, UI-DASH-15, UI-DASH-18). */
const actionsOf: Readonly<Record<WalletKey, readonly WalletAction[]>> = {
  depositWallet: [{ label: text.userToUser, opens: 'user-transfer' }],
  nativeWallet: [{ label: text.swap, opens: 'swap' }],
  icoWallet: [{ label: text.swapToUsd, opens: 'my-to-deposit' }],
  newIcoWallet: [{ label: text.toMyWallet, opens: 'exchange' }],
  stakeWallet: [{ label: text.stakeNow, opens: 'stake' }],
  nftWallet: [
    { label: text.transfer, opens: 'nft-to-deposit' },
    { label: text.convart, opens: 'convert' },
  ],
  rcmWallet: [{ label: text.rcmWithdraw, opens: 'rcm' }],
}

/** Wallet cards (UI-DASH-06 to UI-DASH-18). */
export function WalletGrid({ onOpen }: { onOpen: (name: DialogName | 'stake') => void }) {
  const { data: member, isError: unknown } = useProfile()
  const { data: balances, isError } = useWallets()
  const { data: settings } = useGeneralSettings()
  const unitOf = useWalletUnit()
  const wallets = walletsOf(member?.isSpecialRcm === true)
  const known = member !== undefined || unknown
  return (
    <section aria-labelledby="wallets-heading">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id="wallets-heading" className="text-md font-strong tracking-head">
          {t('Wallets')}
        </h2>
        <Link href="/activity" className="link text-sm">
          {t('All activity')}
        </Link>
      </div>
      <div className={wallets.length > 6 ? 'grid gap-3.5 sm:grid-cols-2 xl:grid-cols-4' : 'grid gap-3.5 sm:grid-cols-2 xl:grid-cols-3'}>
        {!known &&
          Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} className={`${index === 0 ? 'h-[88px]' : 'h-[106px]'} w-full rounded-xl sm:h-[178px]`} />
          ))}
        {known &&
          wallets.map((wallet, index) => (
            <WalletCard
              key={wallet}
              wallet={wallet}
              unit={unitOf(wallet)}
              balance={balances?.[wallet] ?? (isError ? null : undefined)}
              coinPrice={walletAssets[wallet] === 'coin' ? settings?.coinPrice : undefined}
              className={index === 0 && wallets.length > 6 ? 'sm:col-span-2' : undefined}
              actions={actionsOf[wallet].map((action) => (
                <Button key={action.label} size="sm" onClick={() => onOpen(action.opens)}>
                  {action.label}
                </Button>
              ))}
            />
          ))}
      </div>
    </section>
  )
}
