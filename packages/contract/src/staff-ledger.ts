import * as v from 'valibot'
import { amount, answerId, moment } from './fields.ts'
import { listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { filter, person, reason } from './staff.ts'
import { receiptFields } from './receipt-fields.ts'
import { asset } from './wallet-keys.ts'

/** Number of a ledger account: positive for a member's wallet, negative for a system account with all its shards. */
const accountNumber = v.pipe(v.string(), v.regex(/^-?[1-9]\d{0,18}$/, 'Not found'))
const transferId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/, 'Not found'))

const ledgerAccount = v.object({
  number: v.string(),
  /** A wallet, or a system account's name. */
  name: v.string(),
  /** Purpose of the account; for a wallet, its member's name. */
  hint: v.string(),
  asset,
  balance: amount,
  member: v.optional(person),
})
const side = v.object({ number: v.string(), name: v.string(), member: v.optional(person) })

export const staffLedgerAccounts = staffRead({
  name: 'staffLedgerAccounts',
  role: 'all',
  personal: 'page',
  path: '/staff/ledger/accounts',
  summary:
    'Lists the system accounts, with their shards summed. With `q`: the wallets of members whose name, mail address or code matches.',
  query: v.object({ q: filter }),
  reply: v.array(ledgerAccount),
})

export const staffLedgerAccount = staffRead({
  name: 'staffLedgerAccount',
  role: 'all',
  personal: 'member',
  path: '/staff/ledger/accounts/:number',
  summary: 'Returns an account, its shards, and the kinds of transfers that it allows.',
  params: v.object({ number: accountNumber }),
  reply: v.object({
    ...ledgerAccount.entries,
    shards: v.array(v.object({ number: v.string(), balance: amount })),
    /** Transfer kinds possible on it, as filters. */
    kinds: v.array(v.object({ kind: v.string(), text: v.string() })),
    /** Inflow and outflow of 30 UTC days, from `from` to now or the end of `to`; absent above the transfer limit. */
    month: v.optional(v.object({ from: v.string(), to: v.optional(v.string()), in: amount, out: amount })),
  }),
  errors: ['NOT_FOUND'],
})

export const staffLedgerEntries = staffRead({
  name: 'staffLedgerEntries',
  role: 'all',
  personal: 'member',
  path: '/staff/ledger/accounts/:number/entries',
  summary:
    'Lists the entries of an account, newest first. `before` is the id of the last row of the previous page. Kind and days filter all rows.',
  params: v.object({ number: accountNumber }),
  query: v.object({
    limit: listQueryEntries.limit,
    from: listQueryEntries.from,
    to: listQueryEntries.to,
    kind: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]{1,40}$/, 'Not a kind'))),
    before: v.optional(transferId),
  }),
  reply: v.object({
    data: v.array(
      v.object({
        /** Transfer id. */
        id: answerId,
        at: moment,
        kind: v.string(),
        text: v.string(),
        /** Signed: below 0 for an outgoing amount. */
        amount: amount,
        balanceAfter: amount,
        other: side,
        /** Reward run behind the transfer. */
        run: v.optional(v.string()),
        /** Label of an unusual cause: a reversal, or a staff action. */
        tag: v.optional(v.string()),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
})

/** One step of a transfer's cause: the row behind it, or the source of funds. */
const causeStep = v.object({
  type: v.string(),
  id: v.string(),
  text: v.string(),
  detail: v.optional(v.string()),
  href: v.optional(v.string()),
  at: v.optional(moment),
  transferId: v.optional(v.string()),
})

export const staffLedgerTransfer = staffRead({
  name: 'staffLedgerTransfer',
  role: 'all',
  personal: 'page',
  path: '/staff/ledger/transfers/:id',
  summary:
    'Returns a transfer: both sides with their balances, its causes back to the payment from outside or from the platform, and all transfers of the same cause.',
  params: v.object({ id: transferId }),
  reply: v.object({
    id: answerId,
    at: moment,
    kind: v.string(),
    text: v.string(),
    asset,
    amount,
    pending: v.boolean(),
    legs: v.array(v.object({ ...side.entries, amount, before: amount, after: amount })),
    cause: v.array(causeStep),
    run: v.optional(v.string()),
    /** Version of the programme or settings with its rule. */
    ruleVersion: v.optional(v.string()),
    /** Other transfers of the same cause. */
    sameCause: v.array(v.object({ id: answerId, text: v.string(), asset, amount, at: moment })),
    /** Transfer reversed by this one, and the transfer that reversed this one. */
    reverses: v.optional(v.string()),
    reversedBy: v.optional(v.string()),
    /** Reversibility of the kind, with the follow-ups or the alternative. */
    reversal: v.object({ can: v.boolean(), text: v.string() }),
  }),
  errors: ['NOT_FOUND'],
})

export const staffTransferReceipts = staffRead({
  name: 'staffTransferReceipts',
  role: 'all',
  personal: 'page',
  path: '/staff/ledger/transfers/:id/receipts',
  summary: 'Returns the receipt of a transfer as each of its members reads it. A transfer between system accounts has none.',
  params: v.object({ id: transferId }),
  reply: v.array(v.object({ member: person, receipt: v.object({ kind: v.literal('transfer'), ...receiptFields }) })),
  errors: ['NOT_FOUND'],
})

export const reverseTransfer = staffAct({
  name: 'reverseTransfer',
  role: 'money',
  path: '/staff/ledger/transfers/:id/reverse',
  summary:
    'Proposes to reverse a transfer, whole and once. A second staff member approves. The transfer itself states whether its kind can be reversed.',
  params: v.object({ id: transferId }),
  body: v.strictObject({
    reason,
    /** True if the operator bears the loss of a reversed deposit that the member has already spent. */
    coversLoss: v.optional(v.boolean()),
  }),
  reply: v.object({ proposalId: answerId }),
  errors: ['NOT_FOUND', 'REVERSAL_REFUSED', 'FOUR_EYES', 'STOPPED'],
})
