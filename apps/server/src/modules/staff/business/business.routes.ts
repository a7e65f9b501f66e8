import { staffBusiness, staffBusinessTeams } from '@tizara/contract/staff-business'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { readBusiness, readTopTeams } from './business.queries.ts'

/** Binds the reads of the business figures. */
export function businessRoutes(bind: Bind): void {
  bind.read(staffBusiness, async ({ db, deps, query }) => answer(await readBusiness(db, deps, deps.clock.now(), query.period)))
  bind.read(staffBusinessTeams, async ({ db, deps, query }) =>
    answer(await readTopTeams(db, deps.clock.now(), query.period, query.level === '1' ? 1 : 0)),
  )
}
