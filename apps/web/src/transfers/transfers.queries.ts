import { exchangeSettings } from '@tizara/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { legibly } from '../lib/damaged-row.ts'
import { read } from '../lib/query.ts'

/** Percent of the ICO wallet that one exchange moves: of the first settings only (EN-16, UI-M-EXCHANGE-04). */
export function useExchangeLimit() {
  const { data } = useQuery(read(exchangeSettings))
  return legibly(() => data?.[0]?.exchangeLimit, undefined)
}
