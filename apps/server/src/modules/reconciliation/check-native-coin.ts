import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Difference } from './check-addresses.ts'
import type { Balances } from './every-source.ts'

/** Smallest reported amount in wei: 0.001 native coin. Smaller amounts are not worth a return. */
const MIN_WEI = 10n ** 15n

/** Names the native coin of an address, like a token's balance. */
export const nativeSubject = (address: string): string => `${address} native`

/**
 * Compares the native coin at invoice addresses with the gas that the platform sent to them. A higher balance shows that a payer sent
 * native coin, which no invoice credits.
 * @throws NodeUnavailable, NodeError
 */
export async function compareNativeCoin(
  read: <T>(query: (db: Db) => Promise<T>) => Promise<T>,
  { chainId, node }: { chainId: number; node: Pick<Balances, 'nativeBalancesOf'> },
  addresses: readonly string[],
): Promise<Difference[]> {
  if (addresses.length === 0) return []
  const balances = await node.nativeBalancesOf(addresses)
  // Reads the gas after the balances, because a gas transfer may arrive meanwhile.
  const gas = await read((db) => gasSentTo(db, chainId, addresses))
  return addresses.flatMap((address, index) => {
    const [found, expected] = [balances[index] ?? 0n, gas.get(address) ?? 0n]
    return found - expected >= MIN_WEI ? [{ kind: 'NATIVE' as const, subject: nativeSubject(address), expected, found }] : []
  })
}

/** Sums the gas sent to some addresses, in wei. A part may be spent by now, so the sum is a maximum. */
async function gasSentTo(db: Db, chainId: number, addresses: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ address: string; wei: string }>`
    select address, sum(amount)::text as wei from chain_move
    where chain_id = ${chainId} and address = any(${addresses}::text[]) and kind = 'GAS' and state <> 'FAILED' group by address`.execute(db)
  return new Map(rows.map(({ address, wei }) => [address, BigInt(wei)]))
}
