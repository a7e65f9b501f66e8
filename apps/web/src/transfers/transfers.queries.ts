import { pageOf } from '@tizara/contract'
import { exchangeSettings } from '@tizara/contract/settings'
import { exchangeHistory, payees, salesFund } from '@tizara/contract/transfers'
import { useQuery } from '@tanstack/react-query'
import { readOr } from '../lib/lists/damaged-row.ts'
import { read } from '../lib/http/query.ts'

/** Returns the ICO wallet percent per exchange, from the first settings row (EN-16, UI-M-EXCHANGE-04). */
export function useExchangeLimit() {
  const { data, isLoading } = useQuery(read(exchangeSettings))
  return { limit: readOr(() => data?.[0]?.exchangeLimit, undefined), isLoading }
}

const HOUR_MS = 3_600_000

/**
 * Returns the wait between two exchanges and its current end.
 * @returns hours, 0 without a wait; `next` is undefined if an exchange is possible now
 */
export function useExchangeWait(): { hours: number; next: Date | undefined } {
  const { data } = useQuery(read(exchangeSettings))
  const hours = data?.[0]?.cooldownHours ?? 0
  const { data: history } = useQuery({ ...read(exchangeHistory, { query: { page: 1, limit: 1 } }), enabled: hours > 0 })
  const last = hours > 0 && history !== undefined ? readOr(() => pageOf(history).data[0]?.createdAt, undefined) : undefined
  const next = last === undefined ? undefined : new Date(last.getTime() + hours * HOUR_MS)
  return { hours, next: next !== undefined && next > new Date() ? next : undefined }
}

/** Returns the people that the member last sent USD to; none until loaded, and on servers without this call. */
export const usePayees = () => useQuery(read(payees)).data?.data ?? []

/** Returns the USD that the sales fund can pay now; undefined until loaded, and on servers without this call (MF-10, MF-11). */
export function useSalesFund() {
  const { data } = useQuery(read(salesFund))
  return data?.available
}
