/**
 * Change stream, `GET {API base}/live`: server-sent events for one signed-in page, authorized by the access token as in any call. Servers
 * without a change stream answer 404; pages connect only if the profile has `live`.
 * - `changed`: a JSON array with outdated reads (`userWallet`)
 * - `presence`: staff only, pages that other staff have open (staff-platform.ts)
 * - `expired`: the token has expired; reconnect with a new one
 * - `over`: the session ended or lost access to the stream
 */
export const LIVE_PATH = '/live'

export type LiveEvent = 'changed' | 'presence' | 'expired' | 'over'
