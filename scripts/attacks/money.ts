import { type Attack, SRC, NO_ENTRY, replayed, testsIn } from './attack.ts'

const OUTFLOW = `${SRC}/modules/transfers/outflow.test.ts`
const GUARD = `${SRC}/modules/withdrawals/guard/guard.test.ts`

/** Attacks on the money of members. */
export const moneyAttacks: readonly Attack[] = [
  {
    point: 'Money that leaves a member',
    attack: 'A thief with the password sends money to an accomplice after the owner stopped payouts.',
    message: '`PAYOUTS_STOPPED`',
    audit: '`payout.request`, once an hour',
    tests: [
      ...replayed('of a thief with the password moves nothing to an accomplice after the owner stopped everything'),
      ...testsIn(OUTFLOW, 'sends nothing to an accomplice after the owner stopped payouts, in one sum or in parts'),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief sends money at the moment of the stop.',
    message: '`PAYOUTS_STOPPED` for each transfer after the stop',
    audit: '`payout.request`',
    tests: testsIn(OUTFLOW, 'cannot win a race against the stop: each transfer is covered by it or rejected'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief sends money in parts, from several sessions, in one batch and around midnight.',
    message: 'transfers above the small sum of 24 hours wait for their owner',
    audit: NO_ENTRY.accepted,
    tests: testsIn(
      OUTFLOW,
      'gets at most the small sum of 24 hours, from several sessions, in one batch and around midnight',
      'counts each of many small transfers for 24 hours, in a short row',
      'is posted at once up to the small sum of 24 hours and held above it',
    ),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief confirms a waiting transfer with the password on a new device, also with a copied User-Agent.',
    message: '`DEVICE_NOT_TRUSTED`',
    audit: '`auth.step-up`, once an hour',
    tests: [
      ...replayed('of a thief with the password gets the small sum of 24 hours at most, also with a copied User-Agent'),
      ...testsIn(OUTFLOW, 'cannot confirm a transfer by password on a new device; the mailed link and a trusted device can'),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief repeats a proof, or uses it for another request or in another session.',
    message: '`STEP_UP_REFUSED`',
    audit: '`payout.request`, once an hour',
    tests: [
      ...testsIn(GUARD, 'is rejected when the proof is for another request, member or session, or expired'),
      ...testsIn(OUTFLOW, 'is posted at once with a proof of exactly this transfer, once'),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief guesses the password in the proof of a payout.',
    message: '`CURRENT_PASSWORD_WRONG`, then `TOO_MANY_REQUESTS`',
    audit: '`auth.step-up` for each guess',
    tests: testsIn(GUARD, 'delays password guesses like sign-in, wherever a proof is required'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A member confirms or cancels the transfer of another member, or one that has ended.',
    message: '`NOT_FOUND`, or 400 for one that has ended',
    audit: NO_ENTRY.mistake,
    tests: testsIn(OUTFLOW, 'is confirmed, cancelled or returned only once and only by its sender'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief uses a mailed link that is forged, old or of another payout.',
    message: '`PAYOUT_LINK_INVALID`',
    audit: NO_ENTRY.nameless,
    tests: testsIn(GUARD, 'works for its payout only, and not when forged, old or unknown'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A payout goes on although its owner used the stop link.',
    message: '`PAYOUTS_STOPPED`; waiting payouts are returned and sessions end',
    audit: '`payout.stop`, `payout.request`',
    tests: testsIn(GUARD, 'stop returns all payouts, ends sessions, and blocks payouts until a password reset by mail'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief sends or confirms a transfer while payouts are frozen.',
    message: '`PAYOUT_HELD`',
    audit: '`payout.request`, `payout.confirm`',
    tests: testsIn(OUTFLOW, 'cannot transfer during a freeze after a new password or second factor'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A member splits the sum of a day between transfers and payouts, or into parallel calls.',
    message: '`PAYOUT_DAY_LIMIT`',
    audit: '`payout.request`, once an hour',
    tests: [
      ...testsIn(OUTFLOW, 'counts towards the daily limit together with payouts'),
      ...testsIn(GUARD, 'is limited per member for any number of parallel calls, without returned amounts'),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'SQL changes the receiver or amount of a waiting transfer, or confirms a payout address.',
    message: '`PAYOUT_CHANGED`, `ADDRESS_FORGED`',
    audit: '`payout.confirm` for a transfer, `payout.request` for an address',
    tests: [
      ...testsIn(OUTFLOW, 'is not posted when its receiver or amount was changed in the database'),
      ...testsIn(
        GUARD,
        'refuses a payout to an address that SQL confirmed, changed, copied or revived; the refusal is recorded, and the audit reports it',
      ),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'A new route moves value out of a member without the guard.',
    message: '`PAYOUTS_STOPPED`; the test finds the routes by their postings',
    audit: '`payout.request`',
    tests: [
      ...testsIn(
        'apps/server/test/properties/security/outflow-routes.test.ts',
        'is tested for every money route of members',
        'keeps %s from moving value out of a member who stopped payouts',
      ),
      ...testsIn(
        'apps/server/test/properties/security/outflow-search.test.ts',
        'leaves a member only with a proof or within the small sum, whatever a thief, staff and a restore do',
      ),
    ],
  },
]
