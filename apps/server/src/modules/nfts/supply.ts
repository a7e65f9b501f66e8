import { CompiledQuery } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { queryDeferred, executeDeferred, sqlState, type Tx } from '../../platform/db/database.ts'

/** The kinds of which something is left: a look without a lock, so that nobody works, and waits, for what is sold out. */
export async function suppliesLeft(tx: Tx): Promise<() => Set<string>> {
  const supplies = await queryDeferred(tx, tx.selectFrom('nft_supply').select('kind').whereRef('sold', '<', 'cap').compile())
  return () => new Set(supplies().map(({ kind }) => kind))
}

const TAKE = 'select nft_take_supply($1, $2)'

/**
 * Takes units of kinds (CO-22 to CO-25, invariant I9), all in one guarded statement. It is the last step: everyone who buys
 * a kind waits for its row, so it is held for the shortest time. For a group it goes with the commit; where not enough is
 * left for all of it, the group is undone by that, and each purchase goes alone.
 * @throws AppError NFT_SOLD_OUT when a kind has fewer
 */
export async function takeSupply(tx: Tx, kinds: readonly string[]): Promise<void> {
  const wanted = Map.groupBy(kinds, (one) => one)
  const values = [[...wanted.keys()], [...wanted.values()].map((units) => units.length)]
  if (kinds.length > 1) return executeDeferred(tx, TAKE, values)
  try {
    await tx.executeQuery(CompiledQuery.raw(TAKE, values))
  } catch (error) {
    throw sqlState(error) === 'TZ002' ? new AppError('NFT_SOLD_OUT') : error
  }
}
