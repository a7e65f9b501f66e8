import { forgetOldWindows } from '../../http/rate-limit.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import type { Tx } from '../../platform/database.ts'
import { FAILURE_WINDOW_MS, SESSION_MS } from './auth.rules.ts'
import { answerResetRequests } from './reset-password.ts'

/** Secrets that can do nothing any more are kept this long, for questions that come later. */
const KEPT_MS = SESSION_MS

/** The recurring jobs of this module. */
export const authSweeps: Sweep[] = [
  { name: 'answer-reset-requests', everySeconds: 1, run: answerResetRequests },
  {
    name: 'forget-old-secrets',
    everySeconds: 30,
    run: (lease, deps) =>
      lease.inTransaction(async (tx) => {
        const now = deps.clock.now()
        await forgetOldWindows(tx, now)
        return forgetOldSecrets(tx, now)
      }),
  },
]

async function forgetOldSecrets(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS)
  const results = [
    await tx.deleteFrom('refresh_token').where('created_at', '<', before).executeTakeFirst(),
    await tx.deleteFrom('mail_code').where('created_at', '<', before).executeTakeFirst(),
    await tx.deleteFrom('mail_link').where('created_at', '<', before).where('purpose', '=', 'reset').executeTakeFirst(),
    await tx.deleteFrom('registration_attempt').where('expires_at', '<', now).executeTakeFirst(),
    await tx.deleteFrom('reset_request').where('created_at', '<', before).where('handled_at', 'is not', null).executeTakeFirst(),
    await tx
      .deleteFrom('sign_in_failure')
      .where('window_start', '<', new Date(now.getTime() - 2 * FAILURE_WINDOW_MS))
      .executeTakeFirst(),
  ]
  return results.reduce((sum, result) => sum + Number(result.numDeletedRows), 0)
}
