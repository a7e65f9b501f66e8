import type { Posted } from '../../ledger/index.ts'
import { type AppError, mapOk } from '../../platform/runtime/app-error.ts'

/** Returns the id of each posting's first transfer, which identifies the posting in the API. Refusals are returned unchanged. */
export function firstIds(results: readonly (Posted | AppError)[]): (bigint | AppError)[] {
  return mapOk(results, ({ transfers: [first] }) => {
    if (first === undefined) throw new Error('a posting without a transfer')
    return first.id
  })
}
