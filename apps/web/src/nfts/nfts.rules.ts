import { NFT_SUPPLY, type NftKind } from '@tizara/contract'
import type { Nft, NftPayWallet } from '@tizara/contract/nfts'
import type { WalletKey } from '@tizara/contract/wallets'
import { coinPriceOf, monthlyReward, type Units } from '@tizara/money'
import { walletNames } from '../wallets/index.ts'

/** The wallet that a wire name of `payby` stands for (UI-M-NFT-03). */
export const payWalletOf = {
  depositwallet: 'depositWallet',
  nativewallet: 'nativeWallet',
  mywallet: 'icoWallet',
} as const satisfies Record<NftPayWallet, WalletKey>

/** The paying wallet as members know it; the word as it came when it is none of ours. */
export function payerName(paidBy: string | null | undefined): string | null | undefined {
  const wallet = Object.entries(payWalletOf).find(([key]) => key === paidBy)?.[1]
  return wallet === undefined ? paidBy : walletNames[wallet]
}

/** The kinds as members read them (UI-DASH-30 to UI-DASH-33). */
export const kindNames: Readonly<Record<NftKind, string>> = {
  dome: 'Dome',
  wagon: 'Wagon',
  hotelAndResort: 'Hotel And Resort',
  land: 'Land',
}

export interface NftFigures {
  /** USD units. */
  price: Units
  /** Coin units: price ÷ coin price, rounded up at the eighth decimal (VA-72); undefined while the price is not known. */
  coin: Units | undefined
  /** USD units a month: price ÷ 100 × total percent ÷ months (VA-73). */
  monthly: Units
  /** USD units of all months together; the price is not part of it (RW-06). */
  total: Units
}

/**
 * Reckons an NFT as the server does.
 * @param coinPrice USD units for one coin; undefined while it is not known
 */
export function figuresOf(nft: Pick<Nft, 'price' | 'dailyRoi' | 'duration'>, coinPrice: Units | undefined): NftFigures {
  const months = Math.max(1, nft.duration)
  const monthly = monthlyReward(nft.price, nft.dailyRoi, months)
  return {
    price: nft.price,
    coin: coinPrice === undefined || coinPrice <= 0n ? undefined : coinPriceOf(nft.price, coinPrice),
    monthly,
    total: monthly * BigInt(months),
  }
}

/** How many of a kind were sold, of how many there will ever be. */
export interface Supply {
  sold: number
  cap: number
  left: number
}

/**
 * The supply of an NFT's kind (EN-39, CO-22 to CO-25).
 * @param nft of the catalogue: `quantity` is the number sold platform-wide
 * @param caps the house's own caps, when the server sends them
 */
export function supplyOf(nft: Pick<Nft, 'walletName' | 'quantity' | 'remaining'>, caps?: Readonly<Record<string, number>>): Supply {
  const sold = nft.quantity ?? 0
  const cap = nft.remaining === undefined ? (caps?.[nft.walletName] ?? NFT_SUPPLY[nft.walletName]) : sold + nft.remaining
  return { sold, cap, left: Math.max(0, cap - sold) }
}

/**
 * The supply of a kind over all that is on sale of it: the same numbers in the shop and on the dashboard (EN-39,
 * UI-DASH-35).
 * @param held by the member: what is known to be sold where the catalogue says nothing
 */
export function supplyOfKind(kind: NftKind, held: number, offers: readonly Nft[], caps?: Readonly<Record<string, number>>): Supply {
  const ofKind = offers.filter((nft) => nft.walletName === kind).map((nft) => supplyOf(nft, caps))
  const cap = ofKind[0]?.cap ?? caps?.[kind] ?? NFT_SUPPLY[kind]
  const sold = ofKind.reduce((most, supply) => Math.max(most, supply.sold), held)
  return { sold, cap, left: Math.max(0, cap - sold) }
}

/** Newest first: by its creation where the server sends it, else in the server's order (UI-BUYNFT-02, UI-BUYNFT-03). */
export function newestFirst(nfts: readonly Nft[]): Nft[] {
  return nfts.toSorted((a, b) =>
    a.createdAt === undefined || b.createdAt === undefined ? 0 : b.createdAt.getTime() - a.createdAt.getTime(),
  )
}
