import type { Lease, Sweep } from '../../jobs/sweep.ts'
import { type Db, inTransaction } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { foldPromises } from './pool/promises.ts'
import { rankEveryone, rankTeams } from './instant/rank-members.ts'
import { releaseRewards } from './instant/release-rewards.ts'
import { REWARD_RUN, runDueRewards } from './runs/run-rewards.ts'
import { noteSharedTraces } from './shared-traces.ts'
import { foldTallies } from './instant/tally.ts'

const FOLD_BATCH = 5000

async function foldAll(db: Db, _deps: Deps, lease: Lease): Promise<number> {
  let done = 0
  for (const fold of [foldPromises, foldTallies]) {
    for (;;) {
      const batch = await inTransaction(db, async (tx) => {
        await lease.assertHeld(tx)
        return fold(tx, FOLD_BATCH)
      })
      done += batch
      if (batch < FOLD_BATCH) break
    }
  }
  return done
}

/** The recurring jobs of rewards. `reward-run` comes before the maturity of stakes. */
export const rewardSweeps: Sweep[] = [
  { name: 'reward-fold', everySeconds: 5, run: foldAll },
  { name: 'team-totals', everySeconds: 5, run: rankTeams },
  { name: REWARD_RUN, everySeconds: 20, run: (db, deps, lease) => runDueRewards(db, deps, lease) },
  { name: 'reward-release', everySeconds: 20, run: releaseRewards },
  { name: 'rank-check', everySeconds: 30, run: async (db, deps, lease) => (await rankEveryone(db, deps, lease), 0) },
  { name: 'shared-traces', everySeconds: 30, run: noteSharedTraces },
]
