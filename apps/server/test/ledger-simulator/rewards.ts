import { sql } from 'kysely'
import { AppError } from '../../src/platform/runtime/app-error.ts'
import { postBulk } from '../../src/ledger/post-bulk.ts'
import type { Fault, World } from './world.ts'

const budget = { system: 'SYS-REWARD', asset: 'COIN' } as const

/**
 * Runs a reward day repeatedly: interrupted before or after its commit, repeated by another worker, and often above the budget.
 * Each day pays once or not at all.
 */
export async function runRewards(world: World): Promise<void> {
  const day = world.random.below(3)
  const share = BigInt(1 + world.random.below(8))
  const fault = world.fault()
  const total = share * BigInt(world.members.length)
  const expected = world.oracle.balance(budget) < total ? 'NOT_COVERED' : world.paidDays.has(day) ? 'IDEMPOTENCY_KEY_REUSED' : 'paid'
  const got = await attempt(world, fault, day, share)
  if (fault === 'error_before' || fault === 'error_before_commit') return
  if (got !== expected) throw new Error(`the run of day ${day} came to ${got}, expected ${expected}`)
  if (got !== 'paid') return
  world.paidDays.add(day)
  for (const owner of world.members) world.oracle.move(budget, { owner, kind: 'nativeWallet' }, share)
}

/** Wraps the run in a savepoint, because a refused run ends in a database error. */
async function attempt(world: World, fault: Fault, day: number, share: bigint): Promise<string> {
  if (fault === 'error_before') return 'cut'
  await sql`savepoint run`.execute(world.db)
  try {
    await postBulk(world.db, {
      from: 'SYS-REWARD',
      to: 'nativeWallet',
      kind: 'dailyReward',
      causeType: 'simulator',
      at: world.now(),
      total: share * BigInt(world.members.length),
      source: sql`select owner as owner_id, ${share}::bigint as amount, 'stake-' || owner as cause_id, ${`day-${day}-`} || owner as key
        from unnest(${world.members}::bigint[]) owner`,
    })
  } catch (error) {
    await sql`rollback to savepoint run`.execute(world.db)
    if (error instanceof AppError) return error.code
    throw error
  }
  await sql.raw(fault === 'error_before_commit' ? 'rollback to savepoint run' : 'release savepoint run').execute(world.db)
  return 'paid'
}
