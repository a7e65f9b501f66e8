import { coinPriceHistory } from '@tizara/contract/coin'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/http/query.ts'

/** Loads daily coin prices. Servers that implement only the specification lack this call. */
export const usePriceHistory = (enabled: boolean) => useQuery({ ...read(coinPriceHistory, { query: { days: 90 } }), enabled })
