import { type NftKind, nftKinds } from '@tizara/contract'
import type { nftHoldings } from '@tizara/contract/nfts'
import { t } from '@tizara/languages'
import type { ComponentType } from 'react'
import type * as v from 'valibot'
import { Link } from 'wouter'
import { DomeArt } from '../ui/art/dome.tsx'
import { HotelAndResortArt } from '../ui/art/hotel-and-resort.tsx'
import { LandArt } from '../ui/art/land.tsx'
import { WagonArt } from '../ui/art/wagon.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Money } from '../ui/money.tsx'
import { ProgressBar } from '../ui/progress.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Supply, supplyOfKind, useActiveNfts } from '../nfts/index.ts'
import { useGeneralSettings } from '../wallets/index.ts'
import { dashboardMessages as text } from './dashboard.messages.ts'
import { useNftHoldings } from './dashboard.queries.ts'
import { T } from '../ui/t.tsx'

type Holdings = v.InferOutput<typeof nftHoldings>

const art: Readonly<Record<NftKind, ComponentType<{ className?: string }>>> = {
  dome: DomeArt,
  wagon: WagonArt,
  hotelAndResort: HotelAndResortArt,
  land: LandArt,
}
const paidOf: Readonly<Record<NftKind, (holdings: Holdings) => bigint>> = {
  dome: (holdings) => holdings.domePrice,
  wagon: (holdings) => holdings.wagonPrice,
  hotelAndResort: (holdings) => holdings.hotelAndResortPrice,
  land: (holdings) => holdings.landPrice,
}

/** Four NFT kinds: held, paid and remaining (UI-DASH-30 to UI-DASH-36). */
export function NftTiles({ onBuy }: { onBuy: (kind: NftKind) => void }) {
  const { data: holdings, isError } = useNftHoldings()
  const caps = useGeneralSettings().data?.nftSupply
  const { data: offers } = useActiveNfts()
  return (
    <section aria-labelledby="nft-heading">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id="nft-heading" className="text-md font-strong tracking-head">
          {t('Store NFT')}
        </h2>
        <Link href="/store-nft/buy-nft" className="link text-sm">
          {t('Purchase NFT')}
        </Link>
      </div>
      <div className="grid gap-3.5 sm:grid-cols-2 xl:grid-cols-4">
        {nftKinds.map((kind) => (
          <Tile
            key={kind}
            kind={kind}
            held={holdings?.[kind] ?? (isError ? null : undefined)}
            paid={holdings && paidOf[kind](holdings)}
            supply={supplyOfKind(kind, holdings?.[kind] ?? 0, offers ?? [], caps)}
            onBuy={() => onBuy(kind)}
          />
        ))}
      </div>
    </section>
  )
}

interface TileProps {
  kind: NftKind
  /** undefined while unknown, null if unavailable. */
  held: number | null | undefined
  paid: bigint | undefined
  supply: Supply
  onBuy: () => void
}

const number = (value: number): string => value.toLocaleString('en-US')

function Tile({ kind, held, paid, supply: { cap, left }, onBuy }: TileProps) {
  const Art = art[kind]
  return (
    <Card padding="none" className="flex flex-col overflow-hidden" aria-label={text[kind]}>
      <Art className="aspect-[320/150]" />
      <div className="flex flex-1 flex-col p-4">
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="font-strong">{text[kind]}</h3>
          <span className="text-sm text-muted">
            {held === undefined ? <Skeleton className="h-3 w-12" /> : held === null ? '–' : t('{held} held', { held: number(held) })}
          </span>
        </div>
        <p className="mt-0.5 text-lg font-strong tracking-num">
          {paid === undefined ? (
            held === null ? (
              '–'
            ) : (
              <Skeleton className="my-1 h-4 w-24" />
            )
          ) : (
            <>
              <Money value={paid} unit="USD" /> <span className="text-xs font-normal tracking-normal text-faint">{t('paid')}</span>
            </>
          )}
        </p>
        <ProgressBar
          className="mt-3 mb-2.5"
          label={t('{value} supply', { value: text[kind] })}
          value={cap - left}
          max={cap}
          valueText={t('{left} left of {cap}', { left: number(left), cap: number(cap) })}
        />
        <div className="mt-auto flex items-center justify-between gap-3">
          <span className="text-xs text-faint">
            <T text="{left} left of {cap}" left={number(left)} cap={number(cap)} />
          </span>
          <Button size="sm" onClick={onBuy}>
            {text.buyNow}
          </Button>
        </div>
      </div>
    </Card>
  )
}
