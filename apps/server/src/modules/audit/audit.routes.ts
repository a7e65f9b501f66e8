import { staffActions } from '@tizara/contract/members'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { readStaffActions } from './staff-actions.queries.ts'

/** Binds the route that lists staff actions on the viewer's account. */
export function auditRoutes(bind: Bind): void {
  bind.read(staffActions, async ({ db, viewer, query }) => answer(await readStaffActions(db, viewer, query)))
}
