import { sql } from 'kysely'
import { AppError } from '../platform/runtime/app-error.ts'
import { type Db, executeDeferred, type Tx } from '../platform/db/database.ts'
import { systemAccountId } from './chart-of-accounts.ts'

/** Key of the lock for emergency pauses. A pause waits for running transactions; later transactions see the pause. */
const STOP_LOCK = 1_702_257_020

const side = (account: bigint) => account / 100n
const sidesOf = (systemAccounts: readonly ('SYS-DEPOSIT' | 'SYS-REWARD' | 'SYS-WITHDRAW' | 'SYS-BRIDGE')[]) =>
  new Set(systemAccounts.flatMap((system) => (['USD', 'COIN'] as const).map((asset) => side(systemAccountId(system, asset)))))

/** Accounts that pay credits to members: deposits, rewards and credits by staff. */
const CREDITS = sidesOf(['SYS-DEPOSIT', 'SYS-REWARD'])
/** Payments out of the platform go to these accounts. */
const LEAVES = sidesOf(['SYS-WITHDRAW', 'SYS-BRIDGE'])

/** Returns true for transfers that pay out or credit, by their accounts. An emergency pause delays these transfers. */
export const isBlockedByPause = ({ debit, credit }: { debit: bigint; credit: bigint }): boolean =>
  (credit > 0n && CREDITS.has(side(debit))) || LEAVES.has(side(credit))

/**
 * Returns the reason of the emergency pause, or undefined without a pause. Waits while a pause begins, and delays a new pause until the end
 * of this transaction.
 */
export async function pauseReason(tx: Db): Promise<string | undefined> {
  await executeDeferred(tx, 'select pg_advisory_xact_lock_shared($1)', [STOP_LOCK])
  return (await currentPause(tx))?.why
}

/** Reads the pause in force, for display. */
export async function currentPause(db: Db): Promise<{ since: Date; why: string } | undefined> {
  const { rows } = await sql<{ since: Date; why: string }>`select since, why from ledger_stop where lifted_at is null`.execute(db)
  return rows[0]
}

/**
 * Rejects payouts, credits and runs during an emergency pause. The ledger checks it too; this call is for use cases with steps
 * before posting.
 * @throws AppError STOPPED
 */
export async function assertNotStopped(tx: Db): Promise<void> {
  const why = await pauseReason(tx)
  if (why !== undefined) throw new AppError('STOPPED', { why })
}

/**
 * Starts an emergency pause of payouts and credits, after all running transactions.
 * @returns false if a pause is already in force
 */
export async function stopLedger(tx: Tx, at: Date, why: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${STOP_LOCK})`.execute(tx)
  const inserted = await sql`insert into ledger_stop (since, why) values (${at}, ${why}) on conflict do nothing`.execute(tx)
  return inserted.numAffectedRows === 1n
}

/**
 * Ends the emergency pause.
 * @returns false when it was not stopped
 */
export async function liftLedgerStop(tx: Tx, at: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${STOP_LOCK})`.execute(tx)
  const lifted = await sql`update ledger_stop set lifted_at = ${at} where lifted_at is null`.execute(tx)
  return lifted.numAffectedRows === 1n
}

/** SQL for a version text of the pause. */
export const stopMark = sql<string>`(select concat(count(*), ' ', count(lifted_at)) from ledger_stop)`
