import { joinList, t, texts } from '@tizara/languages'

/** Texts of the sign-up form beside those of the requirements. */
export const hints = texts({
  /** Rules shown before the first submit. */
  email: (domains: readonly string[]): string => t('Accepted: {domains}.', { domains: joinList(domains) }),
  password: (length: number): string => t('At least {length} characters.', { length }),
  referralCode: (length: number): string => t('Optional. At least {length} characters if you have one.', { length }),
  /** Errors of a filled field, shown when the focus leaves it. */
  domainError: 'Addresses of this domain are not accepted.',
  phoneError: 'Not a phone number of the selected country.',
})
