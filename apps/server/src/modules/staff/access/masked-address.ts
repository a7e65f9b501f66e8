import { type RawBuilder, sql } from 'kysely'

/**
 * Masks a payout address to its first six and last four characters, so that staff recognize it but cannot read it. Staff see the
 * full address only through a call that writes to the audit log (docs/decisions/0046-limits-for-personal-data.md).
 */
export const maskedAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** SQL: the same mask. */
export const maskedAddressSql = (address: RawBuilder<string>) => sql<string>`left(${address}, 6) || '…' || right(${address}, 4)`
