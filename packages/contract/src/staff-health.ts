import * as v from 'valibot'
import { moment } from './fields.ts'
import { staffRead } from './route.ts'

/** One thing that was looked at: `what` says how it is, `mend` the command or act that puts it right. */
export const finding = v.object({
  /** Where it belongs: settings, machine, database, mail, provider, chain, address, staff, offer, rewards, worker, records. */
  area: v.string(),
  /** `bad`: members notice, or money is at risk; `warning`: they will, or somebody should look. */
  state: v.picklist(['good', 'warning', 'bad']),
  what: v.string(),
  mend: v.optional(v.string()),
})

/** What `tizara doctor --json` prints, and the staff console shows. */
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
  summary: 'What is missing or wrong around the product, and the command that mends each of it.',
  reply: health,
})
