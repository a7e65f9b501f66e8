import type { PlantedFault } from './planted-fault.ts'

const [CHAIN, SENDING] = ['apps/server/src/gateways/chain', 'apps/server/src/modules/withdrawals/sending']

/** Faults of deposits, payouts and token sweeps that the chain simulator must find. */
export const chainFaults: readonly PlantedFault[] = [
  {
    name: 'a restored database issues the addresses of its newest hour again',
    file: `${CHAIN}/address-generations.ts`,
    before: 'and database = ${DATABASE}`.execute(tx)',
    after: '`.execute(tx)',
  },
  {
    name: 'a block is final at once',
    file: `${CHAIN}/finality.ts`,
    before: 'Math.min(head - confirmations + 1, finalized ?? Number.POSITIVE_INFINITY)',
    after: 'head - 0 * confirmations * (finalized ?? 0)',
  },
  {
    name: 'a node that limits batches stops the jobs',
    file: `${CHAIN}/rpc.ts`,
    before: 'limit = Math.ceil(some.length / 2)',
    after: 'throw error',
  },
  {
    name: 'logs that the first source omits stay unread',
    file: `${CHAIN}/block-scan.ts`,
    before: 'if (watch.secondNode === undefined) return []',
    after: 'if (watch !== undefined) return []',
  },
  {
    name: 'two payments of a transaction to one address count once',
    file: `${CHAIN}/chain-transfers.ts`,
    before: 'counts.set(where, ordinal + 1)',
    after: 'counts.set(where, ordinal)',
  },
  {
    name: 'a dropped payout is not sent again',
    file: `${SENDING}/broadcast.ts`,
    before: 'return waited >= RESEND_AFTER_MS ?',
    after: 'return transaction.sentAt === null && waited >= RESEND_AFTER_MS ?',
  },
  {
    name: 'a dropped token sweep is not sent again',
    file: `${CHAIN}/sweeping/follow-moves.ts`,
    before: '(last.sentAt !== null && isRecent(last.sentAt, now, RESEND_AFTER_MS))',
    after: 'last.sentAt !== null',
  },
  {
    name: 'a payout that a reorg unmined stays mined',
    file: `${SENDING}/follow-chain.ts`,
    before: "if (state !== 'MINED') return 0",
    after: "if (state === 'MINED' || requestId > 0n) return 0",
  },
  {
    name: 'the hot wallet signs although the chain has more transactions',
    file: `${SENDING}/sender.ts`,
    before: 'if (counted > known) throw',
    after: 'if (counted > known + 1_000) throw',
  },
]
