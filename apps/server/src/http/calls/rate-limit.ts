import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { queryDeferred, type Db, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** A rate limit: calls per window. */
export interface Limit {
  hits: number
  windowMs: number
}

/** Calls per address and per account on the routes of API-17, before RATE_LIMIT_SCALE. */
export const AUTH_LIMIT: Limit = { hits: 10, windowMs: 15 * 60_000 }

/**
 * Counts a call and rejects it above the limit. The single statement counts correctly across processes.
 * @param key the subject of the limit, such as `login:ip:127.0.0.1`
 * @throws AppError TOO_MANY_REQUESTS, with the seconds until the window ends
 */
export async function registerCall(db: Db, key: string, limit: Limit, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - limit.windowMs)
  const result = await sql<{ hits: number; begun: Date }>`
    insert into rate_limit as existing (key, window_start, hits) values (${key.slice(0, 300)}, ${now}, 1)
    on conflict (key) do update set
      hits = case when existing.window_start <= ${oldest} or existing.window_start > ${now} then 1 else existing.hits + 1 end,
      window_start = case when existing.window_start <= ${oldest} or existing.window_start > ${now} then excluded.window_start else existing.window_start end
    returning hits, window_start as begun`.execute(db)
  const window = result.rows[0]
  if (window !== undefined && window.hits > limit.hits) throw rateLimitError(endOf(window.begun, limit), now)
}

/**
 * Checks limits without counting. The query is sent with the next statement (`queryDeferred`).
 * @param limits by key
 * @returns the refusal of each exhausted key
 */
export async function usedUp(tx: Tx, limits: ReadonlyMap<string, Limit>, now: Date): Promise<() => Map<string, AppError>> {
  const found = await queryDeferred(
    tx,
    sql<{ key: string; hits: number; begun: Date }>`select key, hits, window_start as begun from rate_limit
      where key = any(${[...limits.keys()]})`.compile(tx),
  )
  return () => {
    const refusals = new Map<string, AppError>()
    for (const { key, hits, begun } of found()) {
      const limit = limits.get(key)
      if (limit === undefined || hits < limit.hits || begun > now || now.getTime() - begun.getTime() >= limit.windowMs) continue
      refusals.set(key, rateLimitError(endOf(begun, limit), now))
    }
    return refusals
  }
}

const endOf = (begun: Date, limit: Limit): Date => new Date(begun.getTime() + limit.windowMs)

/** Creates a refusal with the earliest retry time. */
export function rateLimitError(end: Date, now: Date): AppError {
  const error = new AppError('TOO_MANY_REQUESTS')
  error.retryAfter = Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000))
  return error
}

/**
 * Counts a member's action, accepted or rejected.
 * @param action the action's name, such as `support`
 * @throws AppError TOO_MANY_REQUESTS
 */
export const limitMember = (db: Db, deps: Deps, action: string, memberId: bigint, limit: Limit): Promise<void> =>
  registerCall(db, `${action}:account:${memberId}`, scaled(deps, limit), deps.clock.now())

/** Returns a limit multiplied by RATE_LIMIT_SCALE, at least one call. */
export const scaled = ({ config }: Deps, limit: Limit): Limit => ({
  ...limit,
  hits: Math.max(1, Math.round(limit.hits * config.rateLimitScale)),
})
