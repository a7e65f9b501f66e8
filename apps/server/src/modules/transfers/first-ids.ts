import type { Posted } from '../../ledger/index.ts'
import { type AppError, mapOk } from '../../platform/runtime/app-error.ts'

/** The first transfer's id of each posting, which names it on the wire; refusals stay what they are. */
export function firstIds(results: readonly (Posted | AppError)[]): (bigint | AppError)[] {
  return mapOk(results, ({ transfers: [first] }) => {
    if (first === undefined) throw new Error('a posting without a transfer')
    return first.id
  })
}
