import { expect, it } from 'vitest'
import { diffOf } from './diff.ts'

it('lists every field of a proposal with its current and proposed value', () => {
  expect(diffOf({ subject: 'price', before: { coinPrice: 0.008 }, value: { coinPrice: 0.0085 } })).toEqual([
    { label: 'Coin price', before: '0.0080 USD', after: '0.0085 USD', same: false },
  ])
  const gold = { planName: 'Gold', duration: 365, minimum: 5000, apy: 11, status: 'ACTIVE' }
  expect(
    diffOf({ subject: 'plan', before: gold, value: { ...gold, planId: 'p1', minimum: 10_000, status: 'INACTIVE' }, current: gold }),
  ).toEqual([
    { label: 'Name', before: 'Gold', after: 'Gold', same: true },
    { label: 'Duration', before: '365 days', after: '365 days', same: true },
    { label: 'Smallest stake', before: '5,000 coin', after: '10,000 coin', same: false },
    { label: 'Total percent', before: '11 %', after: '11 %', same: true },
    { label: 'On sale', before: 'yes', after: 'no', same: false },
  ])
  expect(
    diffOf({ subject: 'programme', before: { levelPercents: [1, 2] }, value: { levelPercents: [1, 3] }, current: { referralPercent: 5 } }),
  ).toEqual([
    { label: 'Referral, of bought coin', before: '5 %', after: '5 %', same: true },
    { label: 'Level reward', before: '1 · 2 %', after: '1 · 3 %', same: false },
  ])
  expect(diffOf({ subject: 'nft', before: null, value: { name: 'Dome', duration: 12 } })).toMatchObject([
    { label: 'Name', before: undefined, after: 'Dome' },
    { label: 'Duration', before: undefined, after: '12 months' },
  ])
  expect(
    diffOf({ subject: 'limits', before: { fourEyesAboveUsd: 1000 }, value: { fourEyesAboveUsd: 2000 }, current: { openInvoices: 5 } }),
  ).toHaveLength(1)
})
