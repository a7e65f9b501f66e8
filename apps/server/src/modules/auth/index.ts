/**
 * Auth: who somebody is and how long that holds.
 * - Wire: register, sign-in, refresh, log-out, mailed codes and links, reset and change of a password, sessions, second
 *   factor.
 * - Owns: `session`, `refresh_token`, `mail_code`, `mail_link`, `registration_attempt`, `sign_in_failure`,
 *   `reset_request`, `second_factor`, `passkey`, `passkey_challenge`, `member_view`.
 * - Rules: a token of a session that has ended is refused on the next call (invariant I14); secrets are stored as
 *   digests only (I15); a refusal tells nobody whether an account exists, except at registration (ER-70).
 * - An unfinished registration is nothing: sponsor and password come from who proves the address
 *   (docs/decisions/0010-who-proves-the-address.md).
 */
export { authRetention, authJobs } from './auth.jobs.ts'
export { authRoutes } from './auth.routes.ts'
export { createAuthenticate } from './authenticate.ts'
export { inSession } from './in-session.ts'
export { countLiveSessions, liveSessionsOf, pageOfSessions, sessionLimits, timeZoneOf } from './live-sessions.ts'
export { openView } from './member-views.ts'
export { takeAsVerified } from './take-as-verified.ts'
export { hashPassword } from './password-hash.ts'
export { mailResetLink } from './reset-password.ts'
export { hasPasskey, passkeyHolders } from './passkey-sign-in.ts'
export { removeSecondFactor, sealedFactors } from './second-factor.ts'
export { endSessionsOf, openSession, type Origin } from './sessions.ts'
export { assertStepUp, type Proof } from './step-up.ts'
