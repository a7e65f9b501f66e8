import { payRewardDay, previewRewardDay } from '@tizara/contract/staff-rewards'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { payOneDay, tryOneDay } from './pay-reward-day.ts'
import { actorOf } from '../access/viewer.ts'

/** Binds the routes to pay a reward day manually. */
export function rewardDayRoutes(bind: Bind): void {
  bind.withoutTransaction(previewRewardDay, async ({ db, deps, viewer, caller, body }) => {
    return answer({ day: body.day, ...(await tryOneDay(db, deps, actorOf(viewer, caller), body.day)) })
  })
  bind.withoutTransaction(payRewardDay, async ({ db, deps, viewer, caller, body }) => {
    const paid = await payOneDay(db, deps, actorOf(viewer, caller), body)
    return paid === null ? answer(null, 'The payment has started and continues in the background') : answer(paid, 'The day is paid')
  })
}
