import type { Retention } from '../../jobs/retention.ts'
import type { Job } from '../../jobs/job.ts'
import { accountRecoveryJob } from './account/account-recovery.jobs.ts'
import { answerResetRequests } from './passwords/reset-password.ts'

/** Recurring jobs for authentication. */
export const authJobs: Job[] = [{ name: 'answer-reset-requests', everySeconds: 1, run: answerResetRequests }, accountRecoveryJob]

/** Keeps expired secrets and ended sessions for later investigations. */
export const authRetention: readonly Retention[] = [
  { table: 'refresh_token', moment: 'created_at', days: 30 },
  { table: 'mail_code', moment: 'created_at', days: 30 },
  { table: 'mail_link', moment: "case when purpose = 'reset' then created_at end", days: 30 },
  { table: 'email_change', moment: 'created_at', days: 30 },
  { table: 'registration_attempt', moment: 'expires_at', days: 0 },
  { table: 'passkey_challenge', moment: 'expires_at', days: 0 },
  { table: 'reset_request', moment: 'case when handled_at is not null then created_at end', days: 30 },
  { table: 'sign_in_failure', moment: 'window_start', days: 1 },
  { table: 'wrong_password_hour', moment: 'hour', days: 2 },
  { table: 'api_key', moment: 'least(ended_at, expires_at)', days: 90 },
  // Sessions are deleted after their refresh tokens, which are at most a month old at the end of the session.
  { table: 'session', moment: 'case when ended_at < expires_at then ended_at else expires_at end', days: 90 },
]
