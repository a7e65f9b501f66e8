import { sql } from 'kysely'
import type { Job } from '../../jobs/job.ts'
import { DAY_MS, utcDay } from '../../platform/runtime/clock.ts'

/** Marks where a UTC day ended in the ledger, once, soon after midnight. */
const markDays: Job = {
  name: 'wallet-days',
  everySeconds: 20,
  run: async (lease, deps) => {
    const now = deps.clock.now()
    const yesterday = utcDay(new Date(now.getTime() - DAY_MS))
    const marked = await lease.inTransaction((tx) =>
      sql`
      insert into wallet_day (day, last_transfer_id, marked_at)
      select ${yesterday}::date, coalesce((select max(id) from ledger_transfer), 0), ${now}
      where not exists (select 1 from wallet_day where day >= ${yesterday}::date)
      on conflict (day) do nothing`.execute(tx),
    )
    return Number(marked.numAffectedRows ?? 0n)
  },
}

export const walletJobs: Job[] = [markDays]
