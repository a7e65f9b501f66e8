import type { NftKind } from '@tizara/contract'
import { NextPanel } from './next-panel.tsx'
import { NftTiles } from './nft-tiles.tsx'
import { RewardPanel } from './reward-panel.tsx'
import { StatRow } from './stat-row.tsx'

export { NextPanel }

export interface LowerHalfProps {
  onBuyNft: (kind: NftKind) => void
  /** Without the panel of upcoming rewards, which phones show above the wallets. */
  withoutNext: boolean
}

/** Content below the wallets, loaded after the first render. */
export default function LowerHalf({ onBuyNft, withoutNext }: LowerHalfProps) {
  return (
    <>
      <div className="space-y-3.5">
        <StatRow />
        <div className="grid gap-3.5 lg:grid-cols-[minmax(0,4fr)_minmax(0,3fr)] [&>:only-child]:col-span-full">
          <RewardPanel />
          {!withoutNext && <NextPanel />}
        </div>
      </div>
      <NftTiles onBuy={onBuyNft} />
    </>
  )
}
