import * as v from 'valibot'
import { currentPause, liftLedgerStop } from '../../../../../ledger/index.ts'
import { AppError } from '../../../../../platform/runtime/app-error.ts'
import { noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Ends the emergency pause that began at `since`. */
export const platformResume = proposalKind({
  subject: 'resume-platform',
  value: v.object({ since: v.string(), why: v.string() }),
  members: noMembers,
  current: async (db) => ({ since: (await currentPause(db))?.since.toISOString() ?? null }),
  baseline: 'all-fields',
  async apply(tx, { clock }) {
    if (!(await liftLedgerStop(tx, clock.now()))) throw new AppError('ALREADY_DECIDED')
    return {}
  },
  title: (value) => `Resume payouts and runs after the emergency pause (“${textOf(value['why'])}”)`,
})
