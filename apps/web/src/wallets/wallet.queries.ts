import type { ReplyOf } from '@tizara/contract'
import { generalSettings } from '@tizara/contract/settings'
import { getReceipt, homeCount, userWallet, walletHistory, walletHoldings } from '@tizara/contract/wallets'
import { formatUnits } from '@tizara/money'
import { useQuery } from '@tanstack/react-query'
import { formatTime } from '../lib/format.ts'
import { queryClient, read, refetch } from '../lib/query.ts'

/** Prefetches the dashboard's top; components retry failures. */
export const fetchFirstFigures = () =>
  Promise.all([
    queryClient.prefetchQuery(read(userWallet)),
    queryClient.prefetchQuery(read(walletHoldings)),
    queryClient.prefetchQuery(read(generalSettings)),
  ])

/** Loads the seven balances, shared by cards and money forms (API-58, UI-DASH-16). */
export const useWallets = () => useQuery(read(userWallet))

/** Loads amounts outside the wallets: open holds and NFTs. Other servers lack this call. */
export const useWalletHoldings = () => useQuery({ ...read(walletHoldings), retry: false })

/** Loads coin price, purchase limits and fees (API-50). */
export const useGeneralSettings = () => useQuery(read(generalSettings))

/** Loads reward sums for the stat cards (API-59). */
export const useHomeCount = () => useQuery(read(homeCount))

/** Loads daily balances; other servers lack this call. */
export const useWalletHistory = (enabled: boolean) => useQuery({ ...read(walletHistory, { query: { days: 90 } }), retry: false, enabled })

/** Refetches wallets and dependent charts after money moved (ST-38, UI-M-COMMON-01). */
export const refetchWallets = (): Promise<void> => refetch(userWallet, walletHoldings, walletHistory, homeCount, getReceipt)

type Settings = ReplyOf<typeof generalSettings>

/** Returns a figure's planned value: `from 05 Nov 2026, 02:07 PM: 0.009 USD`. */
export function comingRate(settings: Settings | undefined, name: 'coinPrice' | 'convertRate' = 'coinPrice'): string | undefined {
  const held = settings?.[name]
  const next = settings?.coming?.find((step) => held !== undefined && step[name] !== held)
  return next && `from ${formatTime(next.startsAt)}: ${formatUnits(next[name])} USD`
}
