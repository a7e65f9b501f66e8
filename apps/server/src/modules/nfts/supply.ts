import { sql } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'

/** The kinds of which something is left: a look without a lock, so that nobody works, and waits, for what is sold out. */
export async function suppliesLeft(tx: Tx): Promise<Set<string>> {
  const supplies = await tx.selectFrom('nft_supply').select('kind').whereRef('sold', '<', 'cap').execute()
  return new Set(supplies.map(({ kind }) => kind))
}

/**
 * Takes units of kinds (CO-22 to CO-25, invariant I9), each kind in one guarded statement. It is the last step: everyone
 * who buys the kind waits for its row, so it is held for the shortest time, and nothing but the next kind is locked after it.
 * @throws AppError NFT_SOLD_OUT when a kind has fewer
 */
export async function takeSupply(tx: Tx, kinds: readonly string[]): Promise<void> {
  for (const [kind, units] of [...Map.groupBy(kinds, (one) => one)].toSorted()) {
    const count = units.length
    const taken =
      await sql`update nft_supply set sold = sold + ${count} where kind = ${kind} and sold + ${count} <= cap returning sold`.execute(tx)
    if (taken.rows.length === 0) throw new AppError('NFT_SOLD_OUT')
  }
}
