import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import type { ConfirmedDifference, TokenAsset } from '../../gateways/chain/index.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Balances } from './every-source.ts'

/** Chain and token to compare, and the node to query. */
export interface AddressCheck {
  chainId: number
  /** Lower case. */
  token: string
  asset: TokenAsset
  node: Pick<Balances, 'tokensOf' | 'nativeBalancesOf'>
  /** True if only the platform moves tokens from the addresses. A balance below the unswept transfers is then a difference. */
  sweeps?: boolean
}

/** Addresses per query to the node. */
export const BATCH = 200
/** Younger transfers may not be booked yet. */
const SETTLES_MS = 3_600_000
/** Credit minimum. Smaller transfers are dust (`gateways/chain/evm-chain.ts`). */
export const MIN_AMOUNT = ONE / 100n

export const settledAt = (now: Date): Date => new Date(now.getTime() - SETTLES_MS)

/** Invoice address, with its received, due and credited totals. */
interface AddressTotals {
  address: string
  keyIndex: number
  /** Received amount in the token's smallest unit. */
  seen: string
  /** Final, settled and unswept part, which the address must hold. */
  unswept: string
  /** Amount due for credit, in platform units. */
  due: bigint
  credited: bigint
}

/** Difference between two books, for an address or a ledger account. */
export interface Difference {
  kind: ConfirmedDifference['kind']
  subject: string
  /** Both values: for UNSEEN, MISSING and RECEIPT in the token's smallest unit, for NATIVE in wei, otherwise in units. */
  expected: bigint
  found: bigint
}

/** Returns the next batch of addresses after an index. */
export async function addressesAfter(
  db: Db,
  { chainId, token, asset }: Omit<AddressCheck, 'node'>,
  after: number,
  now: Date,
): Promise<AddressTotals[]> {
  const settled = settledAt(now)
  const rows = await sql<AddressTotals>`
    select a.address, a.key_index::float8 as "keyIndex", coalesce(c.seen, 0)::text as seen, coalesce(c.unswept, 0)::text as unswept, coalesce(c.due, 0)::bigint as due, coalesce(t.credited, 0)::bigint as credited
    from (select address, key_index, invoice_id from chain_address where key_index > ${after}::bigint order by key_index limit ${BATCH}) a
    left join lateral (
      select sum(exact_amount) filter (where not exists (select from chain_move m where m.id = c.swept_by and m.state = 'DONE')) as seen,
        sum(exact_amount) filter (where state = 'FINAL' and swept_by is null and block_time < ${settled}) as unswept, sum(amount) filter (where a.invoice_id is not null and state = 'FINAL' and amount >= ${MIN_AMOUNT} and block_time < ${settled}) as due
      from chain_transfer c where c.address = a.address and c.chain_id = ${chainId} and c.token = ${token} and c.state <> 'GONE') c on true
    left join lateral (
      -- What people were asked about is known, credited or not.
      select sum(t.amount) as credited from deposit d join invoice_transfer t on t.deposit_id = d.id
      where d.public_id = a.invoice_id and t.asset = ${asset} and (t.credited_at is not null or t.held is not null)) t on true
    order by a.key_index`.execute(db)
  return rows.rows
}

/**
 * Compares the chain balance of addresses with received transfers, and received transfers with credits. A lower balance is a difference
 * only if the platform alone has the keys; otherwise the operator moves tokens.
 */
export async function compareAddresses(
  { node, token, asset, sweeps = false }: Omit<AddressCheck, 'node'> & { node: Pick<Balances, 'tokensOf'> },
  known: readonly AddressTotals[],
): Promise<Difference[]> {
  const held = await node.tokensOf(
    token,
    known.map(({ address }) => address),
  )
  return known.flatMap(({ address, seen, unswept, due, credited }, index): Difference[] => {
    const found = held[index] ?? 0n
    const subject = `${address} ${asset}`
    return [
      ...(found > BigInt(seen) ? [{ kind: 'UNSEEN' as const, subject, expected: BigInt(seen), found }] : []),
      ...(sweeps && found < BigInt(unswept) ? [{ kind: 'MISSING' as const, subject, expected: BigInt(unswept), found }] : []),
      ...(due > credited ? [{ kind: 'UNCREDITED' as const, subject, expected: due, found: credited }] : []),
    ]
  })
}

/** Records the differences of some subjects with their start, and deletes differences that no longer exist. */
export async function recordDifferences(tx: Tx, subjects: readonly string[], found: readonly Difference[], now: Date): Promise<void> {
  const column = <T>(of: (one: Difference) => T) => found.map(of)
  await sql`
    insert into chain_difference as known (kind, subject, expected, found, first_seen_at, last_seen_at)
    select *, ${now}::timestamptz, ${now}::timestamptz from unnest(${column(({ kind }) => kind)}::text[], ${column(({ subject }) => subject)}::text[],
      ${column(({ expected }) => String(expected))}::numeric[], ${column((one) => String(one.found))}::numeric[])
    on conflict (kind, subject) do update set expected = excluded.expected, found = excluded.found, last_seen_at = excluded.last_seen_at`.execute(
    tx,
  )
  await sql`
    delete from chain_difference where subject = any(${subjects}::text[]) and last_seen_at < ${now}`.execute(tx)
}
