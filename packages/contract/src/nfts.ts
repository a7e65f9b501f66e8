import * as v from 'valibot'
import { amount, answerId, extra, id, looseAmount, maybeText, moment } from './fields.ts'
import { nftKinds } from './limits.ts'
import { listOf, listQuery, ownList } from './paging.ts'
import { memberAct, memberRead } from './route.ts'
import { done, rowExtras } from './wallets.ts'

/** Wallets that can pay for an NFT (UI-M-NFT-03): USD, or coin from nativeWallet or icoWallet. */
export const nftPayWallets = ['depositwallet', 'nativewallet', 'mywallet'] as const
export type NftPayWallet = (typeof nftPayWallets)[number]

const nftEntries = {
  id: answerId,
  name: v.string(),
  title: maybeText,
  walletName: v.picklist(nftKinds),
  /** Units sold platform-wide (EN-39). */
  quantity: v.nullish(v.number(), 0),
  /** USD. */
  price: amount,
  /** Months. */
  duration: v.number(),
  /** Total reward percent over the whole duration (EN-36). */
  dailyRoi: amount,
  /** USD per month and in total; present only in purchases (EN-38). */
  monthlyRoi: v.nullish(amount),
  totalRoi: v.nullish(amount),
  paidBy: maybeText,
  lastDistributionDate: v.nullish(moment),
  status: v.string(),
}

/** NFT in the catalogue, or a purchase (EN-36, EN-38). */
export const nft = v.object({
  ...nftEntries,
  createdAt: extra(moment),
  remaining: extra(v.number()),
  /** Planned next values for an NFT on sale, with their start. */
  next: extra(v.object({ startsAt: moment, price: amount, duration: v.number(), dailyRoi: amount, status: v.string() })),
  receipt: rowExtras('nft-purchase').receipt,
})
export type Nft = v.InferOutput<typeof nft>

export const activeNfts = memberRead({
  name: 'activeNfts',
  path: '/nft/active-nft',
  summary: 'Lists the NFTs on sale (API-68).',
  query: listQuery,
  reply: listOf(nft),
})

export const buyNft = memberAct({
  name: 'buyNft',
  path: '/nft-purchese',
  money: true,
  quoted: true,
  summary: 'Buys one NFT (API-48, MF-14). `payby` is the paying wallet, `walletName` the kind (API-49).',
  body: v.object({
    payby: v.picklist(nftPayWallets, 'Please select a wallet to purchase from'),
    walletName: v.picklist(nftKinds, 'Invalid NFT kind'),
    nftId: id,
  }),
  reply: done('nft-purchase'),
  errors: ['PRICE_CHANGED', 'NFT_NOT_AVAILABLE', 'NFT_SOLD_OUT', 'INSUFFICIENT_BALANCE', 'NOT_COVERED'],
})

export const nftHistory = ownList({
  name: 'nftHistory',
  path: '/nft-purchese/history',
  history: 'nft-purchase',
  summary: "Lists the member's NFT purchases (API-69).",
  reply: listOf(nft),
})

/** Member's holdings (EN-29): count per kind, and USD paid (UI-DASH-36). */
export const nftHoldings = v.object({
  dome: v.nullish(v.number(), 0),
  domePrice: looseAmount,
  wagon: v.nullish(v.number(), 0),
  wagonPrice: looseAmount,
  hotelAndResort: v.nullish(v.number(), 0),
  hotelAndResortPrice: looseAmount,
  land: v.nullish(v.number(), 0),
  landPrice: looseAmount,
})

export const myNftWallet = memberRead({
  name: 'myNftWallet',
  path: '/nft-wallets/my-nft-wallet',
  summary: "Lists the member's NFTs (API-57).",
  reply: nftHoldings,
})
