import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { type ClaimedMail, claimMail, dropExpired, markDropped, markSent, retryMail } from './outbox.ts'
import { type Mailer, MailRefused } from './mailer.ts'

/** A recurring job, in the shape that the worker runs. */
interface MailSweep {
  name: string
  everySeconds: number
  run(db: Db, deps: Deps, lease: Lease): Promise<number>
}

/** Proof that this worker still is the one that runs the sweep. */
interface Lease {
  assertHeld(tx: Db): Promise<void>
}

/** Most mails of one run, so that other sweeps get their turn. */
const BATCH = 200
/** A claim outlives the slowest try (four waits of five seconds). */
const CLAIM_MS = 60_000
const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 5 * 60_000

/** Wait before the next try: 5 seconds, doubling up to 5 minutes. */
function retryDelay(attempts: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 16))
}

/**
 * The sweep that empties the outbox. Each mail is claimed in one statement, sent outside any transaction, and noted as
 * sent; a crash in between sends it again under the same Message-ID.
 */
export function mailSweeps(mailer: Mailer): MailSweep[] {
  return [{ name: 'send-mails', everySeconds: 1, run: (db, deps, lease) => sendDue(db, deps, lease, mailer) }]
}

async function sendDue(db: Db, deps: Deps, lease: Lease, mailer: Mailer): Promise<number> {
  let done = await dropExpired(db, deps.clock.now())
  for (let count = 0; count < BATCH; count += 1) {
    if (count > 0) await lease.assertHeld(db)
    const claimed = await claimMail(db, deps, new Date(deps.clock.now().getTime() + CLAIM_MS))
    if (claimed === undefined) return done
    const outcome = await sendOne(db, deps, mailer, claimed)
    // A mail server that does not answer would hold up the worker at each further mail: the rest waits for its turn.
    if (outcome === 'unreachable') return done
    if (outcome === 'done') done += 1
  }
  return done
}

async function sendOne(db: Db, deps: Deps, mailer: Mailer, claimed: ClaimedMail): Promise<'done' | 'later' | 'unreachable'> {
  if (claimed.mail === undefined) {
    await markDropped(db, claimed.id, 'its contents cannot be opened')
    return 'done'
  }
  try {
    await mailer.send(claimed.mail)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (error instanceof MailRefused) {
      deps.log.warn({ mail: String(claimed.id) }, 'mail refused')
      await markDropped(db, claimed.id, why)
      return 'done'
    }
    deps.log.warn({ mail: String(claimed.id), attempts: claimed.attempts }, 'mail not sent, will be tried again')
    await retryMail(db, claimed.id, new Date(deps.clock.now().getTime() + retryDelay(claimed.attempts)), why)
    return isAnswer(error) ? 'later' : 'unreachable'
  }
  await markSent(db, claimed.id, deps.clock.now())
  return 'done'
}

const isAnswer = (error: unknown) => error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
