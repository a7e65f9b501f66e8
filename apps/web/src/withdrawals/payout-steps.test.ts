import { expect, it } from 'vitest'
import { type PayoutProgress, payoutSteps } from './payout-steps.rules.ts'

const until = new Date('2031-11-25T22:45:00Z')

it.each<[string, PayoutProgress, string]>([
  ['waits for its owner', { decision: 'pending', waitsUntil: until }, 'done current todo todo todo'],
  ['waits for staff', { decision: 'pending' }, 'done done current todo todo'],
  ['is about to be sent', { decision: 'approved', sending: 'waiting' }, 'done done done current todo'],
  ['is on the chain', { decision: 'approved', sending: 'confirming' }, 'done done done done current'],
  ['has arrived', { decision: 'approved', sending: 'arrived' }, 'done done done done done'],
  ['was paid by hand', { decision: 'approved' }, 'done done done done done'],
  ['was rejected', { decision: 'rejected', reason: 'Wrong network' }, 'done failed'],
])('[EN-45] shows the steps of a payout that %s', (_, progress, states) => {
  expect(
    payoutSteps(progress)
      .map((step) => step.state)
      .join(' '),
  ).toBe(states)
})

it('shows the next action and its deadline, and why nothing was paid', () => {
  expect(payoutSteps({ decision: 'pending', waitsUntil: until })[1]).toMatchObject({
    label: 'Your confirmation',
    hint: expect.stringMatching(/^Confirm it by 2[56] Nov 2031, .*Otherwise the money returns to your wallet\.$/),
  })
  expect(payoutSteps({ decision: 'rejected', reason: 'Wrong network' }).at(-1)?.hint).toBe(
    'Wrong network: The whole amount is back in your wallet.',
  )
})
