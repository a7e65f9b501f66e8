import type { PlantedFault } from './planted-fault.ts'

const [CHAIN, SENDING] = ['apps/server/src/gateways/chain', 'apps/server/src/modules/withdrawals/sending']

/** Faults of deposits, payouts and token sweeps that the chain simulator must find. */
export const chainFaults: readonly PlantedFault[] = [
  {
    name: 'a restored database reuses deposit addresses that were issued after the backup',
    file: `${CHAIN}/address-generations.ts`,
    before: 'and database = ${DATABASE}`.execute(tx)',
    after: '`.execute(tx)',
  },
  {
    // Needs two restores and an hour between them (seed 168494741).
    name: 'the scan of an earlier restore counts for a later one',
    file: `${CHAIN}/address-generations.ts`,
    before: 'update chain_address_recovery set database = ${RESTORED}',
    after: 'select 1',
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
    before: "({ state }) => state === 'SIGNED'",
    after: "({ state, transactions }) => state === 'SIGNED' && transactions.at(-1)?.sentAt === null",
  },
  {
    name: 'a dropped token sweep is not sent again',
    file: `${CHAIN}/sweeping/follow-moves.ts`,
    before: 'await sweeper.lease.read((db) => openMoves(db, sweeper.rules.chainId))',
    after:
      '(await sweeper.lease.read((db) => openMoves(db, sweeper.rules.chainId))).filter((move) => move.transactions.at(-1)?.sentAt === null)',
  },
  {
    name: 'a payout that a reorg unmined stays mined',
    file: `${SENDING}/follow-chain.ts`,
    before: "if (state !== 'MINED') return 0",
    after: "if (state === 'MINED' || requestId > 0n) return 0",
  },
  {
    name: 'an adopted payment leaves its nonce to the next payout',
    file: `${SENDING}/adopt-paid.ts`,
    before: 'set next_nonce = next_nonce + 1',
    after: 'set next_nonce = next_nonce + 0',
  },
  {
    name: 'a restored database looks for no lost address',
    file: `${CHAIN}/recover-addresses.ts`,
    before: 'if (open === undefined) return true',
    after: 'if (open === undefined || done === 0) return true',
  },
  {
    // The final scan would correct it later (chain-transfers.ts), so the credit would still be right.
    name: 'a payment that a reorg removed is shown as pending',
    file: `${CHAIN}/handle-reorg.ts`,
    before: "and state <> 'GONE' returning address",
    after: "and state = 'FINAL' returning address",
  },
  {
    name: 'the money of a cancelled payout is returned while its transaction may still be mined',
    file: `${SENDING}/cancel-sending.ts`,
    before: "if (sending.state !== 'QUEUED') return 'asked'",
    after: "if (sending.state === 'MINED') return 'asked'",
  },
  {
    name: 'the end of a payout reads the clock twice',
    file: `${SENDING}/return-payout.ts`,
    before: "state: 'FAILED' | 'CANCELLED' },\n): Promise<number> {\n  const deps = withFrozenClock(liveDeps)",
    after: "state: 'FAILED' | 'CANCELLED' },\n): Promise<number> {\n  const deps = liveDeps",
  },
  {
    name: 'a source whose head does not change counts as alive',
    file: `${CHAIN}/chain-cursor.ts`,
    before: 'Math.min(known.seenAt.getTime(), known.headAt.getTime())',
    after: 'known.seenAt.getTime()',
  },
  {
    name: 'a log that the sources repeat is credited twice',
    file: `${CHAIN}/chain-node.ts`,
    before: 'log.logIndex === sorted[index - 1]?.logIndex))\n    throw unreadableAnswer()',
    after: 'log.logIndex === sorted[index - 1]?.logIndex))\n    void unreadableAnswer()',
  },
  {
    name: 'a payout whose gas price is below the market is not replaced',
    file: `${SENDING}/replace-stuck.ts`,
    before: 'stuckMs: rules.stuckSeconds * 1000',
    after: 'stuckMs: rules.stuckSeconds * 1_000_000_000',
  },
  {
    // Needs a restore, a rise of the price, and no block that mines the lost token sweep (seed 168494455).
    name: 'a pending token sweep that a restore lost cannot be adopted',
    file: `${CHAIN}/sweeping/adopt-move.ts`,
    before: 'if (recorded.rows.length > 0) ',
    after: "if (mined === null) throw new NotAdopted('it is in no block')\n    if (recorded.rows.length > 0) ",
  },
  {
    // Needs two restores and a payment after a lost token sweep (seed 731905004).
    name: 'a restored database begins an address at the nonce of the chain',
    file: `${CHAIN}/sweeping/moves.queries.ts`,
    before: '(select 0 from chain_address where address = ${wallet})',
    after: 'null',
  },
  {
    name: 'an address gets no gas for the replacement of its token sweep',
    file: `${CHAIN}/sweeping/follow-moves.ts`,
    before: 'await giveGas(sweeper, address, reason.missing, reason.market)\n    return 1',
    after: 'return 0',
  },
]
