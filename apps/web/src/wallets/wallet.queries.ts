import type { ReplyOf } from '@tizara/contract'
import { generalSettings } from '@tizara/contract/settings'
import { getReceipt, homeCount, userWallet, walletHistory, walletHoldings } from '@tizara/contract/wallets'
import { formatUnits, type Units } from '@tizara/money'
import { useQuery } from '@tanstack/react-query'
import { t, texts } from '@tizara/languages'
import { formatTime } from '../lib/format.ts'
import { queryClient, read, refetch } from '../lib/http/query.ts'

/** Prefetches the dashboard's top; components retry failures. */
export const prefetchDashboardTop = () =>
  Promise.all([
    queryClient.prefetchQuery(read(userWallet)),
    queryClient.prefetchQuery(read(walletHoldings)),
    queryClient.prefetchQuery(read(generalSettings)),
  ])

/** Loads the seven balances, shared by cards and money forms (API-58, UI-DASH-16). */
export const useWallets = () => useQuery(read(userWallet))

/** Loads amounts outside the wallets: open holds and NFTs. Servers that implement only the specification lack this call. */
export const useWalletHoldings = () => useQuery(read(walletHoldings))

/** Loads coin price, purchase limits and fees (API-50). */
export const useGeneralSettings = () => useQuery(read(generalSettings))

/** Loads reward sums for the stat cards (API-59). */
export const useHomeCount = () => useQuery(read(homeCount))

/** Loads daily balances. Servers that implement only the specification lack this call. */
export const useWalletHistory = (enabled: boolean) => useQuery({ ...read(walletHistory, { query: { days: 90 } }), enabled })

/** Refetches wallets and dependent charts after money moved (ST-38, UI-M-COMMON-01). */
export const refetchWallets = (): Promise<void> => refetch(userWallet, walletHoldings, walletHistory, homeCount, getReceipt)

type Settings = ReplyOf<typeof generalSettings>

/** For each trade: the key of the price that members trade at (`traded`), and of the price that the operator sets (`set`). */
const SIDES = texts('says', {
  buy: { traded: 'buyPrice', set: 'coinPrice', says: 'you buy at the higher of both prices' },
  sell: { traded: 'sellPrice', set: 'coinPrice', says: 'you sell at the lower of both prices' },
  convert: { traded: 'buyRate', set: 'convertRate', says: 'you convert at the higher of both rates' },
} as const)

export interface TradePrice {
  /** USD units for one coin; undefined until the settings are loaded. */
  price: Units | undefined
  /** The planned price, and until when both prices of a change count [MF-10]. */
  hint: string | undefined
}

/** Returns the price of a trade. All forms and quotes use it. */
export function tradePriceOf(settings: Settings | undefined, side: keyof typeof SIDES): TradePrice {
  const { traded, set, says } = SIDES[side]
  const until = settings?.bothPricesUntil
  const hasTwo = side === 'convert' ? settings?.buyRate !== settings?.convertRate : settings?.buyPrice !== settings?.sellPrice
  const first = plannedRate(settings, set)
  const second = until !== undefined && hasTwo ? t('until {until} {says}', { until: formatTime(until), says }) : undefined
  const hint = first !== undefined && second !== undefined ? t('{first}; {second}', { first, second }) : (first ?? second)
  return { price: settings?.[traded] ?? settings?.[set], hint }
}

/** Returns a figure's planned value: `from 05 Nov 2026, 02:07 PM: 0.009 USD`. */
export function plannedRate(settings: Settings | undefined, name: 'coinPrice' | 'convertRate' = 'coinPrice'): string | undefined {
  const held = settings?.[name]
  const next = settings?.coming?.find((step) => held !== undefined && step[name] !== held)
  return next && t('from {startsAt}: {next} USD', { startsAt: formatTime(next.startsAt), next: formatUnits(next[name]) })
}
