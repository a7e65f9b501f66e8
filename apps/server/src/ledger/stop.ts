import { sql } from 'kysely'
import { AppError } from '../platform/runtime/app-error.ts'
import { type Db, executeDeferred, type Tx } from '../platform/db/database.ts'
import { systemAccountId } from './chart-of-accounts.ts'

/** Key of the lock by which a stop waits for what is on its way, and everything after it finds the stop. */
const STOP_LOCK = 1_702_257_020

const side = (account: bigint) => account / 100n
const sidesOf = (houses: readonly ('SYS-DEPOSIT' | 'SYS-REWARD' | 'SYS-WITHDRAW' | 'SYS-BRIDGE')[]) =>
  new Set(houses.flatMap((house) => (['USD', 'COIN'] as const).map((asset) => side(systemAccountId(house, asset)))))

/** Out of these comes what members are credited: deposits, rewards, RCM. */
const CREDITS = sidesOf(['SYS-DEPOSIT', 'SYS-REWARD'])
/** Into these goes what leaves the house. */
const LEAVES = sidesOf(['SYS-WITHDRAW', 'SYS-BRIDGE'])

/** Whether a transfer pays out or credits, and so waits while the house is stopped; by its accounts, whatever asks for it. */
export const waitsForStop = ({ debit, credit }: { debit: bigint; credit: bigint }): boolean =>
  (credit > 0n && CREDITS.has(side(debit))) || LEAVES.has(side(credit))

/** Why the house is stopped; undefined while it is not. A stop that is on its way is waited for, and waits for whoever asked. */
export async function stoppedWhy(tx: Db): Promise<string | undefined> {
  await executeDeferred(tx, 'select pg_advisory_xact_lock_shared($1)', [STOP_LOCK])
  return (await currentStop(tx))?.why
}

/** The stop in force, as it stands: for what is shown. */
export async function currentStop(db: Db): Promise<{ since: Date; why: string } | undefined> {
  const { rows } = await sql<{ since: Date; why: string }>`select since, why from ledger_stop where lifted_at is null`.execute(db)
  return rows[0]
}

/**
 * Refuses what pays, credits or runs while the house is stopped. The ledger does so by itself; this is for use cases that
 * would do something else first.
 * @throws AppError STOPPED
 */
export async function assertNotStopped(tx: Db): Promise<void> {
  const why = await stoppedWhy(tx)
  if (why !== undefined) throw new AppError('STOPPED', { why })
}

/**
 * Stops everything that pays out or credits; what is on its way ends first.
 * @returns false when the house was stopped already
 */
export async function stopLedger(tx: Tx, at: Date, why: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${STOP_LOCK})`.execute(tx)
  const made = await sql`insert into ledger_stop (since, why) values (${at}, ${why}) on conflict do nothing`.execute(tx)
  return made.numAffectedRows === 1n
}

/**
 * Lets it go on.
 * @returns false when it was not stopped
 */
export async function liftLedgerStop(tx: Tx, at: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${STOP_LOCK})`.execute(tx)
  const lifted = await sql`update ledger_stop set lifted_at = ${at} where lifted_at is null`.execute(tx)
  return lifted.numAffectedRows === 1n
}

/** SQL: what changes with a stop. */
export const stopMark = sql<string>`(select concat(count(*), ' ', count(lifted_at)) from ledger_stop)`
