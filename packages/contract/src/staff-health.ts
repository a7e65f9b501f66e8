import * as v from 'valibot'
import { moment } from './fields.ts'
import { staffRead } from './route.ts'

/** One finding of the health check: `what` describes it, `fix` names the command or action on the server that fixes it. */
export const finding = v.object({
  /** Area: settings, machine, database, mail, provider, chain, address, staff, offer, rewards, worker, records. */
  area: v.string(),
  /** `bad`: members are affected, or money is at risk; `warning`: they will be, or staff should check. */
  state: v.picklist(['good', 'warning', 'bad']),
  what: v.string(),
  fix: v.optional(v.string()),
  /** Who is affected, and how; absent for a good one. */
  affects: v.optional(v.string()),
  /** Console page on which staff act: the label of its button, and its path. */
  action: v.optional(v.object({ label: v.string(), href: v.string() })),
  /** Start of the problem, where the check knows it. */
  since: v.nullish(moment),
})

/** Output of `tizara doctor --json`, also shown in the staff console. */
export const health = v.object({
  at: moment,
  version: v.string(),
  state: v.picklist(['good', 'warning', 'bad']),
  findings: v.array(finding),
})

export const staffHealth = staffRead({
  name: 'staffHealth',
  role: 'records',
  keyReads: 'state',
  path: '/staff/health',
  summary: 'Lists the problems around the product: since when, who is affected, the page and the command that fix them.',
  reply: health,
})
