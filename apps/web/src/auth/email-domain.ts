import { DEFAULT_EMAIL_DOMAINS } from '@tizara/contract/limits'
import { readAppConfig } from '../settings/index.ts'

/** Returns true if the email domain may sign up: the operator's list, else the default (VA-14, VA-15). */
export function isAllowedDomain(email: string): boolean {
  const domains: readonly string[] = readAppConfig().allowedEmailDomains ?? DEFAULT_EMAIL_DOMAINS
  const domain = email.trim().toLowerCase().split('@').at(-1) ?? ''
  return domains.some((allowed) => allowed.trim().toLowerCase() === domain)
}
