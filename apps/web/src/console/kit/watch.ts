import type { ReplyOf, Route } from '@tizara/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, type CallInput } from '../../lib/api.ts'

/** How often what is in sight is read again. */
export const EVERY_MS = 15_000
/** A read so long after the last touch is the page's own: it keeps no session alive. */
const AWAY_MS = 20_000

let touched = Date.now()
for (const touch of ['pointerdown', 'keydown', 'wheel'] as const)
  addEventListener(touch, () => void (touched = Date.now()), { capture: true, passive: true })

/** When somebody last touched the page. */
export const lastTouch = (): number => touched

/** Whether a read now is the page's own, nobody having touched it for a while. */
export const away = (): boolean => Date.now() - touched > AWAY_MS

/** A read of the wire that stays fresh while it is in sight; its key is that of `read`. */
export function watch<R extends Route>(route: R, input: CallInput<R>) {
  return queryOptions({
    queryKey: [route.name, input.params ?? {}, input.query ?? {}],
    queryFn: async ({ signal }): Promise<ReplyOf<R>> => {
      const given = { ...input, signal, quiet: away() }
      // A route whose call needs nothing takes the same object.
      const { data } = await (call as (asked: R, given: object) => Promise<{ data: ReplyOf<R> }>)(route, given)
      return data
    },
    refetchInterval: EVERY_MS,
    staleTime: 5_000,
  })
}
