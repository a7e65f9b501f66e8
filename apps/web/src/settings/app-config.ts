import { DEFAULT_EMAIL_DOMAINS, type ReplyOf } from '@tizara/contract'
import { appConfig } from '@tizara/contract/settings'
import { useSyncExternalStore } from 'react'
import { call } from '../lib/api.ts'
import { metaContent } from '../lib/meta.ts'

/** What the operator has configured, known before anybody signs in (GN-27, VA-15). */
export type AppConfig = Pick<ReplyOf<typeof appConfig>, 'brandName' | 'tokenSymbol' | 'allowedEmailDomains' | 'sandbox'>

/** What the prerendered page was drawn with. */
const defaults: AppConfig = {
  brandName: 'Tizara',
  tokenSymbol: 'TIZARA',
  allowedEmailDomains: [...DEFAULT_EMAIL_DOMAINS],
  sandbox: false,
}

function readPage(): AppConfig {
  return {
    brandName: metaContent('brand-name', defaults.brandName),
    tokenSymbol: metaContent('token-symbol', defaults.tokenSymbol),
    allowedEmailDomains: metaContent('email-domains', DEFAULT_EMAIL_DOMAINS.join(',')).toLowerCase().split(','),
    sandbox: metaContent('sandbox', 'off') === 'on',
  }
}

let current = readPage()
const listeners = new Set<() => void>()

/** The configuration now. */
export const readAppConfig = (): AppConfig => current

/** The configuration, followed live. */
export function useAppConfig(): AppConfig {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    readAppConfig,
    () => defaults,
  )
}

/** Asks the API when the server of the pages did not fill the page's head, as on a plain file server. */
export async function completeAppConfig(): Promise<void> {
  if (metaContent('sandbox', '') !== '') return
  try {
    current = { ...current, ...(await call(appConfig)).data }
    for (const listener of listeners) listener()
  } catch {
    // The defaults hold.
  }
}
