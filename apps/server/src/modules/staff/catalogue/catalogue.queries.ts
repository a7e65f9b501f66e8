import { listQuery } from '@tizara/contract'
import * as v from 'valibot'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { brandAt } from '../../brand/index.ts'
import { listCatalogue } from '../../nfts/index.ts'
import { listPlans, runningByPlan } from '../../staking/index.ts'
import { announcementValues } from '../proposals/kinds/configuration/announcement.ts'
import { commitmentValues } from '../proposals/kinds/ledger/commitment.ts'
import { currentMaxGain } from '../proposals/shared/max-gain.ts'
import { operatorSettings } from '../proposals/shared/operator-settings.ts'
import { programmeValues } from '../proposals/shared/programme-values.ts'

/** Reads all current values editable by staff. */
export async function readCatalogue(db: Db, deps: Pick<Deps, 'clock' | 'config'>) {
  const now = deps.clock.now()
  const [operator, programme, commitment, popup, brand, plans, nfts, maxGain, running] = await Promise.all([
    operatorSettings(db, deps, now),
    programmeValues(db, now),
    commitmentValues(db),
    announcementValues(db, now),
    brandAt(db, deps, now),
    listPlans(db, now, { ...v.parse(listQuery, {}), status: undefined }),
    listCatalogue(db, now),
    currentMaxGain(db, now),
    runningByPlan(db),
  ])
  return {
    version: `${operator.version}.${programme.version}`,
    coinPrice: operator.coinPrice,
    settings: operator.settings,
    limits: operator.limits,
    maxGain,
    programme: programme.rules,
    commitment,
    popup,
    brand,
    plans: plans.data.map((plan) => ({
      ...plan,
      status: plan.status === 'ACTIVE' ? 'ACTIVE' : 'INACTIVE',
      running: running.get(plan.id) ?? { stakes: 0, coin: 0n },
    })),
    nfts,
  }
}
