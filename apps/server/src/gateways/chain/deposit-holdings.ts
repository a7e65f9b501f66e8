import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { depositAddresses } from './deposit-address.ts'

/** Deposit addresses whose balances count as reserves. */
export interface DepositHoldings {
  /** Addresses with a final payment in the books that is not swept yet. */
  unswept: string[]
  /** Other addresses that are read on this day (TURN_ADDRESSES). */
  inTurn: string[]
  /** Number of all deposit addresses. */
  all: number
}

/** Other addresses read per day. */
const TURN_ADDRESSES = 500

/**
 * Selects the deposit addresses whose balances are read on one day. Only addresses derived from the deposit branch are selected, because
 * this proves that the platform controls them.
 * @param day number of the day, which selects the part of the other addresses
 */
export async function depositHoldings(
  db: Db,
  { chainId, token, xpub, day }: { chainId: number; token: string; xpub: string; day: number },
): Promise<DepositHoldings> {
  type Row = { address: string; keyIndex: number }
  const unswept = await sql<Row>`
    select address, key_index::float8 as "keyIndex" from chain_address a where exists (
      select from chain_transfer t where t.chain_id = ${chainId} and t.token = ${token} and t.address = a.address and t.state = 'FINAL'
        and (t.swept_by is null or exists (select from chain_move m where m.id = t.swept_by and m.state = 'SIGNED')))`.execute(db)
  const counted = await sql<{ all: number }>`select count(*)::int as all from chain_address`.execute(db)
  const all = counted.rows[0]?.all ?? 0
  const turns = Math.max(1, Math.ceil(all / TURN_ADDRESSES))
  const others = await sql<Row>`
    select address, key_index::float8 as "keyIndex" from chain_address order by key_index offset ${(day % turns) * TURN_ADDRESSES}::int limit ${TURN_ADDRESSES}`.execute(
    db,
  )
  const addressAt = depositAddresses(xpub)
  const derived = (rows: readonly Row[]) =>
    rows.filter(({ address, keyIndex }) => addressAt(keyIndex) === address).map(({ address }) => address)
  const first = derived(unswept.rows)
  return { unswept: first, inTurn: derived(others.rows).filter((address) => !first.includes(address)), all }
}
