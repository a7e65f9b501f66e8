import type { NftKind } from '@tizara/contract'
import { NextPanel } from './next-panel.tsx'
import { NftTiles } from './nft-tiles.tsx'
import { RewardPanel } from './reward-panel.tsx'
import { StatRow } from './stat-row.tsx'

/** Content below the wallets, loaded after the first render. */
export default function LowerHalf({ onBuyNft }: { onBuyNft: (kind: NftKind) => void }) {
  return (
    <>
      <div className="space-y-3.5">
        <StatRow />
        <div className="grid gap-3.5 lg:grid-cols-[minmax(0,4fr)_minmax(0,3fr)] [&>:only-child]:col-span-full">
          <RewardPanel />
          <NextPanel />
        </div>
      </div>
      <NftTiles onBuy={onBuyNft} />
    </>
  )
}
