import * as v from 'valibot'
import { amount, id, idParams, moment, momentCursor } from './fields.ts'
import { nothing, memberAct, memberRead, route } from './route.ts'
import { asset } from './wallet-keys.ts'

/** Events with optional email: incoming money, sell requests, support answers and messages from staff. */
export const optionalNotices = ['deposit', 'received', 'reward', 'stake-ended', 'sell-request', 'support-answer', 'message'] as const
export type OptionalNotice = (typeof optionalNotices)[number]

/** Events that always send an email, because they concern account security or payouts. */
export const lockedNotices = ['sign-in', 'password', 'second-factor', 'recovery', 'contact', 'payout', 'payout-address', 'staff'] as const

export type NoticeKind = OptionalNotice | (typeof lockedNotices)[number]

/** Channels for notifications of one kind. */
export const noticeVias = ['both', 'mail', 'inbox'] as const
export type NoticeVia = (typeof noticeVias)[number]

/** Returns the channel of members who have made no choice. Rewards are not mailed, because such mails would hide the others. */
export const defaultVia = (event: NoticeKind): NoticeVia => (event === 'reward' ? 'inbox' : 'both')

const kind = v.picklist([...optionalNotices, ...lockedNotices])

export const noticeChoices = memberRead({
  name: 'noticeChoices',
  path: '/notices',
  summary: 'Lists for each kind of notification whether the member gets it by mail, in the inbox or both. Locked kinds are always mailed.',
  reply: v.array(v.object({ event: kind, via: v.picklist(noticeVias), locked: v.boolean() })),
})

const choice = <const Kinds extends readonly NoticeKind[], const Vias extends readonly NoticeVia[]>(kinds: Kinds, vias: Vias) =>
  v.strictObject({ event: v.picklist(kinds), via: v.picklist(vias, 'Mails of this kind cannot be switched off') })

export const chooseNotice = route({
  name: 'chooseNotice',
  method: 'PUT',
  path: '/notices',
  access: 'member',
  summary: 'Selects mail, inbox or both for one kind of notification. Locked kinds allow `mail` and `both`.',
  body: v.variant('event', [choice(optionalNotices, noticeVias), choice(lockedNotices, ['both', 'mail'])]),
  reply: nothing,
})

