import type { ReplyOf, Route } from '@tizara/contract'
import { onlineManager, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, call, type CallInput, toApiError } from './api.ts'
import { onSessionEnd, onSessionStart } from './session.ts'

/** Retries network failures and overload twice; never retries refusals. */
function mayRetry(failures: number, error: Error): boolean {
  const passing = !(error instanceof ApiError) || !error.fromServer || error.statusCode >= 500
  return passing && failures < 2
}

/** Load failures are only logged (ER-67). A 404 is not logged, because another implementation of the API may lack the route. */
const queryCache = new QueryCache({
  onError: (error, { queryKey: [name] }) => {
    if (toApiError(error).statusCode !== 404) console.error(`${String(name)} could not be loaded`, error)
  },
})

// Sets the initial state: the page may start offline, and the library only listens to changes.
onlineManager.setEventListener((notify) => {
  const listen = ({ type }: Event): void => notify(type === 'online')
  notify(navigator.onLine)
  addEventListener('online', listen)
  addEventListener('offline', listen)
  return () => {
    removeEventListener('online', listen)
    removeEventListener('offline', listen)
  }
})

/** This page's server state; cleared when the session ends (ASVS 14.3.1). */
export const queryClient = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: { staleTime: 15_000, gcTime: 300_000, retry: mayRetry },
    mutations: { retry: false },
  },
})

onSessionStart(() => void queryClient.resetQueries())
onSessionEnd(() => queryClient.clear())

/**
 * Builds a query for a route: `useQuery(read(userWallet))`. The key is `[route.name, input]`, so `queryClient.invalidateQueries({
 * queryKey: [route.name] })` matches every variant.
 */
export function read<R extends Route>(route: R, ...args: object extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>]) {
  const [input] = args
  return queryOptions({
    queryKey: input === undefined ? [route.name] : [route.name, input.params ?? {}, input.query ?? {}],
    queryFn: async ({ signal }): Promise<ReplyOf<R>> => (await call(route, ...withSignal(args, signal))).data,
  })
}

function withSignal<Args extends unknown[]>(args: Args, signal: AbortSignal): Args {
  return [{ ...(args[0] as object | undefined), signal }] as unknown as Args
}

/** Invalidates these routes' reads; visible ones refetch. */
export async function refetch(...routes: readonly Route[]): Promise<void> {
  await Promise.all(routes.map((route) => queryClient.invalidateQueries({ queryKey: [route.name] })))
}

/** Parts of a query that decide about a new try. */
interface LoadState {
  data: unknown
  error: Error | null
  refetch: () => Promise<unknown>
}

/**
 * Returns the handler of `Try again` for a list that did not load; undefined otherwise, and if the server lacks the call. The automatic
 * retries are over by then. The button names no error (LS-06, ER-67; docs/decisions/0039-failed-lists-offer-a-retry.md).
 */
export function retryOf({ data, error, refetch: load }: LoadState): (() => void) | undefined {
  if (data !== undefined || error === null || toApiError(error).statusCode === 404) return undefined
  return () => void load()
}
