import * as v from 'valibot'
import { amount, answerId, idParams, moment } from './fields.ts'
import { nothing, route } from './route.ts'
import { filed, person, reason, staffRoles } from './staff.ts'
import { asset } from './wallets.ts'

/** Where somebody of the staff is: a view, and the item that is open in it: `payouts/p1`. */
const place = v.pipe(v.string(), v.regex(/^[a-z-]{1,30}(\/[A-Za-z0-9_-]{1,64})?$/, 'Invalid place'))

/** Who is where now, as the live stream tells it (`presence`). */
export const presence = v.array(
  v.object({
    place: v.string(),
    people: v.array(v.object({ id: answerId, name: v.string(), doing: v.picklist(['looking', 'writing']) })),
  }),
)

export const announcePresence = route({
  name: 'announcePresence',
  method: 'PUT',
  path: '/staff/presence',
  access: 'staff',
  background: true,
  summary: 'Says where the reader is and what for; a sign lasts 45 seconds. A hint for others, never a lock.',
  body: v.strictObject({ place, doing: v.picklist(['looking', 'writing', 'gone']) }),
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
})

export const staffIncidents = route({
  name: 'staffIncidents',
  method: 'GET',
  path: '/staff/incidents',
  access: 'staff',
  summary: 'What is wrong with the house now, the worst first.',
  reply: v.array(incident),
})

export const takeIncident = route({
  name: 'takeIncident',
  method: 'POST',
  path: '/staff/incidents/:id/take',
  access: 'staff',
  summary: 'Says that the reader looks after an incident; the last one who says so does.',
  params: idParams,
  body: v.strictObject({}),
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const stopHouse = route({
  name: 'stopHouse',
  method: 'POST',
  path: '/staff/stop',
  access: 'staff',
  summary: 'Stops everything that pays out, credits or runs, at once and until two people lift it. Requests of members are still taken.',
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['ALREADY_DECIDED'],
})

export const liftStop = route({
  name: 'liftStop',
  method: 'POST',
  path: '/staff/stop/lift',
  access: 'staff',
  summary: 'Proposes to let payouts, credits and runs go on; another admin approves.',
  body: v.strictObject({ reason }),
  reply: filed,
  errors: ['ALREADY_DECIDED'],
})

const role = v.picklist(staffRoles)

export const staffPeople = route({
  name: 'staffPeople',
  method: 'GET',
  path: '/staff/people',
  access: 'staff',
  summary: 'Everybody of the staff, and what each role may do.',
  reply: v.object({
    people: v.array(
      v.object({
        person,
        role,
        isActive: v.boolean(),
        /** What proves them besides the password. */
        factor: v.picklist(['app', 'none']),
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

export const staffSearch = route({
  name: 'staffSearch',
  method: 'GET',
  path: '/staff/search',
  access: 'staff',
  summary: 'Finds by mail, phone, name, code, address, hash, amount or id, five of each; what it is follows from its form.',
  query: v.object({ q: v.pipe(v.string(), v.trim(), v.maxLength(100, 'Maximum length is 100')) }),
  reply: v.object({ members: v.array(hit), waiting: v.array(hit), transfers: v.array(hit), changes: v.array(hit) }),
})
