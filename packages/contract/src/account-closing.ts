import * as v from 'valibot'
import { PROOF_ERRORS } from './contact-details.ts'
import { moment } from './fields.ts'
import { proofEntries } from './proof.ts'
import { memberAct, memberRead } from './route.ts'

/** Days from the request until an account is closed. A sign-in within them cancels the request. */
export const CLOSING_DAYS = 30

export const closingObstacles = memberRead({
  name: 'closingObstacles',
  path: '/profile/closing',
  summary: "Lists what prevents closing the member's account: money, running stakes and NFTs, open requests and tickets.",
  reply: v.object({ obstacles: v.array(v.string()) }),
})

export const closeAccount = memberAct({
  name: 'closeAccount',
  path: '/profile/closing',
  limited: true,
  summary:
    'Requests that the account is closed after 30 days. Needs a proof, and an account without money and open requests. Ends all sessions, and blocks the account at once. A sign-in within the 30 days cancels the request. A day after the closing, personal data is erased; the records of payments stay.',
  body: v.strictObject(proofEntries),
  reply: v.object({ closesAt: moment }),
  errors: ['ACCOUNT_NOT_EMPTY', ...PROOF_ERRORS],
})
