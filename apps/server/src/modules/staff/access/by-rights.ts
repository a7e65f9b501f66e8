import type { Route } from '@tizara/contract'
import type { Bind } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { noteView } from '../../audit/index.ts'
import { isRight, mayRole } from './rights.ts'
import { actorOf } from './viewer.ts'

/** Where the pages of one member lie. */
const OF_MEMBER = '/staff/members/:id'

/**
 * Binds calls of staff by the table of rights: one without a row stops the start, and a reader without the right is
 * answered as if the call did not exist. Acts make sure of it again in their transaction (`assertStaff`). Whoever reads a page
 * about a member has looked at the member, whichever page it is: the console is not the only one who can ask.
 */
export function byRights(bind: Bind): Bind {
  const check = (route: Route) => {
    const right = route.name
    if (!isRight(right)) throw new Error(`${right} has no row in the table of rights`)
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
              onLook: ({ db, deps, viewer, caller, params }) =>
                noteView(db, deps, actorOf(viewer as Viewer, caller), (params as { id: string }).id),
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
    outside: (route, handler) => {
      check(route)
      bind.outside(route, handler)
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
