import * as v from 'valibot'
import { amount, answerId, id, idParams, moment } from './fields.ts'
import { listQueryEntries } from './paging.ts'
import { staffRead } from './route.ts'
import { person } from './staff.ts'
import { asset, walletKeys } from './wallet-keys.ts'

/** Pages of one member, newest row first. `before` takes the last response's `next`. */

/** One entry of a transfer in a member's wallet. */
export const ledgerLine = v.object({
  transferId: answerId,
  at: moment,
  kind: v.string(),
  text: v.string(),
  wallet: v.picklist(walletKeys),
  asset,
  /** Below 0 for an outgoing amount. */
  amount,
  balanceAfter: amount,
  /** True if the amount went on hold. */
  pending: v.boolean(),
})

/** A page of rows; `next` is absent on the last page. */
const pageOfRows = <const S extends v.GenericSchema>(row: S) => v.object({ rows: v.array(row), next: v.optional(v.string()) })

const cursor = v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9.]{1,160}$/i, 'Not a row')))

const pageQuery = v.object({ limit: listQueryEntries.limit, before: cursor })

export const timelineKinds = ['money', 'reward', 'session', 'ticket', 'staff', 'flag'] as const
export type TimelineKind = (typeof timelineKinds)[number]

const kinds = v.pipe(
  v.string(),
  v.transform((text): TimelineKind[] => timelineKinds.filter((kind) => text.split(',').includes(kind))),
  v.minLength(1, 'Invalid kinds'),
)

export const staffTimeline = staffRead({
  name: 'staffTimeline',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id/timeline',
  summary: 'Lists the events of a member, newest first: money, rewards (one row per run), sign-ins, tickets, staff actions and warnings.',
  params: idParams,
  query: v.object({ ...pageQuery.entries, kinds: v.optional(kinds) }),
  reply: pageOfRows(
    v.object({
      id: answerId,
      at: moment,
      kind: v.picklist(timelineKinds),
      text: v.string(),
      detail: v.optional(v.string()),
      amount: v.optional(amount),
      asset: v.optional(asset),
      /** True if the amount moved between the member's wallets, without gain or loss. */
      isInternal: v.optional(v.literal(true)),
      /** Console path. */
      href: v.optional(v.string()),
      by: v.optional(person),
    }),
  ),
  errors: ['NOT_FOUND'],
})

export const staffMemberLedger = staffRead({
  name: 'staffMemberLedger',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id/ledger',
  summary: "Lists the member's side of every transfer, newest first.",
  params: idParams,
  query: v.object({ ...pageQuery.entries, wallet: v.optional(v.picklist(walletKeys, 'Invalid wallet')) }),
  reply: pageOfRows(ledgerLine),
  errors: ['NOT_FOUND'],
})

export const staffMemberSessions = staffRead({
  name: 'staffMemberSessions',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id/sessions',
  summary: 'Lists the stored sessions of a member, newest first.',
  params: idParams,
  query: pageQuery,
  reply: pageOfRows(
    v.object({
      id: answerId,
      device: v.string(),
      ip: v.string(),
      createdAt: moment,
      lastSeenAt: moment,
      live: v.boolean(),
      endedAt: v.optional(moment),
      /** Reason recorded for the end. */
      endReason: v.optional(v.string()),
      secondFactor: v.boolean(),
    }),
  ),
  errors: ['NOT_FOUND'],
})

export const staffMemberTeam = staffRead({
  name: 'staffMemberTeam',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id/team',
  summary: "Lists a member's direct referrals with their branches, and the upline, nearest first.",
  params: idParams,
  query: pageQuery,
  reply: v.object({
    above: v.array(person),
    ...pageOfRows(v.object({ ...person.entries, createdAt: moment, status: v.boolean(), people: v.number(), stake: amount })).entries,
  }),
  errors: ['NOT_FOUND'],
})

export const staffMemberTickets = staffRead({
  name: 'staffMemberTickets',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id/tickets',
  summary: "Lists a member's tickets, newest first.",
  params: idParams,
  query: pageQuery,
  reply: pageOfRows(
    v.object({ id: answerId, number: v.number(), title: v.string(), status: v.string(), awaitsStaff: v.boolean(), createdAt: moment }),
  ),
  errors: ['NOT_FOUND'],
})

export const staffMemberNotes = staffRead({
  name: 'staffMemberNotes',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id/notes',
  summary: 'Lists the staff notes about a member, newest first. The member never sees them.',
  params: idParams,
  query: pageQuery,
  reply: pageOfRows(v.object({ id: answerId, by: person, text: v.string(), at: moment })),
  errors: ['NOT_FOUND'],
})

export const openItem = v.object({
  kind: v.picklist(['payout', 'deposit', 'change', 'ticket']),
  id,
  text: v.string(),
  since: moment,
  href: v.string(),
})
