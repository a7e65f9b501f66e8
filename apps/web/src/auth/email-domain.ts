import { DEFAULT_EMAIL_DOMAINS } from '@tizara/contract/limits'
import { readAppConfig } from '../settings/index.ts'

/** Lists the email domains that may sign up: the operator's list, else the default (VA-15). */
export const allowedDomains = (): string[] =>
  [...(readAppConfig().allowedEmailDomains ?? DEFAULT_EMAIL_DOMAINS)].map((domain) => domain.trim().toLowerCase())

/** Returns true if the email's domain may sign up (VA-14). */
export const isAllowedDomain = (email: string): boolean => allowedDomains().includes(email.trim().toLowerCase().split('@').at(-1) ?? '')
