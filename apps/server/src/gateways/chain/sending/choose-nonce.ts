import { type Sources, sourcesOf, transactionsOf } from './sources.ts'

/** Thrown if a wallet's key was used elsewhere, or the database is older than the chain. The wallet then signs nothing. */
export class ForeignNonce extends Error {}

/**
 * Returns the nonce of the next transaction of a wallet. A new wallet starts at the chain's nonce, confirmed by every source. A pending
 * transaction that this database did not sign stops signing as well, because a transaction with its nonce could lose against it
 * (docs/decisions/0067-payouts-after-a-restore.md).
 * @param wallet address, lower case
 * @param next nonce after the last one that the database gave, or undefined before the first use
 * @throws ForeignNonce if a source has more transactions than the database, or sources differ at the first use; NodeUnavailable, NodeError
 */
export async function chooseNonce(sources: Sources, wallet: string, next: number | undefined): Promise<number> {
  const counted = await transactionsOf(sources, wallet)
  if (next !== undefined) {
    if (counted > next) throw new ForeignNonce(`the chain has ${counted} transactions of ${wallet}, this database signed ${next}`)
    return next
  }
  const [first = 0, second = first] = await Promise.all(sourcesOf(sources).map((source) => source.nonceOf(wallet)))
  if (first !== second) throw new ForeignNonce(`one source has ${first} transactions of ${wallet}, the other ${second}`)
  if (counted > first)
    throw new ForeignNonce(`the chain has ${counted} transactions of ${wallet}, pending ones included, and this database signed none`)
  return first
}
