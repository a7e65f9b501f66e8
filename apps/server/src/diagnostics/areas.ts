import type { finding } from '@tizara/contract/staff-health'
import type * as v from 'valibot'
import { alertMeaning } from '../modules/staff/index.ts'

/** Who a problem affects, and the console page on which staff act. */
export type Words = Pick<v.InferOutput<typeof finding>, 'affects' | 'action' | 'since'>

/** Buttons to the console pages on which staff act. */
const BUTTONS: Readonly<Record<string, string>> = {
  '/staff': 'Open overview',
  '/staff/ledger': 'Open ledger',
  '/staff/audit': 'Open audit log',
  '/staff/rewards': 'Open rewards',
  '/staff/payouts': 'Open payouts',
  '/staff/payouts?for=decided': 'Open decided payouts',
  '/staff/deposits': 'Open deposits',
  '/staff/deposits?for=decided': 'Open decided deposits',
  '/staff/roles': 'Open staff and roles',
  '/staff/catalogue': 'Open catalogue',
  '/staff/programme': 'Open programme',
  '/staff/webhooks': 'Open webhooks',
}

const wordsFor = (affects: string, href?: string): Words => {
  const label = href === undefined ? undefined : BUTTONS[href]
  return { affects, ...(href === undefined || label === undefined ? {} : { action: { label, href } }) }
}

/** Returns the words of an alert, which the overview and its mail show too. */
export function wordsOfAlert(name: string): Words {
  const { meaning, href } = alertMeaning(name)
  return wordsFor(meaning, href)
}

/** Texts for the problems of each area, in the doctor and on the page Health. A check may add more precise texts. */
const AREAS: Readonly<Record<string, Words>> = {
  settings: wordsFor('The whole platform. Sign-ins, payments or mails may be unsafe or fail.'),
  secrets: wordsFor('The whole platform. API and worker do not start again without the right key.'),
  machine: wordsFor('Operators. Backups, sign-ins with an authenticator app, or secrets are at risk.'),
  database: wordsFor('All members. Requests can fail, or the last ones can be lost in a power cut.'),
  mail: wordsFor('Members who sign up, reset a password or confirm a payout. Their mails are late.'),
  provider: wordsFor('Members who deposit through the payment provider.', '/staff/deposits'),
  chain: wordsFor('Members who deposit or are paid on the chain.', '/staff/deposits'),
  address: wordsFor('All members. The platform may be unreachable, and payment notices may be lost.'),
  certificate: wordsFor('All members. Browsers refuse the platform when the certificate has expired.'),
  platform: wordsFor('Members wait for payouts, credits and rewards. Propose to resume in the bar at the top.', '/staff'),
  'balance sheet': wordsOfAlert('balance'),
  staff: wordsFor('Staff. Decisions that take two people may be impossible.', '/staff/roles'),
  setup: wordsFor('New members. Nobody can sign up.'),
  offer: wordsFor('Members who want to buy or stake.', '/staff/catalogue'),
  programme: wordsFor('The operator. A group of members can take out more than its capital earns.', '/staff/programme'),
  rewards: wordsFor('Members who buy, stake or wait for rewards.', '/staff/rewards'),
  queues: wordsFor('Members who wait for their payout.', '/staff/payouts'),
  payouts: wordsOfAlert('sending'),
  'audit log': wordsFor('Nobody yet. Records of staff actions may have been changed or removed.', '/staff/audit'),
  worker: wordsOfAlert('job'),
  webhooks: wordsOfAlert('webhook'),
  records: wordsOfAlert('backup'),
}

export const wordsOf = (area: string): Words => AREAS[area] ?? {}
