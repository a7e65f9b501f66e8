import type { Job } from '../../../jobs/job.ts'
import { lockMember, nextToErase, postponeErasure } from '../../members/index.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { eraseAccount } from './erase-account.ts'
import { erasureObstacles } from './erasure-obstacles.ts'

/**
 * Erases the personal data of closed accounts, one in each transaction. While something stands in the way, the job tries again every day
 * (docs/decisions/0064-erasing-personal-data.md).
 */
export const eraseAccountsJob: Job = {
  name: 'erase-accounts',
  everySeconds: 60,
  run: (lease, deps) =>
    lease.untilDone(async (tx) => {
      const now = deps.clock.now()
      const id = await nextToErase(tx, now)
      if (id === undefined) return { done: 0, more: false }
      const member = await lockMember(tx, id)
      // Staff opened the account again meanwhile.
      if (member.erases_at === null || member.erased_at !== null) return { done: 0, more: true }
      if ((await erasureObstacles(tx, member, now)).length === 0) await eraseAccount(tx, deps, member)
      else await postponeErasure(tx, { id, erasesAt: new Date(now.getTime() + DAY_MS) })
      return { done: 1, more: true }
    }),
}
