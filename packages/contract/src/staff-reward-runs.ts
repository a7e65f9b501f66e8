import * as v from 'valibot'
import { amount, answerId, extra, id, moment } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { person } from './staff.ts'
import { asset } from './wallet-keys.ts'

/* Separate from the other reward calls, because the console's first page loads only the runs. */

export const staffRewardRuns = staffRead({
  name: 'staffRewardRuns',
  role: 'all',
  path: '/staff/reward-runs',
  summary: 'Lists the reward runs, newest first (RW-12).',
  query: v.object(listQueryEntries),
  reply: listOf(
    v.object({
      id: answerId,
      status: v.string(),
      dueUntil: moment,
      payments: v.number(),
      paid: v.array(v.object({ asset, amount })),
      owed: v.array(v.object({ asset, amount })),
      /** Highest amount the pool could not pay at some time, even if paid since. */
      wasOwed: extra(v.array(v.object({ asset, amount }))),
      startedBy: v.nullish(v.string()),
      /** Number of rewards paid so far, and the current phase. */
      done: extra(v.number()),
      total: extra(v.number()),
      phase: extra(v.picklist(['RECORDING', 'PAYING', 'OWED', 'DONE'])),
      byHand: extra(v.nullable(person)),
      error: v.nullish(v.string()),
      startedAt: moment,
      finishedAt: v.nullish(moment),
    }),
  ),
})

export const startRewardRun = staffAct({
  name: 'startRewardRun',
  role: 'money',
  path: '/staff/reward-runs',
  summary: 'Pays due rewards now instead of at the next hour. No reward is paid twice (RW-12).',
  reply: v.nullish(v.object({ id: v.optional(id) })),
  errors: ['RUN_IN_PROGRESS'],
})
