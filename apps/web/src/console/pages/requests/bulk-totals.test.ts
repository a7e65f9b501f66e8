import { expect, it } from 'vitest'
import { MAX_SELECTED, bulkTotals } from './bulk-totals.ts'
import type { QueueRow } from './queue.ts'

const row = (id: string, options: Partial<QueueRow> = {}): QueueRow => ({
  id,
  kind: 'withdrawals',
  member: { id, name: id, email: '' },
  asset: 'usd',
  amount: 1n,
  status: 'PENDING',
  flags: [],
  createdAt: new Date(0),
  canDecide: true,
  ...options,
})
const sign = { code: 'FRESH', text: 'The account is less than three days old' }
const first = { by: { id: 's', name: 's', email: '' }, at: new Date(0) }

it('allows a batch only for simple items of one kind, and returns why others are excluded', () => {
  const rows = [
    row('flagged', { signs: [sign] }),
    row('a'),
    row('bridge', { kind: 'bridges' }),
    row('above', { approvalsNeeded: 2 }),
    row('second', { approvals: [first] }),
    row('own', { canDecide: false, whyNot: 'OWN' }),
    row('stopped', { whyNot: 'STOPPED' }),
    row('b'),
  ]
  const { included, excluded } = bulkTotals(rows)
  expect(included.map((one) => one.id)).toEqual(['a', 'b'])
  expect(excluded).toEqual(['1 flagged', '1 of the other kind', '2 for two people', '2 you cannot decide'])
})

it('allows at most 25 items in a batch', () => {
  const { included, excluded } = bulkTotals(Array.from({ length: MAX_SELECTED + 2 }, (_, index) => row(String(index))))
  expect([included.length, excluded]).toEqual([25, ['2 more than 25']])
  expect(bulkTotals([])).toEqual({ included: [], excluded: [] })
})
