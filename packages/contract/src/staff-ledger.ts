import * as v from 'valibot'
import { amount, answerId, moment } from './fields.ts'
import { listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { filter, person, reason } from './staff.ts'
import { receiptFacts } from './receipt-facts.ts'
import { asset } from './wallet-keys.ts'

/** An account of the ledger by its number: positive a member's wallet, negative one of the house, all of its slots together. */
const accountNumber = v.pipe(v.string(), v.regex(/^-?[1-9]\d{0,18}$/, 'Not found'))
const transferId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/, 'Not found'))

const ledgerAccount = v.object({
  number: v.string(),
  /** A wallet, or the house's name for it. */
  name: v.string(),
  /** What it is for; of a wallet its member's name. */
  hint: v.string(),
  asset,
  balance: amount,
  member: v.optional(person),
})
const side = v.object({ number: v.string(), name: v.string(), member: v.optional(person) })

export const staffLedgerAccounts = staffRead({
  name: 'staffLedgerAccounts',
  role: 'all',
  path: '/staff/ledger/accounts',
  summary: 'The accounts of the house, slots summed; with `q` the wallets of members whose name, mail address or code fits.',
  query: v.object({ q: filter }),
  reply: v.array(ledgerAccount),
})

export const staffLedgerAccount = staffRead({
  name: 'staffLedgerAccount',
  role: 'all',
  path: '/staff/ledger/accounts/:number',
  summary: 'One account, its slots, and the kinds of transfers that may be on it.',
  params: v.object({ number: accountNumber }),
  reply: v.object({
    ...ledgerAccount.entries,
    slots: v.array(v.object({ number: v.string(), balance: amount })),
    /** The kinds of transfers that may be on it, to ask for. */
    kinds: v.array(v.object({ kind: v.string(), text: v.string() })),
    /** What came and went in 30 UTC days from `from` to now, or to the end of `to`; absent where that is too much to add up. */
    month: v.optional(v.object({ from: v.string(), to: v.optional(v.string()), in: amount, out: amount })),
  }),
  errors: ['NOT_FOUND'],
})

export const staffLedgerEntries = staffRead({
  name: 'staffLedgerEntries',
  role: 'all',
  path: '/staff/ledger/accounts/:number/entries',
  summary: 'What moved on an account, newest first; `before` is the id of the last row there was. Kind and days are asked of all rows.',
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
        /** The transfer's id. */
        id: answerId,
        at: moment,
        kind: v.string(),
        text: v.string(),
        /** Signed: below 0 when it left the account. */
        amount: amount,
        balanceAfter: amount,
        other: side,
        /** The reward run behind it. */
        run: v.optional(v.string()),
        /** What else stands behind it, where that is not of every day: a reversal, a deed of staff. */
        tag: v.optional(v.string()),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
})

/** One step of why something happened: the row that caused it, or what had filled the wallet that paid. */
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
  path: '/staff/ledger/transfers/:id',
  summary:
    'One transfer: both sides with their balances, why it happened back to what came from outside or from the house, and all transfers of the same cause.',
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
    /** The version of the programme or of the settings whose rule it follows. */
    ruleVersion: v.optional(v.string()),
    /** Other transfers of the same cause. */
    sameCause: v.array(v.object({ id: answerId, text: v.string(), asset, amount, at: moment })),
    /** The transfer that this one takes back, and the one that took this one back. */
    reverses: v.optional(v.string()),
    reversedBy: v.optional(v.string()),
    /** Whether a transfer of its kind can be taken back; what else follows from that, or what to do instead. */
    reversal: v.object({ can: v.boolean(), text: v.string() }),
  }),
  errors: ['NOT_FOUND'],
})

export const staffTransferReceipts = staffRead({
  name: 'staffTransferReceipts',
  role: 'all',
  path: '/staff/ledger/transfers/:id/receipts',
  summary: 'The receipt of a transfer as each of the members reads it between whose wallets it moved; none between accounts of the house.',
  params: v.object({ id: transferId }),
  reply: v.array(v.object({ member: person, receipt: v.object({ kind: v.literal('transfer'), ...receiptFacts }) })),
  errors: ['NOT_FOUND'],
})

export const reverseTransfer = staffAct({
  name: 'reverseTransfer',
  role: 'money',
  path: '/staff/ledger/transfers/:id/reverse',
  summary:
    'Files that a transfer is taken back, whole and once, by an opposite one, as a change that another member of staff approves. Which kinds can be taken back stands in the transfer itself.',
  params: v.object({ id: transferId }),
  body: v.strictObject({ reason }),
  reply: v.object({ changeId: answerId }),
  errors: ['NOT_FOUND', 'REVERSAL_REFUSED', 'FOUR_EYES', 'STOPPED'],
})
