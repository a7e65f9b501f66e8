import { CompiledQuery } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, queryDeferred, executeDeferred, sqlState, type Tx } from '../../platform/db/database.ts'

/** Returns the kinds still available, without a lock, so that sold-out kinds cause no work and no waits. */
export async function suppliesLeft(tx: Tx): Promise<() => Set<string>> {
  const supplies = await queryDeferred(tx, tx.selectFrom('nft_supply').select('kind').whereRef('sold', '<', 'cap').compile())
  return () => new Set(supplies().map(({ kind }) => kind))
}

/** Returns the number of NFTs that can still be sold, by kind. */
export async function unitsLeft(db: Db): Promise<Map<string, number>> {
  const supplies = await db.selectFrom('nft_supply').select(['kind', 'sold', 'cap']).execute()
  return new Map(supplies.map(({ kind, sold, cap }) => [kind, cap - sold]))
}

const TAKE = 'select nft_take_supply($1, $2)'

/**
 * Counts sold NFTs per kind in one guarded statement (CO-22 to CO-25, invariant I9). The statement runs last, because all buyers of a kind
 * wait for its row. In a batch it is sent together with the commit. If the supply is too small, the server rolls the batch back and
 * processes each purchase alone.
 * @throws AppError NFT_SOLD_OUT when too few units are left
 */
export async function takeSupply(tx: Tx, kinds: readonly string[]): Promise<void> {
  const byKind = Map.groupBy(kinds, (one) => one)
  const values = [[...byKind.keys()], [...byKind.values()].map((units) => units.length)]
  if (kinds.length > 1) return executeDeferred(tx, TAKE, values)
  try {
    await tx.executeQuery(CompiledQuery.raw(TAKE, values))
  } catch (error) {
    throw sqlState(error) === 'TZ002' ? new AppError('NFT_SOLD_OUT') : error
  }
}
