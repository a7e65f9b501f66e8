import * as wire from '@tizara/contract/rewards'
import { countDownlineStake } from '@tizara/contract/team'
import { getReceipt } from '@tizara/contract/wallets'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations, expectList } from '../test/list-check.tsx'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import NftLevelBonusScreen from './nft-level-bonus.screen.tsx'
import NftProfitBountyScreen from './nft-profit-bounty.screen.tsx'
import NftRoiScreen from './nft-roi.screen.tsx'
import ProfitBountyScreen from './profit-bounty.screen.tsx'
import RankBonusScreen from './rank-bonus.screen.tsx'
import RewardHistoryScreen from './reward-history.screen.tsx'
import StakeLevelRewardScreen from './stake-level-reward.screen.tsx'
import StakeLogRewardsScreen from './stake-log-rewards.screen.tsx'
import StakeLogsProfitBountyScreen from './stake-logs-profit-bounty.screen.tsx'
import TransactionHistoryScreen from './transaction-history.screen.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
})

const createdAt = new Date(2026, 2, 5, 14, 7).toISOString()
const list = <Row,>(data: Row[]) => ({ data, meta: { total: data.length, page: 1, limit: 25 } })
const daily = { createdAt, dailyRoy: 27.39726027, userStake: { planName: 'Gold', stakeAmount: 100000, apy: 10, duration: 365 } }
const bounty = {
  createdAt,
  profit: 2.73972602,
  level: 1,
  dailyBonus: { dailyRoy: 27.39726027, userStake: { user: { email: 'bo@gmail.com', name: 'Bo Li' }, planName: 'Gold', duration: 365 } },
}
const nft = {
  id: 'np1',
  name: 'Lake Dome',
  walletName: 'dome' as const,
  price: 100,
  duration: 24,
  dailyRoi: 48,
  monthlyRoi: 2,
  status: 'ACTIVE',
}

it('[LS-13] [EN-22] lists Transaction History', async () => {
  api.reply(wire.transactionHistory, list([{ amount: 625.125, bonusFrom: 'bo@gmail.com', createdAt }]))
  await expectList({
    Screen: TransactionHistoryScreen,
    title: 'Transaction History',
    headers: ['SL NO', 'Amount', 'Details', 'Time'],
    cells: ['1', '625.13 TIZARA', 'Reward from bo@gmail.com', '05 Mar 2026, 02:07 PM'],
    csv: `1,625.125,Reward from bo@gmail.com,${createdAt}`,
  })
})

it('[LS-15] [LS-08] [EN-34] lists Profit Bounty History', async () => {
  api.reply(wire.profitBountyHistory, list([bounty]))
  await expectList({
    Screen: ProfitBountyScreen,
    title: 'Profit Bounty History',
    headers: ['Date', 'Profit', 'Level', 'User', 'Staked Plan', 'Staked Bonus'],
    cells: ['05 Mar 2026', '2.74 TIZARA', '1', 'bo@gmail.comBo Li', 'Gold 365D', '27.40 TIZARA'],
    csv: `${createdAt},2.73972602,1,bo@gmail.com Bo Li,Gold 365D,27.39726027`,
  })
})

it('[LS-38] [EN-35] [LS-47] lists Stake Logs Profit Bounty', async () => {
  api.reply(wire.stakeLogBountyHistory, list([bounty]))
  await expectList({
    Screen: StakeLogsProfitBountyScreen,
    title: 'Stake Logs Profit Bounty',
    headers: ['SL NO', 'Date', 'Profit Amount', 'MY Level', 'User', 'Staked Plan', 'Staked Bonus'],
    cells: ['1', '05 Mar 2026', '2.74 TIZARA', '1', 'bo@gmail.comBo Li', 'Gold 365D', '27.40 TIZARA'],
    csv: `1,${createdAt},2.73972602,1,bo@gmail.com Bo Li,Gold 365D,27.39726027`,
  })
})

it('[LS-17] [LS-08] [EN-32] [EN-33] lists Reward History', async () => {
  api.reply(wire.royBonusHistory, list([daily]))
  await expectList({
    Screen: RewardHistoryScreen,
    title: 'Reward History',
    headers: ['Date', 'Plan Name', 'Stake Amount', 'APY', 'Daily Token'],
    cells: ['05 Mar 2026', 'Gold', '100,000.00 TIZARA', '10', '27.40 TIZARA'],
    csv: `${createdAt},Gold,100000,10,27.39726027`,
  })
})

