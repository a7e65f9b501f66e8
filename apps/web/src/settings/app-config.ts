import { useSyncExternalStore } from 'react'
import { metaContent } from '../lib/meta.ts'

/** What the operator has configured, known before anybody signs in (GN-27, VA-15). */
export interface AppConfig {
  brandName: string
  tokenSymbol: string
  /** Domains of mail addresses that may sign up, when the operator has said. */
  allowedEmailDomains?: readonly string[]
  /** Coins and payments are play money. */
  sandbox: boolean
  /** Members may send USDT over the chain by themselves. */
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
/** What the sign-in page came drawn with: the server of the pages puts the house's name in, and no more. */
let drawn: AppConfig = { ...defaults, brandName: current.brandName }
const listeners = new Set<() => void>()

export const readAppConfig = (): AppConfig => current

/** Says what a page is drawn with outside a browser. */
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

/** Asks the API when the server of the pages did not fill the page's head, as on a plain file server. */
export async function completeAppConfig(): Promise<void> {
  if (metaContent('sandbox', '') !== '') return
  try {
    const { fetchAppConfig } = await import('./fetch-app-config.ts')
    current = { ...current, ...(await fetchAppConfig()) }
    for (const listener of listeners) listener()
  } catch {
    // The defaults hold.
  }
}