export const unsubscribe = route({
  name: 'unsubscribe',
  method: 'POST',
  path: '/notices/unsubscribe',
  access: 'public',
  form: true,
  summary:
    'Turns mails off with the token of their List-Unsubscribe header (one-click unsubscribe, RFC 8058). The inbox still gets these notifications.',
  query: v.object({ token: v.pipe(v.string(), v.maxLength(300)) }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})

/** Rewards by the kind of their ledger transfer. Daily rewards have no notifications. */
export const rewardNotices = ['nftRewards', 'referralReward', 'levelReward', 'nftLevelBonus', 'rankBonus'] as const

/** Steps of a payout, or of a transfer to another member. */
export const payoutSteps = ['waiting', 'asked', 'confirmed', 'approved', 'paid', 'returned', 'cancelled', 'expired', 'stopped'] as const

const text = v.string()
const row = { id, createdAt: moment, read: v.boolean() }
const notice = <const Kind extends NoticeKind, const Facts extends v.ObjectEntries>(event: Kind, facts: Facts) =>
  v.object({ ...row, event: v.literal(event), facts: v.object(facts) })
const moneyNotice = <const Kind extends NoticeKind, const Facts extends v.ObjectEntries>(event: Kind, facts: Facts) =>
  v.object({ ...row, event: v.literal(event), amount, asset, facts: v.object(facts) })

/**
 * Row of the inbox: kind and values, without a sentence (`notice-text.ts` composes the sentence). An id names the object that the row
 * opens: `transfer` is a ledger transfer, the others are public ids.
 */
export const inboxRow = v.variant('event', [
  moneyNotice('deposit', { deposit: text }),
  /** `sender` is the first name and an initial; absent for an erased account. */
  moneyNotice('received', { transfer: text, sender: v.optional(text) }),
  /** A run pays many members at once, so its rewards name no transfer. */
  moneyNotice('reward', { reward: v.picklist(rewardNotices), transfer: v.optional(text) }),
  /** `list` is the kind of the stake's receipt. */
  moneyNotice('stake-ended', { stake: text, list: v.picklist(['stake', 'stake-log']) }),
  /**
   * USD received for a sale, with the transfer of the coin; for an expired request, the unsold coin. `sold` is the sale that completes the
   * request, `part` any other sale [MF-10].
   */
  moneyNotice('sell-request', { step: v.picklist(['sold', 'part', 'expired']), request: text, transfer: v.optional(text) }),
  notice('support-answer', { ticket: text, opened: text }),
  /** A message that two staff members sent to a segment of the members. */
  notice('message', { title: text, text }),
  moneyNotice('payout', {
    outflow: v.picklist(['withdrawal', 'bridge', 'transfer']),
    step: v.picklist(payoutSteps),
    address: text,
    request: text,
  }),
  notice('payout-address', { address: text }),
  notice('sign-in', { device: text, ip: text }),
  notice('password', { how: v.picklist(['change', 'reset']) }),
  notice('second-factor', {
    what: v.picklist([
      'app-on',
      'app-off',
      'passkey-added',
      'passkey-removed',
      'passkey-renamed',
      'recovery-code-used',
      'recovery-codes-renewed',
    ]),
    /** Name of the passkey. */
    passkey: v.optional(text),
    /** Number of unused recovery codes after the use of one. */
    unused: v.optional(v.number()),
  }),
  notice('recovery', {
    step: v.picklist(['started', 'soon', 'cancelled', 'done']),
    replaces: v.picklist(['second-factor', 'mailbox', 'both']),
    /** Completion of a pending recovery, or the end of the payout freeze after it. */
    until: v.optional(text),
  }),
  notice('contact', { what: v.picklist(['name', 'phone', 'email-requested', 'email', 'email-stopped']) }),
  moneyNotice('staff', {
    what: v.literal('reversal'),
    transfer: text,
    /** Label and time of the reversed transfer. */
    kind: text,
    made: text,
    /** Effect on the member's wallet: money came in, went out, or moved between two wallets of the member. */
    way: v.picklist(['in', 'out', 'own']),
  }),
])
export type InboxRow = v.InferOutput<typeof inboxRow>

type ContentOf<Row> = Row extends InboxRow ? Omit<Row, keyof typeof row> : never
/** Kind and values of a notification. */
export type NoticeContent = ContentOf<InboxRow>
/** Content of one kind of notification. */
export type NoticeOf<Kind extends NoticeKind> = Extract<NoticeContent, { event: Kind }>

export const inbox = memberRead({
  name: 'inbox',
  path: '/notices/inbox',
  summary:
    'Lists the notifications of the last 90 days by time, newest first, in pages of 25, of all kinds or one. `before` is the `next` of the previous page; a page of one kind may be shorter and still have a `next`. Each row has its kind and figures; the client composes the sentence.',
  query: v.object({
    kind: v.optional(v.picklist([...optionalNotices, ...lockedNotices], 'Unknown kind')),
    before: v.optional(momentCursor),
  }),
  reply: v.object({
    rows: v.array(inboxRow),
    /** Cursor of the next page; absent at the end. */
    next: v.optional(v.string()),
    /** Id of the unread notification that was written last, which `readAllNotices` takes; absent if all are read. */
    through: v.optional(v.string()),
  }),
})

export const readNotice = memberAct({
  name: 'readNotice',
  path: '/notices/inbox/:id/read',
  summary: 'Marks one notification as read. A repeated call changes nothing.',
  params: idParams,
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const readAllNotices = memberAct({
  name: 'readAllNotices',
  path: '/notices/inbox/read',
  summary:
    'Marks all notifications as read that were written by the time of a reading of the inbox. `through` is the `through` of that reading.',
  body: v.strictObject({ through: v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'Not a row')) }),
  reply: nothing,
})
