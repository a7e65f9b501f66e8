import type { NftKind } from '@tizara/contract'
import { type ComponentType, lazy, Suspense } from 'react'
import type { ArtProps } from '../ui/art/scene.tsx'

const ART: Readonly<Record<NftKind, ComponentType<ArtProps>>> = {
  dome: lazy(async () => ({ default: (await import('../ui/art/dome.tsx')).DomeArt })),
  wagon: lazy(async () => ({ default: (await import('../ui/art/wagon.tsx')).WagonArt })),
  hotelAndResort: lazy(async () => ({ default: (await import('../ui/art/hotel-and-resort.tsx')).HotelAndResortArt })),
  land: lazy(async () => ({ default: (await import('../ui/art/land.tsx')).LandArt })),
}

export function NftArt({ kind, ...art }: ArtProps & { kind: NftKind }) {
  const Art = ART[kind]
  return (
    <Suspense fallback={<span className={art.className} />}>
      <Art {...art} />
    </Suspense>
  )
}
