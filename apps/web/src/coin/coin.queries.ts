import { coinPriceHistory } from '@tizara/contract/coin'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/query.ts'

/** The coin price day by day; another server does not have this call. */
export const usePriceHistory = (enabled: boolean) => useQuery({ ...read(coinPriceHistory, { query: { days: 90 } }), retry: false, enabled })
