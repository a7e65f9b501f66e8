import { irreversible, ledgerTransfers, type ReversalRule } from '../../../ledger/index.ts'
import { coinTransfers } from '../../coin/index.ts'
import { depositTransfers } from '../../deposits/index.ts'
import { importTransfers } from '../../import/index.ts'
import { nftTransfers } from '../../nfts/index.ts'
import { rewardTransfers } from '../../rewards/index.ts'
import { stakingTransfers } from '../../staking/index.ts'
import { ownTransfers } from '../../transfers/index.ts'
import type { MovingKind } from '../../wallets/index.ts'
import { withdrawalTransfers } from '../../withdrawals/index.ts'

/** Closed list: all posted transfer kinds. */
export const allTransfers = {
  ...ledgerTransfers,
  ...coinTransfers,
  ...stakingTransfers,
  ...nftTransfers,
  ...depositTransfers,
  ...withdrawalTransfers,
  ...ownTransfers,
  ...importTransfers,
  ...rewardTransfers,
} satisfies Record<string, MovingKind>

const kinds: Readonly<Record<string, MovingKind>> = allTransfers

/** Returns what members see of a kind; undefined if it moves no wallet. */
export const receiptOfKind = (kind: string): MovingKind['receipt'] => kinds[kind]?.receipt

/** Returns a kind's title for staff. A kind that moves no wallet is shown by its name. */
export const wordsOf = (kind: string): string => receiptOfKind(kind)?.staffTitle ?? receiptOfKind(kind)?.title ?? kind

/** Returns a kind's reversal rule. An undeclared kind is irreversible. */
export const reversalRule = (kind: string): ReversalRule =>
  kinds[kind]?.reversal ?? irreversible('it only moved money between shards of a system account')

export const isReward = (kind: string): boolean => receiptOfKind(kind)?.group === 'reward'

/** Transfer kinds in members' wallets: rewards, and all others. */
export const rewardKinds: readonly string[] = Object.keys(kinds).filter(isReward)
export const movingKinds: readonly string[] = Object.keys(kinds).filter((kind) => receiptOfKind(kind) !== undefined && !isReward(kind))
