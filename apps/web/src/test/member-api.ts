import { appConfig, exchangeSettings, generalSettings } from '@tizara/contract/settings'
import { profile } from '@tizara/contract/members'
import { payees, salesFund, sellRequests } from '@tizara/contract/transfers'
import { userWallet, walletHoldings } from '@tizara/contract/wallets'
import { earlierMovements } from '@tizara/contract/wallets-movements'
import { FakeApi } from './fake-api.ts'

/** The test member's balances. */
export const testBalances = {
  depositWallet: 200,
  nativeWallet: 5000.5,
  icoWallet: 3000,
  newIcoWallet: 1234.567,
  stakeWallet: 640,
  nftWallet: 50.25,
  rcmWallet: 4200,
}

/** Nothing on hold, and no NFT. */
export const noneOutside = { heldUsd: 0, heldCoin: 0, nfts: 0 }

/** The test member: verified, active, ranked and special. */
export const testMember = {
  id: 'm1',
  name: 'Amara Obi',
  status: true,
  isVerified: true,
  isActive: true,
  rank: 'gold',
  isSpecialRcm: true,
  myReferralCode: 'AMARA7',
  referralCount: 1284,
}

/** Fake API with a member, their wallets and the platform's figures. */
export function memberApi(): FakeApi {
  return new FakeApi()
    .reply(profile, testMember)
    .reply(userWallet, testBalances)
    .reply(walletHoldings, noneOutside)
    .reply(generalSettings, {
      coinPrice: 0.008,
      minCoin: 1,
      maxCoin: 10_000_000,
      platformFeePercent: 5,
      networkFeePercent: 2,
      convertRate: 0.008,
    })
    .reply(salesFund, { available: 1_000_000 })
    .reply(sellRequests, { data: [] })
    .reply(payees, { data: [] })
    .reply(earlierMovements, { data: [] })
    .reply(exchangeSettings, [{ exchangeLimit: 10 }])
    .reply(appConfig, {
      brandName: 'Tizara',
      tokenSymbol: 'TIZARA',
      allowedEmailDomains: [],
      sandbox: false,
      invoiceBaseUrl: '/invoice-api',
    })
}
