/** Texts of the sign-up form beside those of the requirements. */
export const hints = {
  /** Rules shown before the first submit. */
  email: (domains: readonly string[]): string => `Accepted: ${domains.join(', ')}.`,
  password: (length: number): string => `At least ${length} characters.`,
  referralCode: (length: number): string => `Optional. At least ${length} characters if you have one.`,
  /** Errors of a filled field, shown when the focus leaves it. */
  domainError: 'Addresses of this domain are not accepted.',
  phoneError: 'Not a phone number of the selected country.',
} as const
