import * as v from 'valibot'
import { amount, answerId, email, id, idParams, moment } from './fields.ts'
import { nothing, route, staffAct, staffRead } from './route.ts'
import { filed, person, reason, staffRoles } from './staff.ts'
import { asset } from './wallet-keys.ts'

/** Location of a staff member: a view and its open item, such as `payouts/p1`. */
const location = v.pipe(v.string(), v.regex(/^[a-z-]{1,30}(\/[A-Za-z0-9_-]{1,64})?$/, 'Invalid location'))

/** Current locations of staff, and whether they write to the member or a note. The live stream sends it as `presence`. */
export const presence = v.array(
  v.object({
    location: v.string(),
    people: v.array(v.object({ id: answerId, name: v.string(), activity: v.picklist(['viewing', 'writing', 'noting']) })),
  }),
)

export const announcePresence = route({
  name: 'announcePresence',
  role: 'all',
  method: 'PUT',
  path: '/staff/presence',
  access: 'staff',
  background: true,
  summary: 'Shows colleagues for 45 seconds which item the caller has open, and for which purpose. It locks nothing.',
  body: v.strictObject({ location, activity: v.picklist(['viewing', 'writing', 'noting', 'gone']) }),
  reply: nothing,
})

/** A fault of the platform. Amber: work continues; red: rewards wait, or an emergency pause has begun. */
export const incident = v.object({
  id: answerId,
  level: v.picklist(['amber', 'red']),
  text: v.string(),
  /** Effect on members. */
  meaning: v.string(),
  since: moment,
  /** Console path with the details. */
  href: v.optional(v.string()),
  takenBy: v.optional(person),
  takenAt: v.optional(moment),
  /** Id for `answerChain`, if the incident stays open until two people answer. */
  answerableId: v.optional(answerId),
  /** Addresses without an invoice whose payments two people can credit to a member (`answerChain`, `CREDIT`). */
  unclaimedAddresses: v.optional(v.array(v.string())),
})

export const staffIncidents = staffRead({
  name: 'staffIncidents',
  role: 'all',
  path: '/staff/incidents',
  summary: 'Lists the open incidents, most severe first.',
  reply: v.array(incident),
})

export const takeIncident = staffAct({
  name: 'takeIncident',
  role: 'desk',
  path: '/staff/incidents/:id/take',
  summary: 'Assigns an incident to the caller. The latest call wins.',
  params: idParams,
  body: v.strictObject({}),
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const pausePlatform = staffAct({
  name: 'pausePlatform',
  role: 'money',
  path: '/staff/pause',
  summary: "Pauses payouts, credits and reward runs at once, until two people resume them. Members' requests are still accepted.",
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['ALREADY_DECIDED'],
})

export const resumePlatform = staffAct({
  name: 'resumePlatform',
  role: 'admin',
  path: '/staff/resume',
  summary: 'Proposes to resume payouts, credits and reward runs. Another admin approves.',
  body: v.strictObject({ reason }),
  reply: filed,
  errors: ['ALREADY_DECIDED'],
})

export const answerChain = staffAct({
  name: 'answerChain',
  role: 'admin',
  path: '/staff/chain/answer',
  summary: 'Proposes the answer to a chain incident. Another admin approves. Payouts wait until all incidents are answered.',
  body: v.strictObject({
    about: v.picklist(['incident', 'payout']),
    id,
    /**
     * `SEEN`: the incident is resolved. `CREDIT`: the payments to `address`, which the incident lists, belong to the member with
     * `email`. `GIVE_BACK`: the payout returns to its owner. `ARRIVED`: the payout has arrived in another way.
     */
    answer: v.picklist(['SEEN', 'CREDIT', 'GIVE_BACK', 'ARRIVED']),
    address: v.optional(v.pipe(v.string(), v.maxLength(100))),
    email: v.optional(email),
    reason,
  }),
  reply: filed,
  errors: ['NOT_FOUND', 'CHANGE_OUTDATED'],
})

const role = v.picklist(staffRoles)

export const staffPeople = staffRead({
  name: 'staffPeople',
  role: 'all',
  path: '/staff/people',
  summary: 'Lists the staff and the rights of each role.',
  reply: v.object({
    people: v.array(
      v.object({
        person,
        role,
        isActive: v.boolean(),
        /** Second factor, if enrolled. */
        factor: v.picklist(['app', 'none']),
        /** True if a passkey may replace it at sign-in. */
        passkey: v.optional(v.boolean()),
        sessions: v.number(),
        lastSeenAt: v.nullable(moment),
        /** End of a suspension of the rights; absent without one. */
        suspendedUntil: v.optional(moment),
        /** When the person reached an hourly limit for personal data; absent once a colleague has allowed more, and after a day. */
        viewLimitAt: v.optional(moment),
      }),
    ),
    /** Pairs who shared a network before one of them had a role. They count as one person until two others confirm them. */
    links: v.optional(v.array(v.object({ one: person, other: person, foundAt: moment }))),
    /** Rights by role: names of calls, and `change.` with subjects. The server checks this table on every call. */
    rights: v.object({
      SUPPORT: v.array(v.string()),
      FINANCE: v.array(v.string()),
      ADMIN: v.array(v.string()),
      AUDITOR: v.array(v.string()),
    }),
  }),
})

export const suspendColleague = staffAct({
  name: 'suspendColleague',
  role: 'admin',
  path: '/staff/members/:id/suspend',
  summary:
    "Suspends a colleague's staff rights for an hour, at once. Meanwhile the caller can neither propose nor decide. One suspension per caller in 24 hours; a second one of the same colleague within 7 days creates a proposal.",
  params: idParams,
  body: v.strictObject({ reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'SUSPENSION_LIMIT'],
})

export const confirmSeparatePeople = staffAct({
  name: 'confirmSeparatePeople',
  role: 'admin',
  path: '/staff/members/:id/separate-people',
  summary: 'Proposes to confirm that two linked staff accounts belong to two people. Another admin approves.',
  params: idParams,
  body: v.strictObject({ otherId: id, reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const liftSuspension = staffAct({
  name: 'liftSuspension',
  role: 'admin',
  path: '/staff/members/:id/lift-suspension',
  summary: "Proposes to end a colleague's suspension early. Another admin approves.",
  params: idParams,
  body: v.strictObject({ reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

export const allowViews = staffAct({
  name: 'allowViews',
  role: 'admin',
  path: '/staff/members/:id/allow-views',
  summary: 'Allows a colleague who reached the hourly limit for personal data the same number of views again.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

/** A search result, with its console path. */
const hit = v.object({
  id: answerId,
  kind: v.picklist(['member', 'payout', 'deposit', 'ticket', 'transfer', 'change']),
  text: v.string(),
  detail: v.optional(v.string()),
  at: v.optional(moment),
  asset: v.optional(asset),
  amount: v.optional(amount),
  /** Console path. */
  href: v.string(),
})

export const staffSearch = staffRead({
  name: 'staffSearch',
  role: 'all',
  personal: 'page',
  path: '/staff/search',
  summary:
    'Searches by mail, phone, name, code, address, hash, amount or id; at most five results of each kind. The form of the text determines the kind.',
  query: v.object({ q: v.pipe(v.string(), v.trim(), v.maxLength(100, 'Maximum length is 100')) }),
  reply: v.object({ members: v.array(hit), waiting: v.array(hit), transfers: v.array(hit), changes: v.array(hit) }),
})
