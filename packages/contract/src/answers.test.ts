import { ONE } from '@tizara/money'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { login, refreshToken, register, verifyLink, verifyToken } from './auth.ts'
import { popup } from './announcements.ts'
import { buyToken, buyTokenHistory } from './coin.ts'
import { createInvoice, createPayment, depositRequests, getInvoice, getPaymentStatus, myDeposits } from './deposits.ts'
import { myTeam, profile } from './members.ts'
import { activeNfts, myNftWallet, nftHistory } from './nfts.ts'
import { pageOf } from './paging.ts'
import {
  myRankedBonus,
  nftLevelBonus,
  nftMonthlyRoiHistory,
  nftProfitBountyHistory,
  profitBountyHistory,
  royBonusHistory,
  stackBonusHistory,
  stakeLogBountyHistory,
  stakeLogRewardHistory,
  transactionHistory,
} from './rewards.ts'
import type { Route } from './route.ts'
import { exchangeSettings, generalSettings } from './settings.ts'
import { myStakeLogs, myStakes, stakePlans } from './staking.ts'
import { getTicket, tickets } from './support.ts'
import { countDownlineStake, lastReferrals, teamTotals, teamTree } from './team.ts'
import { exchangeHistory } from './transfers.ts'
import { homeCount, userWallet } from './wallets.ts'
import { bridgeHistory, withdrawalHistory } from './withdrawals.ts'

const at = '2026-01-31T10:20:30.000Z'
const meta = { total: 1, page: 1, limit: 25 }
const list = (row: unknown) => ({ data: [row], meta })
const user = { email: 'ada@gmail.com', name: 'Ada' }
const userStake = { planName: 'Gold', stakeAmount: 100, apy: 120, duration: 365 }
const bounty = { profit: 0.3, level: 1, createdAt: at, dailyBonus: { dailyRoy: 3, userStake: { user, planName: 'Gold', duration: 365 } } }
const stake = { ...userStake, wallet: 'mywallet', dailyRoy: 0.32876712, createdAt: at, status: 'ACTIVE' }
const catalogueNft = {
  id: '7',
  name: 'Dome 1',
  title: 'A dome',
  walletName: 'dome',
  quantity: 3,
  price: 250,
  duration: 12,
  dailyRoi: 36,
  status: 'ACTIVE',
}
const boughtNft = { ...catalogueNft, monthlyRoi: 7.5, totalRoi: 90, paidBy: 'depositwallet', lastDistributionDate: at }
const person = {
  id: '1',
  name: 'Ada',
  email: user.email,
  rank: null,
  referralCode: 'SPONSOR',
  myReferralCode: 'ADA123',
  stakes: [{ stakeAmount: 5, createdAt: at }],
}

