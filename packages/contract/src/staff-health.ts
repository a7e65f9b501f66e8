import * as v from 'valibot'
import { moment } from './fields.ts'
import { staffRead } from './route.ts'

/** One finding of the health check: `what` describes it, `fix` names the command or action to fix it. */
export const finding = v.object({
  /** Area: settings, machine, database, mail, provider, chain, address, staff, offer, rewards, worker, records. */
  area: v.string(),
  /** `bad`: members are affected, or money is at risk; `warning`: they will be, or staff should check. */
  state: v.picklist(['good', 'warning', 'bad']),
  what: v.string(),
  fix: v.optional(v.string()),
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
  path: '/staff/health',
  summary: 'Lists the problems around the product, each with the command that fixes it.',
  reply: health,
})
