import * as v from 'valibot'
import { amount, id, moment, wholeInQuery } from './fields.ts'
import { listQueryEntries, MAX_ROWS } from './paging.ts'
import { memberRead } from './route.ts'
import { asset, walletKeys } from './wallet-keys.ts'
import { receiptRef, rowExtras } from './wallets.ts'

/** Groups of movements that members filter by. */
export const movementGroups = ['deposit', 'withdrawal', 'coin', 'stake', 'nft', 'transfer', 'reward', 'correction'] as const
export type MovementGroup = (typeof movementGroups)[number]

/** Longest period of one request, in days. It bounds the cost, as sums read every movement of the period. */
export const MOVEMENT_DAYS_MAX = 366
/** Default period, in days. */
export const MOVEMENT_DAYS = 30

/** One movement in a member's wallets. */
export const movementRow = v.object({
  /** Ledger transfer, the reference on receipts. */
  id,
  receipt: receiptRef,
  createdAt: moment,
  group: v.picklist(movementGroups),
  title: v.string(),
  /** `own`: between two of the selected wallets. */
  direction: v.picklist(['in', 'out', 'own']),
  /** The member's wallet; the source of an `own` movement. */
  wallet: v.picklist(walletKeys),
  other: v.object({ label: v.string(), wallet: v.optional(v.picklist(walletKeys)) }),
  asset,
  amount,
})
export type MovementRow = v.InferOutput<typeof movementRow>

export const movements = memberRead({
  name: 'movements',
  path: '/movements',
  summary:
    'Lists the movements of the seven wallets within a period of at most 366 days (by default the last 30), newest first, in pages with a cursor. `sums` has the totals of incoming and outgoing amounts; null above 10,000 movements. A `reference` (the id of a transfer or receipt, or a transaction hash or address of the chain) finds its movements in any period and ignores the other filters.',
  query: v.object({
    group: v.optional(v.picklist(movementGroups, 'Unknown kind')),
    wallet: v.optional(v.picklist(walletKeys, 'Unknown wallet')),
    from: listQueryEntries.from,
    to: listQueryEntries.to,
    reference: v.optional(v.pipe(v.string(), v.trim(), v.regex(/^[A-Za-z0-9_-]{1,80}$/, 'Not a reference'))),
    before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'Not a row'))),
    limit: wholeInQuery(MAX_ROWS, 25),
  }),
  reply: v.object({
    from: v.string(),
    to: v.string(),
    rows: v.array(movementRow),
    /** Cursor of the next page; absent at the end. A filtered page may be short and still have a next one. */
    next: v.optional(v.string()),
    sums: v.nullable(v.array(v.object({ asset, in: amount, out: amount }))),
  }),
  errors: ['INVALID_INPUT'],
})

/** Most rows of one page of {@link earlierMovements}. */
const EARLIER_MAX = 100

export const earlierMovements = memberRead({
  name: 'earlierMovements',
  path: '/movements/earlier',
  history: 'earlier',
  summary:
    "Lists the member's movements on the platform from which the account was imported, newest first, in pages with a cursor. They are texts of that platform: no balance, sum or statement contains them.",
  query: v.object({
    before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'Not a row'))),
    limit: wholeInQuery(EARLIER_MAX, 25),
  }),
  reply: v.object({
    data: v.array(
      v.object({
        ...rowExtras('earlier'),
        createdAt: moment,
        title: v.string(),
        direction: v.picklist(['in', 'out']),
        asset,
        amount,
      }),
    ),
    /** Cursor of the next page; absent at the end. */
    next: v.optional(v.string()),
  }),
})
