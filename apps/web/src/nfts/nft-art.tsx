import type { NftKind } from '@tizara/contract'
import type { ComponentType } from 'react'
import { DomeArt } from '../ui/art/dome.tsx'
import { HotelAndResortArt } from '../ui/art/hotel-and-resort.tsx'
import { LandArt } from '../ui/art/land.tsx'
import type { ArtProps } from '../ui/art/scene.tsx'
import { WagonArt } from '../ui/art/wagon.tsx'

const ART: Readonly<Record<NftKind, ComponentType<ArtProps>>> = {
  dome: DomeArt,
  wagon: WagonArt,
  hotelAndResort: HotelAndResortArt,
  land: LandArt,
}

/** The drawing of a kind. */
export function NftArt({ kind, ...art }: ArtProps & { kind: NftKind }) {
  const Art = ART[kind]
  return <Art {...art} />
}
