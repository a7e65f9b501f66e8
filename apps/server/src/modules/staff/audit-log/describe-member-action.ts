/** Staff labels for members' actions. */
const LABELS: Readonly<Record<string, string>> = {
  login: 'Signed in',
  'log-out': 'Signed out',
  register: 'Registered',
  'verify-code': 'Verified the mail address',
  'verify-link': 'Verified the mail address with the link',
  'change-password': 'Changed the password',
  'reset-password': 'Password reset',
  'forgot-password': 'Requested a password reset',
  'refresh-reuse': 'A used session token was presented again',
  'refresh-blocked': 'A session of the blocked account was presented',
  'end-session': 'Ended a session',
  'second-factor-on': 'Set up an authenticator app',
  'second-factor-off': 'Removed the authenticator app',
  'account-recovered': 'The recovery of the account was completed',
  'cancel-recovery': 'Cancelled the recovery of the account',
  'prove-recovery-address': 'Confirmed the new address of the recovery',
  'recovery-code-used': 'Used a recovery code',
  'recovery-codes-renewed': 'Renewed the recovery codes',
  'api-key-created': 'Created an API key',
  'api-key-ended': 'Ended an API key',
  'change-name': 'Changed the name',
  'change-phone': 'Changed the phone number',
  'request-email': 'Requested a new email address',
  'change-email': 'Changed the email address',
  'stop-email': 'Stopped a change of the email address',
  'close-account': 'Requested to close the account',
  'cancel-closing': 'Signed in, which cancelled the closing of the account',
  'account-closed': 'The account was closed at the request of its member',
  'copy-data': 'Requested a copy of their data',
  'step-up': 'Confirmed their identity',
  'suspended-call': 'Call while the account or its staff rights were suspended',
  'resend-code': 'Requested another code',
  'terms.accept': 'Accepted the terms of use',
  'payout.request': 'Requested a payout or transfer',
  'payout.confirm': 'Confirmed a payout',
  'deposit.return-request': 'Asked for the return of a payment',
  'payout.stop': 'Stopped all payouts',
  'payout.cancel': 'Cancelled a payout',
  'address-add': 'Saved a payout address',
  'address-confirm': 'Confirmed a payout address',
  'address-prove': 'Proved a payout address',
  'address-remove': 'Removed a payout address',
}

/** Describes a member's action from its audit entry. */
export function describeMemberAction({ action, outcome }: { action: string; outcome: string }): string {
  const name = action.slice(action.lastIndexOf('.') + 1)
  const text = name.replaceAll('-', ' ')
  return `${LABELS[action] ?? LABELS[name] ?? text.charAt(0).toUpperCase() + text.slice(1)}${outcome === 'ok' ? '' : ', refused'}`
}
