import type { Route } from '@tizara/contract'
import type { Bind } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { recordProfileView } from '../../audit/index.ts'
import { isRight, mayRole } from './rights.ts'
import { actorOf } from './viewer.ts'

/** Path prefix for one member's pages. */
const OF_MEMBER = '/staff/members/:id'

/**
 * Binds staff calls by the role in the contract. A call without a role stops the server start. A reader without the role gets
 * 404. Writes check the role again in their transaction (`assertStaff`). The server records every page read as a member view.
 */
export function authorizeRoutes(bind: Bind): Bind {
  const check = (route: Route) => {
    const right = route.name
    if (!isRight(right)) throw new Error(`${right} names no role in the contract`)
    return (viewer: unknown) => {
      if (!mayRole((viewer as Viewer).role, right)) throw new AppError('STAFF_ONLY')
    }
  }
  return {
    read: (route, handler, options) => {
      const allow = check(route)
      bind.read(
        route,
        async (context) => {
          allow(context.viewer)
          return handler(context)
        },
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
    withoutTransaction: (route, handler) => {
      check(route)
      bind.withoutTransaction(route, handler)
    },
    file: (route, handler) => {
      const allow = check(route)
      bind.file(route, async (context) => {
        allow(context.viewer)
        return handler(context)
      })
    },
  }
}
