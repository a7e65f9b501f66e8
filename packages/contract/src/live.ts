/**
 * The stream of changes, `GET {API base}/live`: server-sent events for one signed-in page, asked for with the access token
 * in Authorization as every other call. An extra of this house: another server answers 404, and the page asks only where
 * the profile says `live`.
 *
 * - `changed`: a JSON array with names of reads (`userWallet`) whose answer is another one now
 * - `presence`: for staff, who is where now (staff-house.ts)
 * - `expired`: the token's time is over; come again with a new one
 * - `over`: the session has ended, or may not have a stream any more
 */
export const LIVE_PATH = '/live'

export type LiveEvent = 'changed' | 'presence' | 'expired' | 'over'
