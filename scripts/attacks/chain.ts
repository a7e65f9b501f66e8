import { type Attack, SRC, testsIn } from './attack.ts'
import { CHAIN, DAY_OLD_BACKUP, fault, INCIDENT, INVOICES, RECONCILIATION, SENDING, SIMULATOR } from './chain-fault.ts'

const DIFFERENCE = testsIn(
  'apps/server/test/properties/operations/chain-incidents.test.ts',
  'of kind %s has an alert from its second comparison on, and an entry in the guide',
)

/** Faults of the chain and its nodes. */
export const chainAttacks: readonly Attack[] = [
  // One moment per act.
  fault(
    'Staff and members stop payouts many times while the clock runs.',
    'all rows of one act have one time, and the audit holds',
    testsIn(`${SENDING}/sending.test.ts`, 'when cancelled any number of times while the clock runs, with one timestamp per action'),
    testsIn(`${SRC}/modules/withdrawals/payout-mac.test.ts`, 'keeps its MAC valid when all payouts are stopped, returned in time, or paid'),
  ),
  // Addresses.
  fault(
    'A restore sets the number of the next address back, so that two members would get one address.',
    'no address before the next hour; numbers never repeat',
    testsIn(
      `${CHAIN}/address-generations.test.ts`,
      'gives no address before the next hour when %s',
      'uses each index once when many calls run at once',
    ),
    DAY_OLD_BACKUP,
  ),
  fault(
    'A payment arrives at an address that a restore lost.',
    'incident `unclaimed`; two people name the member',
    testsIn(
      `${CHAIN}/address-generations.test.ts`,
      'covers every hour since the backup in the recovery',
      'recovers the hours of each restore, also with %s',
      'stores the next indexes of each hour without an invoice, until a gap of unused addresses',
    ),
    testsIn(`${CHAIN}/block-scan.test.ts`, 'records a final payment to an address without an invoice once, and does not stop payouts'),
    testsIn(
      `${INVOICES}/chain-invoices.test.ts`,
      'is credited once to the member named by two people; later and other tokens wait for a decision',
      'is rescanned together with the addresses of the hours since the block',
    ),
    INCIDENT,
  ),
  // End states.
  fault(
    'A reorg deeper than finality removes completed payouts.',
    'incident `lost`; the same transactions are sent again',
    testsIn(
      `${SENDING}/resend-lost.test.ts`,
      'are resent as signed, with an incident, when a deep reorg removed them',
      'are replaced by a cancellation, signed once, if the payment failed and was returned',
      'are not sent while the platform is paused; the incident is recorded',
    ),
    testsIn(
      `${SIMULATOR}/deep-reorg.postgres.test.ts`,
      'reports a reorg below finality to staff, signs nothing until two people have answered, and sends the lost payout again',
    ),
    INCIDENT,
  ),
  fault(
    'A reorg deeper than finality removes token sweeps, cold moves or returned payments.',
    'incident `lost`; the same transactions are sent again',
    testsIn(
      `${CHAIN}/sweeping/resend-moves.test.ts`,
      'sends completed token sweeps and gas again when a deep reorg removed them, and records one incident',
      'checks a completed token sweep for three days, at doubled intervals',
    ),
    testsIn(
      `${SRC}/modules/withdrawals/cold-moves/cold-moves.test.ts`,
      'is sent again unchanged, with an incident, when a deep reorg removed it after its end, and moves the money once',
    ),
    testsIn(
      `${SRC}/modules/deposits/returns/return-payments.test.ts`,
      'is sent again unchanged when a deep reorg removed it after its end, and arrives once',
    ),
  ),
  fault(
    'A reorg removes a final payment, whose credit is reversed, and the chain mines it again.',
    'incident `reorganised`; the payment waits for two people',
    testsIn(`${INVOICES}/chain-invoices.test.ts`, 'reports a final payment that is gone, keeps its credit, and never credits it again'),
    testsIn(
      `${INVOICES}/watch-invoices.test.ts`,
      'holds a transfer that is mined again after its credit was reversed, and credits others once',
    ),
    INCIDENT,
  ),
  fault(
    'A reorg is deeper than the stored blocks, or a node serves another chain.',
    'incident `unread`; the scan stops',
    testsIn(
      `${CHAIN}/handle-reorg.test.ts`,
      'a reorg deeper than the stored blocks stops the scan and is reported once, also for a second fork',
    ),
    testsIn(`${INVOICES}/chain-invoices.test.ts`, 'of another chain or token is not read'),
    testsIn(`${SENDING}/sending.test.ts`, 'for a node of another chain'),
    INCIDENT,
  ),
  // Finality.
  fault(
    'A node has no final block, one that does not change, or one above its head.',
    'final are only blocks that are deep enough and not above the final block of a source',
    testsIn(
      `${CHAIN}/chain-node.test.ts`,
      'is its finalized block, or unknown when it rejects the tag or has no such block',
      'is not taken as unknown when the node does not answer',
    ),
    testsIn(
      `${CHAIN}/block-scan.test.ts`,
      "finalizes blocks that are 12 deep and not above the node's final block: %s",
      'finalizes nothing that one of two sources does not call final',
    ),
    testsIn(`${SENDING}/follow-chain.test.ts`, 'is reached when deep enough and not above the final block of each source: %s'),
  ),
  fault(
    'A large payment has twelve confirmations.',
    'the invoice says which further blocks are awaited',
    testsIn(`${INVOICES}/chain-invoices.test.ts`, 'names each further condition beside twelve confirmations'),
  ),
  // Liveness.
  fault(
    'The head of a source does not change any more, or all sources are silent.',
    'no invoice opens and no payout is signed; `tizara doctor` names the age of the block',
    testsIn(
      `${CHAIN}/chain-rows.test.ts`,
      'counts as alive for two minutes after the last scan and the last head, and never before the first scan',
    ),
    testsIn(`${CHAIN}/block-scan.test.ts`, 'records the chain as alive after the work, by the timestamp of each head'),
    testsIn(`${INVOICES}/chain-invoices.test.ts`, 'expires nothing while no node answers, and rejects new invoices after two minutes'),
    testsIn(`${SENDING}/sending.test.ts`, 'while the newest block of a source is too old'),
    testsIn(`${SRC}/diagnostics/chain.test.ts`, 'reports whether the node serves the configured chain, and whether the watcher reads it'),
  ),
  // Nodes.
  fault(
    'A node limits batches or ranges, or goes down.',
    'calls are split, and the next node of the list answers',
    testsIn(
      `${CHAIN}/chain-node.test.ts`,
      'are split into batches that the node accepts, here %i',
      'fail over to the next node of the list, and stay there',
      'skip nodes of another chain',
      'send a signed transaction to every node, and succeed when one has it',
    ),
    testsIn(`${INVOICES}/chain-invoices.test.ts`, 'that rejects wide ranges is asked for half the range until it accepts'),
  ),
  fault(
    'A node omits, repeats or invents transfers.',
    'each payment that the sources confirm is credited once',
    testsIn(`${CHAIN}/chain-node.test.ts`, 'reject a repeated log'),
    testsIn(
      `${CHAIN}/block-scan.test.ts`,
      'finalizes a payment whose logs the first source omits, but not one that only the second source has',
    ),
    testsIn(
      `${INVOICES}/chain-invoices.test.ts`,
      'that invents a transfer never makes it final',
      'that omitted a transfer twice is corrected by a rescan from before it when the second source omitted it too',
    ),
    testsIn(
      `${CHAIN}/watch-chain.search.test.ts`,
      'the watcher books each payment of a chain once, whatever sources omit, delay or revert',
    ),
  ),
  fault(
    'A node has no receipt of a mined transaction, answers `"error": null`, or reports too much gas.',
    'nothing is concluded from one missing or impossible receipt',
    testsIn(`${CHAIN}/chain-node.test.ts`, 'treat an error of null as no error'),
    testsIn(
      `${SENDING}/follow-chain.test.ts`,
      'proves no foreign transaction when %s',
      'is not stored with more gas than was signed, in units or price',
    ),
    testsIn(`${RECONCILIATION}/check-receipts.test.ts`, 'prove nothing when one source alone lacks them'),
  ),
  // Single rows.
  fault(
    'The signer refuses one receiver, the key of one address was used elsewhere, or one invoice cannot be settled.',
    'the row shows its problem, and the others go on',
    testsIn(`${SENDING}/sign-queued.test.ts`, 'does not block the others, which get consecutive nonces; the rejected one has the reason'),
    testsIn(`${SENDING}/send-again.test.ts`, 'is replaced when the signer refuses an earlier one, or the wallet can pay exactly the fee'),
    testsIn(
      `${CHAIN}/sweeping/sign-moves.test.ts`,
      'signs the others when a node rejects a call for one balance',
      'signs by the key of the address, with a nonce that no other transaction used',
      'skips only the wallets whose balance the node refuses, and asks once for each',
    ),
    testsIn(`${INVOICES}/watch-invoices.test.ts`, 'skips an invoice that cannot be settled, logs the reason, and retries it in a minute'),
    testsIn('apps/server/test/properties/operations/chain-incidents.test.ts', 'a payout with the problem “%s” has a runbook entry'),
  ),
  // Books without money.
  fault(
    'An address holds less than was credited, or a receipt differs three days later.',
    'the hourly comparison reports a difference',
    testsIn(
      `${RECONCILIATION}/check-addresses.test.ts`,
      'differ when less is on the chain than arrived and was not swept, if only the product moves it',
    ),
    testsIn(`${RECONCILIATION}/check-receipts.test.ts`, 'are asked for once more after three days, from every source', 'differ when %s'),
    testsIn(`${RECONCILIATION}/reconcile.test.ts`, 'detects money at an address and an outflow of a wallet that one of two sources hides'),
    DIFFERENCE,
  ),
  fault(
    'Old rows are edited, so that the stored sums of the comparison hide them.',
    '`tizara payments reconcile --full` reads every row',
    testsIn(
      `${RECONCILIATION}/checkpoint.test.ts`,
      'is used only with a valid MAC, the same settings, an earlier time and existing blocks; otherwise everything is recalculated',
      'is ignored before a difference is reported, and in each manual run',
    ),
  ),
  fault(
    'More addresses exist than one comparison reads.',
    'each address is compared within a day',
    testsIn(`${RECONCILIATION}/reconcile.test.ts`, 'compares %i addresses within the 24 rounds of a day'),
  ),
]
