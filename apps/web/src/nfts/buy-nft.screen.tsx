import type { Nft } from '@tizara/contract/nfts'
import { t } from '@tizara/languages'
import { lazy, Suspense, useState } from 'react'
import { tradePriceOf, useGeneralSettings, useWalletUnit } from '../wallets/index.ts'
import { DamagedNote } from '../lib/lists/damaged-note.tsx'
import { Card } from '../ui/card.tsx'
import { retryOf } from '../lib/http/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { NftCard, NftCardSkeleton } from './nft-card.tsx'
import { useActiveNfts } from './nfts.queries.ts'
import { supplyOf } from './nfts.rules.ts'

const BuyNftDialog = lazy(() => import('./buy-nft.dialog.tsx').then((file) => ({ default: file.BuyNftDialog })))

/** `/store-nft/buy-nft` and `/special-rcm/last-sponsors` (UI-BUYNFT rows, RT-19 to RT-21). */
export default function BuyNftScreen() {
  const { data: nfts, damaged, isPending, query } = useActiveNfts()
  const { data: settings } = useGeneralSettings()
  const unit = useWalletUnit()('nativeWallet')
  const [chosen, setChosen] = useState<Nft>()
  const none = !isPending && (nfts === undefined || nfts.length === 0) && damaged.length === 0
  return (
    <>
      <PageHeader
        title={t('Purchase NFT')}
        subtitle={t(
          'An NFT pays a reward in USD to your NFT Wallet once a month. The price is not paid back. Rewards are estimates and come from a pool. If it runs short, they are paid as soon as it is funded.',
        )}
      />
      {none ? (
        <Card>
          <EmptyState
            title={t('Data Not Found')}
            text={nfts && t('No NFT is on sale at the moment. New ones appear here.')}
            onRetry={retryOf(query)}
          />
        </Card>
      ) : (
        <div
          className="grid gap-4 [grid-template-columns:repeat(auto-fill,minmax(min(100%,16.5rem),1fr))]"
          aria-busy={isPending || undefined}
        >
          {nfts === undefined
            ? Array.from({ length: 4 }, (_, i) => <NftCardSkeleton key={i} />)
            : nfts.map((nft) => (
                <NftCard
                  key={nft.id}
                  nft={nft}
                  unit={unit}
                  sellPrice={tradePriceOf(settings, 'sell').price}
                  supply={supplyOf(nft, settings?.nftSupply)}
                  onBuy={() => setChosen(nft)}
                />
              ))}
        </div>
      )}
      <DamagedNote rows={damaged} nameOf={(nft) => nft.name} />
      {chosen && (
        <Suspense fallback={null}>
          <BuyNftDialog nft={chosen} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
