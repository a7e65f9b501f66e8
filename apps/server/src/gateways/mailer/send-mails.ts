import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { makePostponedMailsDue, type ClaimedMail, claimMail, deleteExpiredMails, markMailDropped, markSent, retryMail } from './outbox.ts'
import { type Mailer, MailRejectedError } from './mailer.ts'

/** A recurring job, in the shape that the worker runs. */
interface MailJob {
  name: string
  everySeconds: number
  group: string
  run(lease: Lease, deps: Deps): Promise<number>
}

/** The part of the worker's lease that this job uses. */
interface Lease {
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  stopping(): boolean
}

/** Maximum mails per run, so that other jobs get their turn. */
const BATCH = 200
/** Duration of a claim in ms, longer than the slowest attempt (four waits of five seconds). */
const CLAIM_MS = 60_000
const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 5 * 60_000

/** Wait before the next try: 5 seconds, doubling up to 5 minutes. */
function retryDelay(attempts: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 16))
}

/**
 * Returns the job that sends the outbox. The job claims each mail in one statement and sends outside of any transaction. After a crash the
 * mail is sent again with the same Message-ID.
 */
export function mailJobs(mailer: Mailer): MailJob[] {
  return [{ name: 'send-mails', everySeconds: 1, group: 'mails', run: (lease, deps) => sendDue(lease, deps, mailer) }]
}

async function sendDue(lease: Lease, deps: Deps, mailer: Mailer): Promise<number> {
  let sent = await lease.inTransaction(async (tx) => {
    await makePostponedMailsDue(tx, deps.clock.now(), LONGEST_RETRY_MS)
    return deleteExpiredMails(tx, deps.clock.now())
  })
  for (let count = 0; count < BATCH && !lease.stopping(); count += 1) {
    const claimed = await lease.inTransaction((tx) => claimMail(tx, deps, new Date(deps.clock.now().getTime() + CLAIM_MS)))
    if (claimed === undefined) return sent
    const { outcome, note } = await sendOne(deps, mailer, claimed)
    await lease.inTransaction(note)
    // Stops at an unreachable mail server. Each further mail would block the worker.
    if (outcome === 'unreachable') return sent
    if (outcome === 'done') sent += 1
  }
  return sent
}

/** Result of an attempt, and the update of the mail's row. */
interface AttemptResult {
  outcome: 'done' | 'later' | 'unreachable'
  note: (tx: Tx) => Promise<void>
}

async function sendOne(deps: Deps, mailer: Mailer, { id, attempts, mail }: ClaimedMail): Promise<AttemptResult> {
  if (mail === undefined) return { outcome: 'done', note: (tx) => markMailDropped(tx, id, 'its contents cannot be decrypted') }
  try {
    await mailer.send(mail)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (error instanceof MailRejectedError) {
      deps.log.warn({ mail: String(id), why }, 'mail refused')
      return { outcome: 'done', note: (tx) => markMailDropped(tx, id, why) }
    }
    deps.log.warn({ mail: String(id), attempts, why }, 'mail not sent, will be retried')
    const next = new Date(deps.clock.now().getTime() + retryDelay(attempts))
    return { outcome: isAnswer(error) ? 'later' : 'unreachable', note: (tx) => retryMail(tx, id, next, why) }
  }
  return { outcome: 'done', note: (tx) => markSent(tx, id, deps.clock.now()) }
}

const isAnswer = (error: unknown) => error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
