import type { KyselyPlugin } from 'kysely'
import type { Tx } from '../src/platform/db/database.ts'

/** Counts the statements of transactions, those of the ledger included. Work whose count does not grow is set-based. */
export function statementCounter(): { statements(): number; counting(tx: Tx): Tx } {
  let count = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      count += 1
      return Promise.resolve(result)
    },
  }
  return { statements: () => count, counting: (tx) => tx.withPlugin(counter) }
}
