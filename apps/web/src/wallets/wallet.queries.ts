import type { ReplyOf } from '@tizara/contract'
import { generalSettings } from '@tizara/contract/settings'
import { getReceipt, homeCount, userWallet, walletHistory } from '@tizara/contract/wallets'
import { formatUnits } from '@tizara/money'
import { useQuery } from '@tanstack/react-query'
import { formatTime } from '../lib/format.ts'
import { queryClient, read, refetch } from '../lib/query.ts'

/** Fetches what the top of the dashboard shows; what fails is asked for again by who shows it. */
export const fetchFirstFigures = () =>
  Promise.all([queryClient.prefetchQuery(read(userWallet)), queryClient.prefetchQuery(read(generalSettings))])

/** The seven balances (API-58, UI-DASH-16), shared by the cards and by every form that moves money. */
export const useWallets = () => useQuery(read(userWallet))

/** Coin price, purchase limits and fees (API-50). */
export const useGeneralSettings = () => useQuery(read(generalSettings))

/** Sums of rewards for the stat cards (API-59). */
export const useHomeCount = () => useQuery(read(homeCount))

/** The balances day by day; another server does not have this call. */
export const useWalletHistory = (enabled: boolean) => useQuery({ ...read(walletHistory, { query: { days: 90 } }), retry: false, enabled })

/** Fetches the wallets again after money has moved, and what is drawn from them (ST-38, UI-M-COMMON-01). */
export const refetchWallets = (): Promise<void> => refetch(userWallet, walletHistory, homeCount, getReceipt)

type Settings = ReplyOf<typeof generalSettings>

/** What is planned for a figure, where it is to become another one: `from 05 Nov 2026, 02:07 PM: 0.009 USD`. */
export function comingRate(settings: Settings | undefined, name: 'coinPrice' | 'convertRate' = 'coinPrice'): string | undefined {
  const held = settings?.[name]
  const next = settings?.coming?.find((step) => held !== undefined && step[name] !== held)
  return next && `from ${formatTime(next.startsAt)}: ${formatUnits(next[name])} USD`
}
