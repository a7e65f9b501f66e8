import * as v from 'valibot'
import { amount, answerId, id, idParams, moment } from './fields.ts'
import { nothing, route, staffAct, staffRead } from './route.ts'
import { filed, person, reason, staffRoles } from './staff.ts'
import { asset } from './wallet-keys.ts'

/** Where somebody of the staff is: a view, and the item that is open in it: `payouts/p1`. */
const place = v.pipe(v.string(), v.regex(/^[a-z-]{1,30}(\/[A-Za-z0-9_-]{1,64})?$/, 'Invalid place'))

/** Who is where now, and whether they write to the member or a note for staff, as the live stream tells it (`presence`). */
export const presence = v.array(
  v.object({
    place: v.string(),
    people: v.array(v.object({ id: answerId, name: v.string(), doing: v.picklist(['looking', 'writing', 'noting']) })),
  }),
)

export const announcePresence = route({
  name: 'announcePresence',
  role: 'all',
  method: 'PUT',
  path: '/staff/presence',
  access: 'staff',
  background: true,
  summary: 'Says where the reader is and what for; a sign lasts 45 seconds. A hint for others, never a lock.',
  body: v.strictObject({ place, doing: v.picklist(['looking', 'writing', 'noting', 'gone']) }),
  reply: nothing,
})

/** What is wrong with the house: amber, work goes on; red, what pays and credits was stopped. */
export const incident = v.object({
  id: answerId,
  level: v.picklist(['amber', 'red']),
  text: v.string(),
  /** What it means for members. */
  meaning: v.string(),
  since: moment,
  /** Where to look, as a path of the console. */
  href: v.optional(v.string()),
  takenBy: v.optional(person),
  takenAt: v.optional(moment),
  /** What `answerChain` calls it, where it stands until two people have answered it. */
  answers: v.optional(answerId),
})

export const staffIncidents = staffRead({
  name: 'staffIncidents',
  role: 'all',
  path: '/staff/incidents',
  summary: 'What is wrong with the house now, the worst first.',
  reply: v.array(incident),
})

export const takeIncident = staffAct({
  name: 'takeIncident',
  role: 'desk',
  path: '/staff/incidents/:id/take',
  summary: 'Says that the reader looks after an incident; the last one who says so does.',
  params: idParams,
  body: v.strictObject({}),
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const stopHouse = staffAct({
  name: 'stopHouse',
  role: 'money',
  path: '/staff/stop',
  summary: 'Stops everything that pays out, credits or runs, at once and until two people lift it. Requests of members are still taken.',
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['ALREADY_DECIDED'],
})

export const liftStop = staffAct({
  name: 'liftStop',
  role: 'admin',
  path: '/staff/stop/lift',
  summary: 'Proposes to let payouts, credits and runs go on; another admin approves.',
  body: v.strictObject({ reason }),
  reply: filed,
  errors: ['ALREADY_DECIDED'],
})

export const answerChain = staffAct({
  name: 'answerChain',
  role: 'admin',
  path: '/staff/chain/answer',
  summary:
    'Proposes what is to be done where the chain leaves it open; another admin approves. Until incidents are answered nothing is paid out.',
  body: v.strictObject({
    about: v.picklist(['incident', 'payout']),
    id,
    /** All was done that an incident takes; a payout goes back to its owner, or has arrived in another way. */
    answer: v.picklist(['SEEN', 'GIVE_BACK', 'ARRIVED']),
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
  summary: 'Everybody of the staff, and what each role may do.',
  reply: v.object({
    people: v.array(
      v.object({
        person,
        role,
        isActive: v.boolean(),
        /** What proves them besides the password. */
        factor: v.picklist(['app', 'none']),
        /** Whether they may sign in by a passkey in its place. */
        passkey: v.optional(v.boolean()),
        sessions: v.number(),
        lastSeenAt: v.nullable(moment),
      }),
    ),
    /** Names of calls and `change.` with subjects, by role: the table that the server checks on every call. */
    rights: v.object({
      SUPPORT: v.array(v.string()),
      FINANCE: v.array(v.string()),
      ADMIN: v.array(v.string()),
      AUDITOR: v.array(v.string()),
    }),
  }),
})

/** Something that was found: what it is, and where it is looked at. */
const hit = v.object({
  id: answerId,
  kind: v.picklist(['member', 'payout', 'deposit', 'ticket', 'transfer', 'change']),
  text: v.string(),
  detail: v.optional(v.string()),
  at: v.optional(moment),
  asset: v.optional(asset),
  amount: v.optional(amount),
  /** A path of the console. */
  href: v.string(),
})

export const staffSearch = staffRead({
  name: 'staffSearch',
  role: 'all',
  path: '/staff/search',
  summary: 'Finds by mail, phone, name, code, address, hash, amount or id, five of each; what it is follows from its form.',
  query: v.object({ q: v.pipe(v.string(), v.trim(), v.maxLength(100, 'Maximum length is 100')) }),
  reply: v.object({ members: v.array(hit), waiting: v.array(hit), transfers: v.array(hit), changes: v.array(hit) }),
})
