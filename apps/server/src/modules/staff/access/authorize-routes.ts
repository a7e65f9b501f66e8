import type { Route } from '@tizara/contract'
import type { Bind, Caller } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { countReveal, recordReachedLimit, recordView, viewOfMember, viewOfPage } from './personal-views.ts'
import { isRight } from './rights.ts'
import { actorOf } from './viewer.ts'

/** Path prefix for one member's pages. */
const OF_MEMBER = '/staff/members/:id'

/** A call that the server has answered, but not yet sent. */
interface ReadCall {
  db: Db
  deps: Deps
  viewer: unknown
  caller: Caller
  params: unknown
  query: unknown
  data?: unknown
}

/**
 * Binds staff calls. If the contract has no role for a call, the server does not start. The server checks the role before it reads the
 * input (`admitRole`), and writes check the role again in their transaction (`assertStaff`). Views of personal data are recorded and
 * limited, as the contract declares (`personal`).
 */
export function authorizeRoutes(bind: Bind): Bind {
  const check = (route: Route) => {
    if (!isRight(route.name)) throw new Error(`${route.name} names no role in the contract`)
  }
  /** Returns the hook that records a read, or undefined where the route has its own or shows no personal data. */
  const recorder = (route: Route, hasOwn: boolean) => {
    if (route.personal === undefined) return undefined
    if (route.personal === 'member' && !route.path.startsWith(OF_MEMBER)) {
      if (!hasOwn) throw new Error(`${route.name} does not record the member whom it shows`)
      return undefined
    }
    return ({ db, deps, viewer, caller, params, query, data }: ReadCall) =>
      recordView(
        db,
        deps,
        actorOf(viewer as Viewer, caller),
        route.personal === 'member'
          ? viewOfMember((params as { id: string }).id)
          : viewOfPage(deps, route.name, { ...(params as object), ...(query as object) }, data),
      )
  }
  return {
    read: (route, handler, options) => {
      check(route)
      const record = recorder(route, options?.onRead !== undefined)
      bind.read(route, handler, record === undefined ? options : { ...options, onRead: record })
    },
    write: (route, handler, options) => {
      check(route)
      if (route.personal === undefined) bind.write(route, handler, options)
      else
        bind.write(
          route,
          async (context) => {
            await countReveal(context.tx, context.deps, actorOf(context.viewer, context.caller), route.name)
            return handler(context)
          },
          {
            ...options,
            onRejection: async (context, error) => {
              if (error.code === 'VIEW_LIMIT') await recordReachedLimit(context.db, context.deps, actorOf(context.viewer, context.caller))
              await options?.onRejection?.(context, error)
            },
          },
        )
    },
    money: (route, handler, options) => {
      check(route)
      bind.money(route, handler, options)
    },
    moneyBatch: (route, handler, options) => {
      check(route)
      bind.moneyBatch(route, handler, options)
    },
    withoutTransaction: (route, handler, options) => {
      check(route)
      bind.withoutTransaction(route, handler, options)
    },
    file: (route, handler) => {
      check(route)
      bind.file(route, handler, { onRead: recorder(route, false) })
    },
  }
}
