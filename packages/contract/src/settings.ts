import * as v from 'valibot'
import { amount, extra, moment } from './fields.ts'
import { listQuery } from './paging.ts'
import { memberRead, route } from './route.ts'

export const generalSettings = route({
  name: 'generalSettings',
  method: 'GET',
  path: '/general-settings',
  access: 'session',
  summary: 'Returns the coin price, purchase limits and other figures of the forms (API-50, EN-15).',
  reply: v.object({
    coinPrice: amount,
    minCoin: extra(amount),
    maxCoin: extra(amount),
    /** USD per coin for NFT wallet conversions; 0.008 if absent (CO-15). */
    convertRate: extra(amount),
    /**
     * Prices for members' trades in USD per coin: buying, selling, and conversion of the NFT wallet (MF-10). They equal the prices above,
     * except from the approval of an announced price until `bothPricesUntil`.
     */
    buyPrice: extra(amount),
    sellPrice: extra(amount),
    buyRate: extra(amount),
    /** Time from which members buy and sell at the same price again; absent if they do now. */
    bothPricesUntil: extra(moment),
    platformFeePercent: extra(amount),
    networkFeePercent: extra(amount),
    bridgeFeePercent: extra(amount),
    bridgeMinimum: extra(amount),
    /** Maximum NFTs per kind (CO-22). */
    nftSupply: extra(v.record(v.string(), v.number())),
    tokenSymbol: extra(v.string()),
    /** Settings version, repeated on receipts. */
    version: extra(v.string()),
    /** Approved future values, nearest first. Members see these values as soon as staff do. */
    coming: extra(
      v.array(
        v.object({
          startsAt: moment,
          coinPrice: amount,
          minCoin: amount,
          maxCoin: amount,
          convertRate: amount,
          platformFeePercent: amount,
          networkFeePercent: amount,
          bridgeFeePercent: amount,
          bridgeMinimum: amount,
        }),
      ),
    ),
  }),
})

export const exchangeSettings = memberRead({
  name: 'exchangeSettings',
  path: '/exchange-settings',
  summary: 'Returns the exchange settings. Only the first is used (API-51, EN-16).',
  query: listQuery,
  reply: v.array(
    v.object({
      /** Percent of the ICO wallet per exchange. */
      exchangeLimit: amount,
      cooldownHours: extra(v.number()),
    }),
  ),
})

export const appConfig = route({
  name: 'appConfig',
  method: 'GET',
  path: '/config',
  access: 'public',
  summary: 'Returns the settings that pages need before the sign-in.',
  reply: v.object({
    brandName: v.string(),
    tokenSymbol: v.string(),
    allowedEmailDomains: v.array(v.string()),
    /** True if coins and payments are test money. */
    sandbox: v.boolean(),
    invoiceBaseUrl: v.string(),
    /** True if members can also send USDT on-chain. */
    usdOnChain: extra(v.boolean()),
  }),
})
