/** Staff labels for members' actions. */
const LABELS: Readonly<Record<string, string>> = {
  login: 'Signed in',
  'log-out': 'Signed out',
  register: 'Registered',
  'verify-code': 'Proved the mail address',
  'verify-link': 'Proved the mail address by the link',
  'change-password': 'Changed the password',
  'reset-password': 'Password reset',
  'forgot-password': 'Asked for a reset of the password',
  'refresh-reuse': 'A used session token came back',
  'end-session': 'Ended a session',
  'second-factor-on': 'Set up an authenticator app',
  'second-factor-off': 'Took the authenticator app off',
  'step-up': 'Confirmed who they are',
  'resend-code': 'Asked for another code',
  'payout.confirm': 'Confirmed a payout',
  'payout.stop': 'Stopped all payouts',
  'payout.cancel': 'Took a payout back',
  'address-add': 'Saved a payout address',
  'address-confirm': 'Confirmed a payout address',
  'address-remove': 'Took a payout address off',
}

/** Describes a member's action from its audit entry. */
export function describeMemberAction({ action, outcome }: { action: string; outcome: string }): string {
  const name = action.slice(action.lastIndexOf('.') + 1)
  const words = name.replaceAll('-', ' ')
  return `${LABELS[action] ?? LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1)}${outcome === 'ok' ? '' : ', refused'}`
}
