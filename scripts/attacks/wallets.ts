import { type Attack, SRC, testsIn } from './attack.ts'
import { CHAIN, DAY_OLD_BACKUP, fault, INCIDENT, INVOICES, RECONCILIATION, SENDING, SIMULATOR } from './chain-fault.ts'

/** Faults of the worker's wallets, tokens and payments, also after the restore of an old backup. */
export const walletAttacks: readonly Attack[] = [
  // Fees.
  fault(
    'The market price rises while a payout is unmined.',
    'one replacement at the market price; after an hour staff see the cause',
    testsIn(
      `${SENDING}/send-again.test.ts`,
      'is replaced after the timeout at the higher of the minimum bump and the current gas price',
      'is only sent again when it pays the market price, and is reported after an hour',
      'is sent with its lower fee when the wallet cannot pay the higher one, and never as a payment after a cancellation',
    ),
  ),
  fault(
    'The market price rises while a token sweep is unmined, and its address cannot pay the replacement.',
    'the address gets gas, or the cheaper transaction is sent again; after an hour staff see the cause',
    testsIn(
      `${CHAIN}/sweeping/sign-moves.test.ts`,
      'gives the address gas for the higher fee while the sweep is open, once, and then replaces it',
      'sends a cheaper transaction again when the address can pay only that, and signs nothing while it suffices',
      'reports a balance that could not be swept for an hour, until its sweep is signed',
    ),
  ),
  fault(
    'The emergency pause begins while token sweeps are open.',
    'mined ones end, and nothing is signed',
    testsIn(
      `${CHAIN}/sweeping/token-sweep.job.test.ts`,
      'stays during an emergency pause, with expensive gas or without gas, and continues afterwards',
    ),
  ),
  // Old backups.
  fault(
    'An old backup does not have payouts or token sweeps that the chain has.',
    'nothing is signed until `tizara payments adopt` recorded them; each is paid once',
    testsIn(
      `${SENDING}/sending.test.ts`,
      'again after an old backup: payments on the chain are assigned in order, each payout once',
      'after an old backup while a lost payment waits in a pool of any source, so that it is paid once',
      'after a restore until the worker opens the next hour, and the open payments are followed meanwhile',
    ),
    testsIn(
      `${SENDING}/adopt-paid.test.ts`,
      'records only nonce and gas of %s, once it is final, and the audit holds around it',
      'completes a payout that this database signed, by %s made after the backup',
      'adopts a payment that won the nonce of a %s payout: it is paid once, and the other payout is returned once',
    ),
    testsIn(
      `${CHAIN}/sweeping/token-sweep.job.test.ts`,
      'is adopted after the restore of an old backup, in its order, and swept once',
      'is adopted when a move of the restored database took its nonce, which then has the content of the mined one',
    ),
    DAY_OLD_BACKUP,
  ),
  fault(
    'Another program uses the key of a wallet.',
    'incident `spent`; nothing is signed',
    testsIn(`${CHAIN}/sending/choose-nonce.test.ts`, 'is refused when %s'),
    testsIn(
      `${SENDING}/follow-chain.test.ts`,
      'returns the money after a resolution, if no source has a transaction of the payout at the required depth',
    ),
    testsIn(
      `${RECONCILIATION}/reconcile.test.ts`,
      'reports an outflow of the hot wallet without a payout, but no payout, delayed record or refill',
    ),
    INCIDENT,
  ),
  // Tokens.
  fault(
    'A token takes a fee, changes balances by itself, or reports transfers that did not happen.',
    'the token is refused, and two people decide about its payments',
    testsIn(`${CHAIN}/standard-tokens.test.ts`, 'rejects a token that %s'),
    testsIn(`${CHAIN}/verify-balances.test.ts`, 'reports a balance when %s'),
    testsIn(
      `${INVOICES}/chain-invoices.test.ts`,
      'credits one token while it rejects another, whose payments wait for two staff members',
      'holds a payment of an accepted token for two staff members when its address receives less',
    ),
    testsIn(`${SRC}/diagnostics/chain.test.ts`, 'reports a token whose balances do not follow its transfers until they do, and reads on'),
  ),
  fault(
    'A payout succeeds without a transfer, or its receiver gets a part.',
    'nothing is returned until two people have answered; what arrived is never returned',
    testsIn(
      `${SENDING}/follow-chain.test.ts`,
      'is not returned when the receiver got a part, in one source or both, and ends when staff confirm the arrival',
      'ends as staff resolved it when the chain leaves it open: %s',
    ),
    testsIn(
      `${SENDING}/sending.test.ts`,
      'for a failed payment at the required depth in the second source, and not to a changed request',
      'never for a payment that arrived, even if its row claims a cancellation or a failed transaction',
    ),
  ),
  fault(
    'A payer sends another token, native coin, or a payment much too late.',
    'two people return it to an address that the payer names',
    testsIn(
      `${RECONCILIATION}/reconcile.test.ts`,
      'reports native coin at an address beyond the gas that the platform sent, after all other differences',
    ),
    testsIn(`${INVOICES}/chain-invoices.test.ts`, 'holds the other token for two staff members, who credit it as that token or reject it'),
    testsIn(
      `${SRC}/modules/deposits/returns/return-payments.test.ts`,
      'sends a held or rejected payment to its payer once, less the network fee',
      'is requested by the payer, to an address that then binds staff',
    ),
  ),
  // Floods and amounts.
  fault(
    'A payer sends 3,000 small payments to one invoice.',
    'other payments are credited first, and the statements do not grow',
    testsIn(
      `${INVOICES}/watch-invoices.test.ts`,
      'credits 3,000 small payments to one invoice in 15 polls, after the payment of another member in each of them',
    ),
    testsIn(`${INVOICES}/record-transfers.test.ts`, 'takes as many statements for 300 transfers as for one'),
  ),
  fault(
    'A bridge transfer fails on the chain after its request reversed rewards.',
    'the amount and the rewards return',
    testsIn(`${SRC}/modules/rewards/instant/new-money.test.ts`, 'restores the rewards that a returned bridge transfer had reversed'),
  ),
  fault(
    'The hot wallet holds more than its ceiling.',
    'two people move the surplus to a cold address',
    testsIn(
      `${SRC}/modules/withdrawals/cold-moves/cold-moves.test.ts`,
      'takes the surplus to the cold address once, with its gas booked and nothing missing for the comparison',
      'waits while payouts need the money, and stops no payout',
    ),
  ),
  // All of these together.
  fault(
    'Sources fail, blocks disappear, processes end and backups are restored in any order.',
    'each unit that the chain moved is in the books once',
    testsIn(
      `${SIMULATOR}/chain-simulator.postgres.test.ts`,
      'books each unit of the chain once through failing sources, reorgs, ended processes and restored backups',
    ),
    testsIn(
      `${SIMULATOR}/real-node.postgres.test.ts`,
      'books each unit of a real chain node once through failing sources, reorgs, ended processes and restored backups',
    ),
  ),
]
