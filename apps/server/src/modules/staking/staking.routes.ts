import {
  calendarFeed,
  calendarLink,
  myStakeLogs,
  myStakes,
  openStake as openStakeRoute,
  stakePlans,
  upcoming,
} from '@tizara/contract/staking'
import { answer, answers, type Bind } from '../../http/calls/bind-route.ts'
import { readCalendar, renewCalendarLink } from './calendar.ts'
import { type OpenedStake, openStakes } from './open-stake.ts'
import { stakeLogs, stakes } from './history.ts'
import { listPlans, listStakes } from './staking.queries.ts'
import { upcomingItems } from './upcoming.queries.ts'

export function stakingRoutes(bind: Bind): void {
  bind.read(stakePlans, async ({ db, deps, query }) => answer(await listPlans(db, deps.clock.now(), query)))
  bind.moneyBatch(openStakeRoute, async (tx, deps, calls) => {
    const inputs = calls.map(({ viewer, body }) => ({ ...body, memberId: viewer.memberId }))
    const say = ({ stakeId: id, isOmega }: OpenedStake) =>
      answer({ receipt: { kind: isOmega ? ('stake-log' as const) : ('stake' as const), id } }, 'Successfully staked amount')
    return answers(await openStakes(tx, deps, inputs), say)
  })
  bind.read(myStakes, async ({ db, viewer, query }) => answer(await listStakes(db, viewer.memberId, stakes, query)))
  bind.read(myStakeLogs, async ({ db, viewer, query }) => answer(await listStakes(db, viewer.memberId, stakeLogs, query)))
  bind.read(upcoming, async ({ db, deps, viewer, query }) =>
    answer({ items: await upcomingItems(db, viewer.memberId, deps.clock.now(), query.days) }),
  )
  bind.write(calendarLink, async ({ tx, deps, viewer }) => answer(await renewCalendarLink(tx, deps, viewer.memberId)))
  bind.read(calendarFeed, async ({ db, deps, query, caller }) => {
    const text = await readCalendar(db, deps, query.token)
    caller.reply.type('text/calendar; charset=utf-8')
    return answer(text)
  })
}
