/**
 * Authenticates members and manages their sessions.
 * - API: register, sign-in, refresh, log-out, mailed codes and links, password reset and change, sessions, second factor, changes of name,
 * phone and address.
 * - Owns: `session`, `refresh_token`, `mail_code`, `mail_link`, `email_change`, `registration_attempt`, `sign_in_failure`, `reset_request`,
 * `wrong_password_hour`, `account_recovery`, `second_factor`, `recovery_code`, `passkey`, `passkey_challenge`, `member_view`, `known_device`,
 * `api_key`.
 * - Rules: the token of a revoked session is rejected from the next request on (invariant I14). The database stores secrets as digests only
 * (I15). No error reveals whether an account exists, except at registration (ER-70).
 * - An unfinished registration has no effect: the person who verifies the email address decides sponsor and password
 * (docs/decisions/0010-email-verification.md).
 */
export { cancelRecovery, recoveryOf, replacedName, startRecovery } from './account/account-recovery.ts'
export { authRetention, authJobs } from './auth.jobs.ts'
export { closeAccountsJob, type ObstaclesOf } from './account/account-closing.ts'
export { closingRoutes } from './account/account-closing.routes.ts'
export { authRoutes } from './auth.routes.ts'
export { addOperatorKey, assertOperatorKey, endOperatorKey, fetchOperatorKey, listOperatorKeys } from './api-keys/operator-keys.ts'
export { createAuthenticate } from './sessions/authenticate.ts'
export { revokeAllAccess, revokeFactors, revokePasskeys, revokePasswords, revokeRecoveryCodes } from './sessions/revoke-all-access.ts'
export { inSession } from './sessions/in-session.ts'
export { countLiveSessions, liveSessionsOf, pageOfSessions, sessionLimits, timeZoneOf } from './sessions/live-sessions.ts'
export { deleteDevices } from './sessions/known-devices.ts'
export { ownDataRoutes } from './account/own-data.routes.ts'
export { openView } from './sessions/member-views.ts'
export { markEmailVerified } from './registration/mark-email-verified.ts'
export { releaseAddresses } from './registration/registration-attempt.ts'
export { hashPassword } from './passwords/password-hash.ts'
export { mailResetLink } from './passwords/reset-password.ts'
export { hasPasskey, passkeyHolders } from './factors/passkey-sign-in.ts'
export { encryptedFactors } from './factors/second-factor.ts'
export { revokeSessionsOf, openSession, type Origin } from './sessions/sessions.ts'
export { assertTrustedStepUp, type Proof } from './factors/step-up.ts'
