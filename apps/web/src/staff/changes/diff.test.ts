import { expect, it } from 'vitest'
import { diffOf } from './diff.ts'

it('shows every field of a change, what holds beside what is proposed', () => {
  expect(diffOf({ coinPrice: 0.008 }, { coinPrice: 0.0085 })).toEqual([
    { label: 'Coin price', before: '0.008', after: '0.0085', same: false },
  ])
  expect(diffOf({ name: 'Gold', status: 'ACTIVE' }, { planId: 'p1', name: 'Gold', status: 'INACTIVE' })).toEqual([
    { label: 'Plan id', before: undefined, after: 'p1', same: false },
    { label: 'Name', before: 'Gold', after: 'Gold', same: true },
    { label: 'Status', before: 'ACTIVE', after: 'INACTIVE', same: false },
  ])
  expect(diffOf({ levelPercents: [1, 2] }, { levelPercents: [1, 3] })[0]).toMatchObject({ before: '1 · 2', after: '1 · 3', same: false })
  expect(diffOf(null, { isActive: true, ranks: [{ rank: 'gold', bonus: 5 }] })).toMatchObject([
    { label: 'Is active', before: undefined, after: 'yes' },
    { label: 'Ranks', after: 'gold 5' },
  ])
})
