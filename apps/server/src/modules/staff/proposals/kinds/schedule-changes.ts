import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { scheduleAnnouncements } from '../../../announcements/index.ts'
import { scheduleNft } from '../../../nfts/index.ts'
import { scheduleProgramme } from '../../../rewards/index.ts'
import { scheduleSettings } from '../../../settings/index.ts'
import { schedulePlan } from '../../../staking/index.ts'
import type { Change } from './change-subjects.ts'
import { given } from '../../access/given.ts'

/** A change that was approved and begins later. */
export interface Planned {
  publicId: string
  startsAt: Date
  change: Change
  decidedBy: bigint | null
}

type Of<Subject extends Change['subject']> = Extract<Change, { subject: Subject }>

function narrowed<Subject extends Change['subject']>(planned: Planned, ...subjects: Subject[]): Of<Subject> {
  const { change } = planned
  if (!subjects.some((subject) => subject === change.subject)) throw new AppError('CHANGE_OUTDATED')
  return change as Of<Subject>
}

/**
 * Hands what is planned about a topic to the module that owns it, in the place of what was planned before.
 * @param topic as `topicOf` names it
 * @param planned in the order of their starts
 * @throws AppError when the figures of some start would contradict each other
 */
export async function schedule(tx: Tx, deps: Deps, topic: string, planned: readonly Planned[]): Promise<void> {
  const [kind, id = ''] = topic.split(' ')
  const now = deps.clock.now()
  if (kind === 'settings') {
    const steps = planned.map((one) => {
      const { value, reason } = narrowed(one, 'price', 'settings', 'limits')
      return { changes: given(value), startsAt: one.startsAt, actorId: one.decidedBy, reason }
    })
    return scheduleSettings(tx, deps, steps)
  }
  if (kind === 'programme') {
    const steps = planned.map((one) => {
      const { value, reason } = narrowed(one, 'programme')
      return { rules: given(value), startsAt: one.startsAt, at: now, reason, by: one.decidedBy }
    })
    return scheduleProgramme(tx, now, steps)
  }
  if (kind === 'popup') {
    const steps = planned.map((one) => ({ ...narrowed(one, 'popup').value, startsAt: one.startsAt, authorId: one.decidedBy }))
    return scheduleAnnouncements(tx, now, steps)
  }
  if (kind === 'plan') {
    const steps = planned.map((one) => {
      const { planId: _, ...values } = narrowed(one, 'plan').value
      return { startsAt: one.startsAt, values }
    })
    return schedulePlan(tx, deps, id, steps)
  }
  if (kind !== 'nft') throw new Error(`no module schedules ${kind}`)
  const steps = planned.map((one) => {
    const { nftId: _, ...values } = narrowed(one, 'nft').value
    return { startsAt: one.startsAt, values }
  })
  return scheduleNft(tx, deps, id, steps)
}
