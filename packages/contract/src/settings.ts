import * as v from 'valibot'
import { amount, extra, moment } from './fields.ts'
import { listQuery } from './paging.ts'
import { memberRead, route } from './route.ts'

export const generalSettings = route({
  name: 'generalSettings',
  method: 'GET',
  path: '/general-settings',
  access: 'session',
  summary: 'Coin price, purchase limits and the other figures that forms show (API-50, EN-15).',
  reply: v.object({
    coinPrice: amount,
    minCoin: extra(amount),
    maxCoin: extra(amount),
    /** USD for one coin when the NFT wallet is converted; 0.008 when absent (CO-15). */
    convertRate: extra(amount),
    platformFeePercent: extra(amount),
    networkFeePercent: extra(amount),
    bridgeFeePercent: extra(amount),
    bridgeMinimum: extra(amount),
    /** Most NFTs of each kind (CO-22). */
    nftSupply: extra(v.record(v.string(), v.number())),
    tokenSymbol: extra(v.string()),
    /** Version of these settings, repeated on receipts. */
    version: extra(v.string()),
    /** What is planned, nearest first: everybody knows it from the moment of its approval, as staff do. */
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
  summary: 'The exchange settings; only the first is used (API-51, EN-16).',
  query: listQuery,
  reply: v.array(
    v.object({
      /** Percent of the ICO wallet that one exchange moves. */
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
  summary: 'What the pages need before anybody signs in.',
  reply: v.object({
    brandName: v.string(),
    tokenSymbol: v.string(),
    allowedEmailDomains: v.array(v.string()),
    /** True when coins and payments are play money. */
    sandbox: v.boolean(),
    invoiceBaseUrl: v.string(),
    /** Whether members may also send USDT over the chain by themselves. */
    usdOnChain: extra(v.boolean()),
  }),
})
