import { useSyncExternalStore } from 'react'
import { metaContent } from '../lib/http/meta.ts'

/** Operator configuration, available before sign-in (GN-27, VA-15). */
export interface AppConfig {
  brandName: string
  tokenSymbol: string
  /** Email domains that may sign up, if configured. */
  allowedEmailDomains?: readonly string[]
  /** Coins and payments are play money. */
  sandbox: boolean
  /** Members can send USDT on-chain. */
  usdOnChain?: boolean | undefined
}

const defaults: AppConfig = {
  brandName: 'Tizara',
  tokenSymbol: 'TIZARA',
  sandbox: false,
}

function readPage(): AppConfig {
  const domains = metaContent('allowed-email-domains', '')
  return {
    brandName: metaContent('brand-name', defaults.brandName),
    tokenSymbol: metaContent('token-symbol', defaults.tokenSymbol),
    sandbox: metaContent('sandbox', 'off') === 'on',
    usdOnChain: metaContent('usd-on-chain', 'off') === 'on',
    ...(domains === '' ? {} : { allowedEmailDomains: domains.split(',') }),
  }
}

let current = readPage()
/** Values in the prerendered sign-in page: the page server fills in only the brand name. */
let drawn: AppConfig = { ...defaults, brandName: current.brandName }
const listeners = new Set<() => void>()

export const readAppConfig = (): AppConfig => current

/** Sets the values for prerendering. */
export function drawnWith(config: Pick<AppConfig, 'brandName'>): void {
  drawn = { ...defaults, ...config }
}

export function useAppConfig(): AppConfig {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    readAppConfig,
    () => drawn,
  )
}

/** Loads the configuration from the API if the page server did not fill the page head, as on a static file server. */
export async function loadMissingAppConfig(): Promise<void> {
  if (metaContent('sandbox', '') !== '') return
  try {
    const { fetchAppConfig } = await import('./fetch-app-config.ts')
    current = { ...current, ...(await fetchAppConfig()) }
    for (const listener of listeners) listener()
  } catch {
    // Keeps the defaults.
  }
}