/** Responses with exactly the specified keys. */
const answers: readonly (readonly [string, Route, unknown])[] = [
  ['EN-02', login, { token: 't', user: { isVerified: false } }],
  ['EN-03', refreshToken, { accessToken: 't' }],
  ['EN-07', register, { token: 't' }],
  ['API-26', verifyLink, { token: 't' }],
  ['API-27', verifyToken, { token: 't' }],
  [
    'EN-08',
    userWallet,
    { depositWallet: 1.5, nativeWallet: 0, icoWallet: 2, newIcoWallet: 3, stakeWallet: 4, nftWallet: 5, rcmWallet: 0.00000001 },
  ],
  [
    'EN-09',
    profile,
    {
      id: '1',
      name: 'Ada',
      status: true,
      isVerified: true,
      isActive: true,
      rank: 'gold',
      isSpecialRcm: false,
      myReferralCode: 'ADA123',
      referralCount: 2,
    },
  ],
  ['EN-13] [EN-14] [EN-15', generalSettings, { coinPrice: 0.008, minCoin: 1, maxCoin: 10000000 }],
  ['EN-16', exchangeSettings, [{ exchangeLimit: 10 }]],
  ['EN-17] [EN-18', exchangeHistory, list({ createdAt: at, user: { email: user.email }, amount: 12.34 })],
  ['EN-19', popup, { title: 'Hello', message: 'News', isActive: true }],
  ['EN-20] [EN-21', myTeam, list({ name: 'Ada', email: user.email, myReferralCode: 'ADA123', updatedAt: at })],
  ['EN-22', transactionHistory, list({ amount: 5, bonusFrom: user.email, createdAt: at })],
  ['EN-23', buyTokenHistory, list({ coinAmount: 100, coinPrice: 0.008, totalPrice: 0.8, createdAt: at })],
  ['EN-24', stackBonusHistory, list({ bonusAmount: 5, email: user.email, level: 1, createdAt: at })],
  ['EN-25', depositRequests, list({ status: 'APPROVE', amount: 100 })],
  ['EN-27', homeCount, { dailyBonusCount: 1.5, transactionHistoryCount: 2, dailyStakeLogsBonus: 0 }],
  [
    'EN-29',
    myNftWallet,
    { dome: 1, domePrice: 250, wagon: 0, wagonPrice: 0, hotelAndResort: 0, hotelAndResortPrice: 0, land: 0, landPrice: 0 },
  ],
  ['EN-30', stakePlans, list({ id: '1', planName: 'Gold', duration: 365, minimum: 100, apy: 120, status: 'ACTIVE' })],
  ['EN-31', myStakes, list(stake)],
  ['EN-31', myStakeLogs, list({ ...stake, status: 'COMPLETED' })],
  ['EN-32] [EN-33', royBonusHistory, list({ createdAt: at, dailyRoy: 3, userStake })],
  ['EN-33', stakeLogRewardHistory, list({ createdAt: at, dailyRoy: 3, userStake })],
  ['EN-34', profitBountyHistory, list(bounty)],
  ['EN-35', stakeLogBountyHistory, list(bounty)],
  ['EN-36] [EN-38', activeNfts, list(catalogueNft)],
  ['EN-36] [EN-38', nftHistory, list(boughtNft)],
  ['EN-37', nftMonthlyRoiHistory, list({ createdAt: at, myNft: boughtNft })],
  ['EN-40', nftLevelBonus, { data: list({ createdAt: at, email: user.email, bonusAmount: 1, level: 2, duration: 12, dailyRoi: 36 }) }],
  [
    'EN-41',
    nftProfitBountyHistory,
    {
      data: list({
        createdAt: at,
        profit: 1,
        level: 2,
        duration: 12,
        dailyRoi: 36,
        nftDailyRoiHistory: { user: { email: user.email }, myNft: { name: 'Dome 1' }, dailyRoi: 7.5 },
      }),
    },
  ],
  ['EN-42', bridgeHistory, list({ createdAt: at, to: '0x00', amount: 5, desc: '0', status: null })],
  [
    'EN-43',
    myDeposits,
    list({ createdAt: at, user: { name: 'Ada' }, orderId: 'o-1', priceAmount: 5, payAmountNum: 5, desc: 'USDT', status: 'APPROVE' }),
  ],
  ['EN-45', withdrawalHistory, list({ createdAt: at, user: { email: user.email }, amount: 100, fee: 5, recived: 93, status: 'PENDING' })],
  ['EN-46', myRankedBonus, list({ createdAt: at, user: { email: user.email }, rank: 'gold', bonus: 5000, desc: 'Rank gold' })],
  ['EN-47', teamTree, { ...person, children: [{ ...person, id: '2', children: [] }] }],
  [
    'EN-49',
    lastReferrals,
    list({
      name: 'Ada',
      email: user.email,
      createdAt: at,
      payment: [{ id: '1', payAmountNum: 5, createdAt: at }],
      deposit: [{ id: '2', amount: 5, createdAt: at }],
    }),
  ],
  ['EN-50', teamTotals, { lastMonthStakeSumTotal: 1, currentMonthStakeSumTotal: 2, lastMonthNFTSum: 3, currentMonthNFTSum: 4 }],
  ['API-84', countDownlineStake, { totalStake: 12 }],
  ['EN-51', tickets, list({ id: '1', title: 'Help', description: 'Please', image: 'a.png', status: 'OPEN', createdAt: at, updates: [] })],
  [
    'EN-51] [EN-53',
    getTicket,
    {
      id: '1',
      title: 'Help',
      description: 'Please',
      image: 'a.png',
      status: 'CLOSED',
      createdAt: at,
      updates: [{ id: '1', message: 'Hi', image: null, role: 'SUPPORT' }],
    },
  ],
  ['EN-54', getInvoice, { wallet_address: '0x00', amount: 5, token_name: 'TIZARA', created_at: at }],
  ['API-94', getPaymentStatus, { status: false, payment_status: 'completed' }],
  ['EN-56', createPayment, { invoice_url: 'https://pay.example/1' }],
  ['EN-57', createInvoice, { data: { invoice_id: '1' } }],
]

describe('replies with only the keys of the specification', () => {
  it.each(answers)('[%s] are accepted', (_, route, data) => {
    const result = v.safeParse(route.reply, data)
    expect(result.issues, route.name).toBeUndefined()
  })

  const readAsZeros: readonly Route[] = [getPaymentStatus, myNftWallet, teamTotals, countDownlineStake]

  it.each(answers)('[%s] are rejected when all keys are missing, unless they contain only sums and counts', (_, route) => {
    expect(v.is(route.reply, {}), route.name).toBe(readAsZeros.includes(route))
    expect(v.is(route.reply, 'text'), route.name).toBe(false)
  })
})

