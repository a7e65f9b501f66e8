import type { Route } from '@tizara/contract'
import type { Bind } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { recordProfileView } from '../../audit/index.ts'
import { isRight } from './rights.ts'
import { actorOf } from './viewer.ts'

/** Path prefix for one member's pages. */
const OF_MEMBER = '/staff/members/:id'

/**
 * Binds staff calls. A call without a role in the contract stops the server start. The server checks the role before it reads the
 * input (`admitRole`), and writes check it again in their transaction (`assertStaff`). It records every page read as a member view.
 */
export function authorizeRoutes(bind: Bind): Bind {
  const check = (route: Route) => {
    if (!isRight(route.name)) throw new Error(`${route.name} names no role in the contract`)
  }
  return {
    read: (route, handler, options) => {
      check(route)
      bind.read(
        route,
        handler,
        route.path.startsWith(OF_MEMBER)
          ? {
              ...options,
              onRead: ({ db, deps, viewer, caller, params }) =>
                recordProfileView(db, deps, actorOf(viewer as Viewer, caller), (params as { id: string }).id),
            }
          : options,
      )
    },
    write: (route, handler, options) => {
      check(route)
      bind.write(route, handler, options)
    },
    money: (route, handler, options) => {
      check(route)
      bind.money(route, handler, options)
    },
    moneyBatch: (route, handler) => {
      check(route)
      bind.moneyBatch(route, handler)
    },
    withoutTransaction: (route, handler, options) => {
      check(route)
      bind.withoutTransaction(route, handler, options)
    },
    file: (route, handler) => {
      check(route)
      bind.file(route, handler)
    },
  }
}