it('[LS-40] [EN-33] [LS-47] lists Stake log Rewards with the percent sign', async () => {
  api.reply(wire.stakeLogRewardHistory, list([daily]))
  await expectList({
    Screen: StakeLogRewardsScreen,
    title: 'Stake log Rewards',
    headers: ['SL NO', 'Date', 'Plan Name', 'Stake Amount', 'APY', 'Daily Token'],
    cells: ['1', '05 Mar 2026', 'Gold', '100,000.00 TIZARA', '10%', '27.40 TIZARA'],
    csv: `1,${createdAt},Gold,100000,10%,27.39726027`,
  })
})

it('[LS-24] [LS-08] [EN-24] [LS-47] lists Stake Level Reward', async () => {
  api.reply(wire.stackBonusHistory, list([{ bonusAmount: 50.5, email: 'bo@gmail.com', level: 3, createdAt }]))
  await expectList({
    Screen: StakeLevelRewardScreen,
    title: 'Stake Level Reward',
    headers: ['Amount', 'Reward From', 'My Level', 'Time'],
    cells: ['50.50 TIZARA', 'bo@gmail.com', '3', '05 Mar 2026, 02:07 PM'],
    csv: `50.5,bo@gmail.com,3,${createdAt}`,
  })
})

it('exports pending rewards of a list in the CSV file', async () => {
  const row = { bonusAmount: 50.5, email: 'bo@gmail.com', level: 3, createdAt }
  api.reply(
    wire.stackBonusHistory,
    list([
      { ...row, status: 'held' as const },
      { ...row, status: 'paid' as const },
    ]),
  )
  await expectList({
    Screen: StakeLevelRewardScreen,
    title: 'Stake Level Reward',
    headers: ['Amount', 'Reward From', 'My Level', 'Time'],
    cells: ['Held50.50 TIZARA', 'bo@gmail.com', '3', '05 Mar 2026, 02:07 PM'],
    csv: `50.5,bo@gmail.com,3,${createdAt},Held`,
    csvHead: 'Amount,Reward From,My Level,Time,State',
  })
})

it('exports the reason for a cancelled reward', async () => {
  const row = { bonusAmount: 50.5, email: 'bo@gmail.com', level: 3, createdAt }
  api.reply(wire.stackBonusHistory, list([{ ...row, status: 'reversed' as const, reason: 'bought below himself' }]))
  await mount(<StakeLevelRewardScreen />, '/stake-level-reward')
  await expect.element(page.getByRole('cell', { name: 'Reversed 50.50 TIZARA bought below himself' })).toBeVisible()
})

