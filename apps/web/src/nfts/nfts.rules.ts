import { NFT_SUPPLY, type NftKind } from '@tizara/contract'
import type { Nft, NftPayWallet } from '@tizara/contract/nfts'
import type { WalletKey } from '@tizara/contract/wallets'
import { texts } from '@tizara/languages'
import { coinPriceOf, monthlyReward, type Units } from '@tizara/money'
import { walletNames } from '../wallets/index.ts'

/** Wallet for each `payby` wire name (UI-M-NFT-03). */
export const payWalletOf = {
  depositwallet: 'depositWallet',
  nativewallet: 'nativeWallet',
  mywallet: 'icoWallet',
} as const satisfies Record<NftPayWallet, WalletKey>

/** Returns the paying wallet's display name; unknown values unchanged. */
export function payWalletName(paidBy: string | null | undefined): string | null | undefined {
  const wallet = Object.entries(payWalletOf).find(([key]) => key === paidBy)?.[1]
  return wallet === undefined ? paidBy : walletNames[wallet]
}

/** Display names of the kinds (UI-DASH-30 to UI-DASH-33). */
export const kindNames: Readonly<Record<NftKind, string>> = texts({
  dome: 'Dome',
  wagon: 'Wagon',
  hotelAndResort: 'Hotel And Resort',
  land: 'Land',
})

export interface NftFigures {
  /** USD units. */
  price: Units
  /** Coin units: price ÷ sell price, rounded up to 8 decimals (VA-72); undefined without a sell price. */
  coin: Units | undefined
  /** USD units a month: price ÷ 100 × total percent ÷ months (VA-73). */
  monthly: Units
  /** USD units over all months, without the price (RW-06). */
  total: Units
}

/**
 * Computes an NFT's figures like the server.
 * @param sellPrice USD units for one coin; undefined if unknown
 */
export function figuresOf(nft: Pick<Nft, 'price' | 'dailyRoi' | 'duration'>, sellPrice: Units | undefined): NftFigures {
  const months = Math.max(1, nft.duration)
  const monthly = monthlyReward(nft.price, nft.dailyRoi, months)
  return {
    price: nft.price,
    coin: sellPrice === undefined || sellPrice <= 0n ? undefined : coinPriceOf(nft.price, sellPrice),
    monthly,
    total: monthly * BigInt(months),
  }
}

/** A kind's sold and maximum count. */
export interface Supply {
  sold: number
  cap: number
  left: number
}

/**
 * Returns the supply of an NFT's kind (EN-39, CO-22 to CO-25).
 * @param nft catalogue entry; `quantity` is the number sold platform-wide
 * @param caps the server's caps, if sent
 */
export function supplyOf(nft: Pick<Nft, 'walletName' | 'quantity' | 'remaining'>, caps?: Readonly<Record<string, number>>): Supply {
  const sold = nft.quantity ?? 0
  const cap = nft.remaining === undefined ? (caps?.[nft.walletName] ?? NFT_SUPPLY[nft.walletName]) : sold + nft.remaining
  return { sold, cap, left: Math.max(0, cap - sold) }
}

/**
 * Returns a kind's supply over all its offers, so shop and dashboard agree (EN-39, UI-DASH-35).
 * @param held the member's holdings, a lower bound if the catalogue has no count
 */
export function supplyOfKind(kind: NftKind, held: number, offers: readonly Nft[], caps?: Readonly<Record<string, number>>): Supply {
  const ofKind = offers.filter((nft) => nft.walletName === kind).map((nft) => supplyOf(nft, caps))
  const cap = ofKind[0]?.cap ?? caps?.[kind] ?? NFT_SUPPLY[kind]
  const sold = ofKind.reduce((max, supply) => Math.max(max, supply.sold), held)
  return { sold, cap, left: Math.max(0, cap - sold) }
}

/** Sorts newest first by creation time, if sent, else in server order (UI-BUYNFT-02, UI-BUYNFT-03). */
export function newestFirst(nfts: readonly Nft[]): Nft[] {
  return nfts.toSorted((a, b) =>
    a.createdAt === undefined || b.createdAt === undefined ? 0 : b.createdAt.getTime() - a.createdAt.getTime(),
  )
}