describe('reply schemas', () => {
  it('[EN-08] [CO-45] convert numbers into units', () => {
    const balances = v.parse(userWallet.reply, {
      depositWallet: 1.5,
      nativeWallet: 0,
      icoWallet: 0.1,
      newIcoWallet: 0.2,
      stakeWallet: 0,
      nftWallet: 0,
    })
    expect(balances.depositWallet).toBe(150_000_000n)
    expect(balances.icoWallet + balances.newIcoWallet).toBe(30_000_000n)
    expect(balances.rcmWallet).toBe(0n)
  })

  it('[EN-28] read a sum from a number, a nested sum and null', () => {
    const counts = v.parse(homeCount.reply, {
      dailyBonusCount: { _sum: { dailyRoy: 1.5 } },
      transactionHistoryCount: { _sum: { amount: null } },
      dailyStakeLogsBonus: null,
    })
    expect(counts).toEqual({ dailyBonusCount: 150_000_000n, transactionHistoryCount: 0n, dailyStakeLogsBonus: 0n })
  })

  it('[EN-10] read isActive from a boolean and from text', () => {
    const member = { id: 1, name: 'Ada', status: true, isVerified: true, myReferralCode: 'ADA123' }
    expect(v.parse(profile.reply, { ...member, isActive: 'ACTIVE' })).toMatchObject({ id: '1', isActive: true })
    expect(v.parse(profile.reply, { ...member, isActive: 'INACTIVE' }).isActive).toBe(false)
    expect(v.parse(profile.reply, { ...member, isActive: false }).isActive).toBe(false)
  })

  it('[API-54] read no announcement, one and a list', () => {
    const one = { title: 'Hello', message: 'News', isActive: true }
    expect(v.parse(popup.reply, null)).toBeNull()
    expect(v.parse(popup.reply, [one])).toEqual([one])
  })

  it('[API-83] read a tree without optional keys, and a list of people', () => {
    const tree = v.parse(teamTree.reply, [{ ...person, children: [{ ...person, id: '2' }] }])
    expect(tree).toMatchObject([{ stakes: [{ stakeAmount: 5n * ONE }], children: [{ id: '2', children: [] }] }])
  })

  it('[API-12] [API-71] find the page of a list at either depth', () => {
    const shallow = v.parse(transactionHistory.reply, list({ amount: 5, bonusFrom: 'a', createdAt: at }))
    const deep = v.parse(nftLevelBonus.reply, {
      data: list({ createdAt: at, email: 'a', bonusAmount: 1, level: 2, duration: 12, dailyRoi: 36 }),
    })
    expect(pageOf(shallow).data[0]?.amount).toBe(5n * ONE)
    expect(pageOf(deep).data[0]?.bonusAmount).toBe(ONE)
    expect(pageOf(deep).meta.total).toBe(1)
  })

  it('[API-09] read the sums of a list', () => {
    const page = v.parse(depositRequests.reply, { data: [], meta: { ...meta, sum: 12.5, sumByStatus: { APPROVE: 10, PENDING: 2.5 } } })
    expect(page.meta).toEqual({ ...meta, sum: 1_250_000_000n, sumByStatus: { APPROVE: 10n * ONE, PENDING: 250_000_000n } })
  })

  it('[ST-45] [ST-46] [ST-47] read the three states of a bridge', () => {
    const row = { createdAt: at, to: '0x00', amount: 5, desc: null }
    const page = v.parse(bridgeHistory.reply, {
      data: [
        { ...row, status: null },
        { ...row, status: true },
        { ...row, status: false },
      ],
      meta,
    })
    expect(page.data.map((item) => item.status)).toEqual([null, true, false])
  })

  it('[LS-31] read a payment without amounts as 0', () => {
    expect(v.parse(myDeposits.reply, list({ createdAt: at })).data[0]).toMatchObject({ priceAmount: 0n, payAmountNum: 0n })
  })

  it('drop a known key when another server uses it for something else', () => {
    const page = v.parse(
      transactionHistory.reply,
      list({ amount: 5, bonusFrom: 'a', createdAt: at, id: 12, status: 'DONE', unknown: true }),
    )
    expect(page.data[0]).toEqual({ amount: 5n * ONE, bonusFrom: 'a', createdAt: new Date(at), id: undefined, status: undefined })
  })

  it('[API-46] accept any data in the reply of a money call, because only success is read', () => {
    for (const data of [null, undefined, true, 'ok', [], { id: 1 }]) expect(v.is(buyToken.reply, data)).toBe(true)
    expect(v.parse(buyToken.reply, { receipt: { kind: 'buy-token', id: 'a1' } })).toEqual({ receipt: { kind: 'buy-token', id: 'a1' } })
  })

  it('reject a time that is not a date', () => {
    expect(v.is(transactionHistory.reply, list({ amount: 5, bonusFrom: 'a', createdAt: 'yesterday' }))).toBe(false)
  })
})
