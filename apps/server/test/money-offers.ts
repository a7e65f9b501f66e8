import { ONE } from '@tizara/money'
import { type MoveName, moves, type ownersOfNewest } from './money-moves.ts'
import type { Plans } from './money-wire.ts'

/** For tests: random offers of a platform, and the calls that a sequence makes often. */

/**
 * Groups of calls that need each other. A sequence uses two groups, because sequences with few kinds of calls reach deeper states than
 * sequences with all kinds.
 */
const GROUPS: readonly [readonly Step[], ...(readonly Step[])[]] = [
  ['buy', 'exchange', 'sell'],
  ['buy', 'send'],
  ['buy', 'exchange', 'sell', 'bridge', 'approve', 'comeBack'],
  ['buy', 'exchange', 'sell', 'price'],
  ['invoice', 'swap', 'sell', 'stake'],
  ['buy', 'exchange', 'askSale', 'withdrawSale', 'price'],
  ['stake', 'stake', 'exchange', 'fund'],
  ['nft', 'exchange', 'price', 'reverseNft'],
  ['nft', 'nftToDeposit', 'convert', 'fund'],
  ['stake', 'gift', 'reverseStake', 'reverseCoin', 'programme'],
  ['withdraw', 'approve', 'reject', 'send', 'reverseTransfer'],
]
/** Calls in addition to those of {@link moves}: calls of the operator and staff, sell requests, and the closing of an account. */
export const EVENTS = [
  'price',
  'fund',
  'programme',
  'block',
  'askSale',
  'withdrawSale',
  'comeBack',
  'close',
  'deposit',
  'bringCoin',
  'days',
  'crowd',
  'invoice',
] as const
export type Event = (typeof EVENTS)[number]
export type Step = MoveName | Event
export const isMove = (name: string): name is MoveName => name in moves
/** Calls that need a row: its table, and the call to make if there is none. Often the owner of one of the newest rows is chosen. */
export const NEEDS: Partial<Record<Step, { rows: Parameters<typeof ownersOfNewest>[1]; before: Step }>> = {
  approve: { rows: 'payout_request', before: 'bridge' },
  reject: { rows: 'payout_request', before: 'bridge' },
  comeBack: { rows: 'payout_sending', before: 'approve' },
  reverseCoin: { rows: 'coin_purchase', before: 'buy' },
  reverseStake: { rows: 'stake', before: 'stake' },
  reverseNft: { rows: 'nft_purchase', before: 'nft' },
}

/** Chooses the offers of a platform at random. */
export function drawOffers(roll: (below: number) => number) {
  const oneOf = <T>(...list: readonly [T, ...T[]]): T => list[roll(list.length)] ?? list[0]
  const plans: Plans = {
    sprint: { days: oneOf(1, 3, 7), apy: ONE / 5n + BigInt(roll(1000)), omega: false },
    long: { days: oneOf(365, 500, 730), apy: oneOf(ONE, 17n * ONE, 40n * ONE), omega: false },
    omega: { days: oneOf(12, 364), apy: oneOf(ONE, 9n * ONE), omega: true },
  }
  const often = [...oneOf(...GROUPS), ...oneOf(...GROUPS)]
  return {
    plans,
    nftPercent: BigInt(oneOf(12, 60, 100, 120)) * ONE,
    price: oneOf(800_000n, 837_001n, 1_234_567n, 999_999n),
    bridgeFeePercent: oneOf(0n, 3n, 5n, 7n) * ONE,
    poolCoin: oneOf(6_000n, 20_000n, 60_000n, 600_000n, 100_000_000n) * ONE,
    poolUsd: oneOf(60n, 600n, 1_000_000n) * ONE,
    /** A line of accounts, or all below one sponsor. */
    isLine: roll(2) === 0,
    often,
    holdDays: oneOf(1, 3, 10),
    salesFund: oneOf(1_000_000_000n, 1_000_000_000n, 500n) * ONE,
    hasPriceChanges: often.includes('price') ? roll(4) > 0 : roll(4) === 0,
    hasAnnouncedPrices: roll(2) === 0,
    hasBlocks: roll(4) === 0,
    /** Days that the clock jumps at the end. */
    jumpDays: oneOf(0, 6, 8, 31),
  }
}
