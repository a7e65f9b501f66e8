import { generalSettings } from '@tizara/contract/settings'
import { getReceipt, homeCount, userWallet, walletHistory } from '@tizara/contract/wallets'
import { useQuery } from '@tanstack/react-query'
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
