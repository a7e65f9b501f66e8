import type { ReplyOf, Route } from '@tizara/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, type CallInput } from '../../lib/http/api.ts'

/** Poll interval of visible data, in ms. */
export const EVERY_MS = 15_000
/** Reads this long (ms) after the last input count as automatic. They do not extend the session. */
const AWAY_MS = 20_000

let touched = Date.now()
for (const touch of ['pointerdown', 'keydown', 'wheel'] as const)
  addEventListener(touch, () => void (touched = Date.now()), { capture: true, passive: true })

/** Time of the last input on the page. */
export const lastTouch = (): number => touched

/** Returns true if the reader has been idle longer than `AWAY_MS`. */
export const away = (): boolean => Date.now() - touched > AWAY_MS

/** Polls a read while it is visible. Uses the same query key as `read`. */
export function watch<R extends Route>(route: R, input: CallInput<R>) {
  return queryOptions({
    queryKey: [route.name, input.params ?? {}, input.query ?? {}],
    queryFn: async ({ signal }): Promise<ReplyOf<R>> => {
      const options = { ...input, signal, quiet: away() }
      // A route without input takes the same object.
      const { data } = await (call as (target: R, options: object) => Promise<{ data: ReplyOf<R> }>)(route, options)
      return data
    },
    refetchInterval: EVERY_MS,
    staleTime: 5_000,
  })
}