it('[RW-01] shows why a purchase earned nothing', async () => {
  const unearned = { amount: 0, bonusFrom: 'bo@gmail.com', createdAt, status: 'unearned' as const, reason: 'Your account was blocked' }
  api.reply(wire.transactionHistory, list([unearned]))
  await mount(<TransactionHistoryScreen />, '/history/transaction-history')
  await expect.element(page.getByRole('cell', { name: 'No reward 0.00 TIZARA Your account was blocked' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Purchase by bo@gmail.com' })).toBeVisible()
})

it('[API-08] accepts only calendar days from the address', async () => {
  api.reply(wire.royBonusHistory, list([daily]))
  await mount(<RewardHistoryScreen />, '/roi-history?from=2026-02-31&to=2026-03-05')
  await expect.element(page.getByRole('button', { name: /Open receipt 1/ })).toBeVisible()
  expect(api.calls(wire.royBonusHistory).map(({ query }) => [query.get('from'), query.get('to')])).toEqual([[null, '2026-03-05']])
})

it.each([
  ['from=2026-03-05&to=2026-03-05', 0],
  ['to=2026-03-01', 1],
])('[API-08] reports rows of another server outside the chosen days: %s', async (range, notes) => {
  api.reply(wire.royBonusHistory, list([daily]))
  await mount(<RewardHistoryScreen />, `/roi-history?${range}`)
  await expect.element(page.getByRole('button', { name: /Open receipt 1/ })).toBeVisible()
  expect(page.getByText('Days cannot be chosen here: rows of all days are shown.').elements()).toHaveLength(notes)
})

it('marks a pending NFT reward', async () => {
  api.reply(wire.nftMonthlyRoiHistory, list([{ createdAt, myNft: nft, status: 'owed' as const }]))
  await mount(<NftRoiScreen />)
  await expect.element(page.getByRole('cell', { name: /^Owed / })).toBeVisible()
})

it('[LS-25] [LS-27] [EN-40] [API-71] lists NFT Level Bonus History from a nested list', async () => {
  api.reply(wire.nftLevelBonus, {
    data: list([{ createdAt, email: 'bo@gmail.com', bonusAmount: 25, level: 2, duration: 24, dailyRoi: 48 }]),
  })
  await expectList({
    Screen: NftLevelBonusScreen,
    title: 'NFT Level Bonus History',
    headers: ['SL NO', 'Date', 'User', 'Amount', 'Level', 'Duration', 'Daily ROI'],
    cells: ['1', '05 Mar 2026', 'Bonus from bo@gmail.com', '25.00 USD', 'level 2', '24 months', '48'],
    csv: `1,${createdAt},Bonus from bo@gmail.com,25,level 2,24 months,48`,
  })
})

it('[LS-26] [LS-27] [LS-28] [EN-41] [API-72] lists NFT Profit Bounty History with both rewards', async () => {
  const row = {
    createdAt,
    profit: 0.2,
    level: 1,
    duration: 24,
    dailyRoi: 48,
    nftDailyRoiHistory: { user: { email: 'bo@gmail.com' }, myNft: { name: 'Lake Dome' }, dailyRoi: 36 },
  }
  api.reply(wire.nftProfitBountyHistory, { data: list([row]) })
  await expectList({
    Screen: NftProfitBountyScreen,
    title: 'NFT Profit Bounty History',
    headers: ['SL NO', 'Date', 'From User', 'Users NFT & Reward', 'My Profit', 'My Level', 'Duration', 'Daily ROI'],
    cells: ['1', '05 Mar 2026', 'bo@gmail.com', 'Lake Dome 36.00 USD', '0.20 USD', '1', '24 months', '48'],
    csv: `1,${createdAt},bo@gmail.com,Lake Dome 36,0.2,1,24 months,48`,
  })
})

it('[LS-41] [LS-42] [EN-37] [LS-47] lists NFT ROI History', async () => {
  api.reply(wire.nftMonthlyRoiHistory, list([{ createdAt, myNft: nft }]))
  await expectList({
    Screen: NftRoiScreen,
    title: 'NFT ROI History',
    headers: ['SL NO', 'Date', 'NFT', 'Kind', 'Price', 'Duration', 'Total Reward %', 'Monthly Reward'],
    cells: ['1', '05 Mar 2026', 'Lake Dome', 'Dome', '100.00 USD', '24 months', '48', '2.00 USD'],
    csv: `1,${createdAt},Lake Dome,Dome,100,24 months,48,2`,
  })
})

it('[LS-39] [EN-46] [EN-12] lists Rank Bonus History', async () => {
  api.reply(
    wire.myRankedBonus,
    list([{ createdAt, user: { email: 'amara@gmail.com' }, rank: 'silver', bonus: 2500, desc: 'Rank reached' }]),
  )
  await expectList({
    Screen: RankBonusScreen,
    title: 'Rank Bonus History',
    headers: ['SL NO', 'Date', 'Email', 'Rank', 'Amount', 'Description'],
    cells: ['1', '05 Mar 2026', 'amara@gmail.com', 'SILVER', '2,500.00 TIZARA', 'Rank reached'],
    csv: `1,${createdAt},amara@gmail.com,SILVER,2500,Rank reached`,
  })
})

const programme = {
  version: 1,
  startsAt: createdAt,
  referralPercent: 5,
  levelPercents: [5, 3, 2, 1, 1],
  bountyPercents: [10, 5, 3, 2, 1],
  stakeLogLevelPercents: [5, 3, 2, 1, 1],
  stakeLogBountyPercents: [10, 5, 3, 2, 0.5],
  nftLevelPercents: [5, 3, 2, 1, 1],
  nftBountyPercents: [10, 5, 3, 2, 1],
  ranks: [
    { rank: 'bronze', teamStake: 100000, bonus: 500 },
    { rank: 'silver', teamStake: 500000, bonus: 2500 },
  ],
}

it.each([
  ['[RW-01]', TransactionHistoryScreen, wire.transactionHistory, 'You get 5% of the coin that they buy with newly deposited USD.'],
  [
    '[RW-02]',
    StakeLevelRewardScreen,
    wire.stackBonusHistory,
    '5% on level 1, 3% on level 2, 2% on level 3, 1% on level 4, 1% on level 5 of each new stake.',
  ],
  ['[RW-02]', StakeLevelRewardScreen, wire.stackBonusHistory, 'Paid when the stake matures.'],
  ['[RW-07]', NftLevelBonusScreen, wire.nftLevelBonus, 'Paid with the first monthly reward.'],
  [
    '[RW-04]',
    ProfitBountyScreen,
    wire.profitBountyHistory,
    '10% on level 1, 5% on level 2, 3% on level 3, 2% on level 4, 1% on level 5 of each daily reward.',
  ],
  ['[RW-09]', StakeLogsProfitBountyScreen, wire.stakeLogBountyHistory, '0.5% on level 5 of each daily reward of an Omega stake.'],
] as const)('%s shows the rates that a list is calculated with', async (_, Screen, route, text) => {
  api.reply(wire.rewardProgramme, programme).reply(route, list([]))
  await mount(<Screen />)
  await expect.element(page.getByText(text, { exact: false })).toBeVisible()
})

it('[RW-05] shows each rank’s requirements and reward, the team’s counted stake and the filled part of each bonus', async () => {
  api
    .reply(wire.rewardProgramme, { ...programme, rankStake: 179000, ranks: programme.ranks.map((rank) => ({ ...rank, filled: 449.99 })) })
    .reply(wire.myRankedBonus, list([]))
    .reply(countDownlineStake, { totalStake: 900000, runningStake: 800000 })
  await mount(<RankBonusScreen />, '/rank-bonus')
  await expect.element(page.getByRole('region', { name: 'Ranks' })).toBeVisible()
  await expect.element(page.getByText('179,000 of 500,000 TIZARA counted now, to SILVER')).toBeVisible()
  await expect.element(page.getByText('from a team stake of 100,000 TIZARA, 449.99 of 500 filled (89%)')).toBeVisible()
  await expect.element(page.getByText('2,500.00')).toBeVisible()
  expect(page.getByRole('img', { name: 'reached' }).elements()).toHaveLength(1)
  expect(await axeViolations()).toEqual([])
})

it('hides the terms when a server does not send them', async () => {
  api.reply(wire.stackBonusHistory, list([]))
  await mount(<StakeLevelRewardScreen />)
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  expect(page.getByText(/You get/).elements()).toHaveLength(0)
})

it('[RO-18] shows an empty Rank Bonus History to a member without a rank', async () => {
  api.reply(wire.myRankedBonus, list([]))
  await mount(<RankBonusScreen />, '/rank-bonus')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
})

it('marks a reward that is earned but not yet paid', async () => {
  api.reply(wire.royBonusHistory, list([{ ...daily, status: 'owed' as const }]))
  await mount(<RewardHistoryScreen />)
  await expect.element(page.getByRole('cell', { name: /^Owed / })).toBeVisible()
})

it('formats times and amounts of a receipt as in lists', async () => {
  const matures = new Date(2027, 4, 20, 9, 5)
  api.reply(wire.royBonusHistory, list([{ ...daily, id: 'd1', receipt: { kind: 'daily-reward' as const, id: 'd1' } }])).reply(getReceipt, {
    kind: 'daily-reward',
    id: 'd1',
    title: 'Daily staking reward',
    status: 'paid',
    asset: 'coin',
    amount: 1,
    from: { label: 'Reward pool' },
    to: { label: 'Native Wallet' },
    createdAt,
    lines: [
      { label: 'Matures', value: matures.toISOString(), at: matures.toISOString() },
      { label: 'Paid in one sum with other rewards', value: '12345.5', amount: 12345.5 },
      { label: 'Arrived in Deposit Wallet', value: '16', amount: 16, asset: 'usd' },
    ],
  })
  await mount(<RewardHistoryScreen />)
  await page.getByRole('button', { name: /Open receipt 1/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Receipt' })
  for (const text of ['20 May 2027, 09:05 AM', '12,345.50', '16.00', 'PAID'])
    await expect.element(drawer.getByText(text, { exact: true }).first()).toBeVisible()
  expect(drawer.element().textContent).not.toContain(matures.toISOString())
  expect(drawer.getByRole('link', { name: 'Open the invoice' }).elements()).toHaveLength(0)
})

it('shows member, level, base, rate and version on the receipt', async () => {
  api
    .reply(wire.profitBountyHistory, list([{ ...bounty, id: 'b1', receipt: { kind: 'profit-bounty' as const, id: 'b1' } }]))
    .reply(getReceipt, {
      kind: 'profit-bounty',
      id: 'b1',
      title: 'Profit bounty',
      asset: 'coin',
      amount: 2.73972602,
      from: { label: 'Reward pool' },
      to: { label: 'Native Wallet' },
      rule: 'A share of the daily reward',
      ruleVersion: 'programme 3',
      rate: 10,
      rateUnit: 'percent',
      base: 27.39726027,
      level: 1,
      sourceMember: 'Bo Li',
      sourceLabel: 'Gold, day 112',
      createdAt,
      lines: [],
    })
  await mount(<ProfitBountyScreen />)
  await page.getByRole('button', { name: /Open receipt 1/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Receipt' })
  for (const text of ['Bo Li', 'Gold, day 112', /programme 3/, /^10/, /27\.39726027/])
    await expect.element(drawer.getByText(text).first()).toBeVisible()
  await expect
    .element(drawer.getByRole('link', { name: 'Report a problem' }))
    .toHaveAttribute('href', expect.stringContaining('/create-ticket?'))
})
