import type { Nft } from '@tizara/contract/nfts'
import { t } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import { formatTime } from '../lib/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { Skeleton, SkeletonText } from '../ui/skeleton.tsx'
import { NftArt } from './nft-art.tsx'
import { figuresOf, kindNames, type Supply } from './nfts.rules.ts'
import { SupplyBar } from './supply-bar.tsx'

export interface NftCardProps {
  nft: Nft
  sellPrice: Units | undefined
  supply: Supply
  unit: string
  onBuy: () => void
}

/** One NFT on sale (UI-BUYNFT-04, UI-BUYNFT-05). */
export function NftCard({ nft, sellPrice, supply, unit, onBuy }: NftCardProps) {
  const { price, coin, monthly, total } = figuresOf(nft, sellPrice)
  return (
    <Card padding="none" className="flex flex-col overflow-hidden" aria-labelledby={`nft-${nft.id}`}>
      <NftArt kind={nft.walletName} className="block aspect-32/15 h-auto w-full" />
      <div className="flex flex-1 flex-col p-4 sm:p-5">
        <div className="flex items-start justify-between gap-3">
          <h2 id={`nft-${nft.id}`} className="min-w-0 text-md font-strong tracking-head">
            {nft.name}
          </h2>
          {kindNames[nft.walletName].toLowerCase() !== nft.name.toLowerCase() && <Badge plain>{kindNames[nft.walletName]}</Badge>}
        </div>
        {nft.title && <p className="mt-0.5 text-sm text-muted">{nft.title}</p>}
        <p className="mt-3">
          <Money value={price} unit="USD" className="text-xl font-strong tracking-num" />
          <span className="block text-sm text-muted">
            {coin === undefined ? <Skeleton className="my-1 h-3 w-24" /> : <Money value={coin} unit={unit} />}
          </span>
        </p>
        <DescriptionList
          className="my-4 border-y"
          rows={[
            { key: 'duration', label: t('Duration'), value: t('{duration} months', { duration: nft.duration }) },
            { key: 'percent', label: t('Total reward'), value: `${formatUnits(nft.dailyRoi)}%` },
            { key: 'monthly', label: t('Monthly reward'), value: <Money approx value={monthly} unit="USD" /> },
            {
              key: 'total',
              label: t('Total payments'),
              value: <Money approx value={total} unit="USD" />,
              hint: t('over {duration} months', { duration: nft.duration }),
            },
            nft.next !== undefined && {
              key: 'next',
              label: t('From {startsAt}', { startsAt: formatTime(nft.next.startsAt) }),
              value: nft.next.status === 'ACTIVE' ? <Money value={nft.next.price} unit="USD" /> : t('Closed'),
              hint: t('{dailyRoi}% over {duration} months', { dailyRoi: formatUnits(nft.next.dailyRoi), duration: nft.next.duration }),
            },
          ]}
        />
        <p className="mb-4 rounded-lg bg-warning-soft px-3 py-2 text-sm text-warning">{t('The price is not paid back.')}</p>
        <div className="mt-auto space-y-4">
          <SupplyBar supply={supply} name={nft.name} />
          <Button variant="primary" block disabled={supply.left === 0} aria-describedby={`nft-${nft.id}`} onClick={onBuy}>
            {t('Buy Now')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

export function NftCardSkeleton() {
  return (
    <Card padding="none" className="overflow-hidden">
      <Skeleton className="aspect-32/15 w-full rounded-none" />
      <div className="p-5">
        <Skeleton className="h-5 w-40" />
        <SkeletonText lines={4} className="my-6" />
        <Skeleton className="h-10 w-full" />
      </div>
    </Card>
  )
}
