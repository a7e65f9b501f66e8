import { formatUnits, ONE } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { TokenAsset } from './chain.ts'
import type { Header, TokenLog } from './chain-node.ts'
import { finalMac, type FinalTransfer, TRANSFER, verifiedAsset } from './final-transfer.ts'
import { balanceName } from './verify-balances.ts'
import type { Watch, WatchedChain } from './chain-watch.types.ts'
import { unitsOf } from './token-amount.ts'

/** Parts of a watch used in this file. */
type TransferWatch = Pick<Watch, 'chainId' | 'onTransfersRecorded' | 'deps'>

/**
 * Smallest transfer credited or recorded: 0.01. A flood of dust costs its sender more than the platform.
 */
export const MIN_AMOUNT = ONE / 100n
/** Largest accepted amount in units. A larger amount shows that the token contract has changed. */
const LARGEST = 2n ** 62n

/** Transfer to a platform address, with its ordinal among the transaction's transfers of this token to this address. */
export interface Sighting {
  log: TokenLog
  ordinal: number
  asset: TokenAsset
  /** Units of 10^-8, rounded down. */
  amount: bigint
  time: Date
  /** See {@link FinalTransfer}. True in the scan to the head, which does not compare balances. */
  balanceFits: boolean
}

/**
 * Adds the ordinal to each transfer, counted within its transaction.
 * @param differing balances that changed by another amount than their transfers, see `findDifferingBalances`
 */
export function sightingsOf(
  { tokens, rejected }: WatchedChain,
  logs: readonly TokenLog[],
  headers: ReadonlyMap<number, Header>,
  differing: ReadonlySet<string> = new Set(),
): Sighting[] {
  const known = new Map(tokens.map((token) => [token.address, token]))
  const counts = new Map<string, number>()
  return logs.flatMap((log) => {
    const where = `${log.txHash} ${log.token} ${log.to}`
    const ordinal = counts.get(where) ?? 0
    counts.set(where, ordinal + 1)
    const token = known.get(log.token)
    const time = headers.get(log.block)?.time
    if (token === undefined || time === undefined) return []
    const amount = unitsOf(log.amount, token.decimals)
    const balanceFits = rejected?.has(log.token) !== true && !differing.has(balanceName(log))
    return amount > LARGEST ? [] : [{ log, ordinal, asset: token.asset, amount, time, balanceFits }]
  })
}

/** Returns the transactions in a block range with known payments to the platform. */
export async function seenIn(db: Db, chainId: number, { from, to }: { from: number; to: number }): Promise<string[]> {
  const found = await sql<{ tx_hash: string }>`
    select distinct tx_hash from chain_transfer
    where chain_id = ${chainId} and block between ${from} and ${to} and state <> 'GONE'`.execute(db)
  return found.rows.map((row) => row.tx_hash)
}

/** Records transfers seen at the head. Final transfers stay final. */
export async function recordTransfers(tx: Tx, chain: TransferWatch, sightings: readonly Sighting[]): Promise<number> {
  return record(tx, chain, sightings, 'SEEN')
}

/** Records the final transfers of a block range. Seen transfers missing from the range become gone. */
export async function recordFinal(
  tx: Tx,
  chain: TransferWatch,
  { range, sightings }: { range: { from: number; to: number }; sightings: readonly Sighting[] },
): Promise<number> {
  const final = await record(tx, chain, sightings, 'FINAL')
  if (final > 0) await recordUnclaimed(tx, chain, sightings)
  const removed = await sql<{ address: string }>`
    update chain_transfer set state = 'GONE'
    where chain_id = ${chain.chainId} and block between ${range.from} and ${range.to} and state = 'SEEN'
    returning address`.execute(tx)
  if (removed.rows.length > 0) await chain.onTransfersRecorded(tx, [...new Set(removed.rows.map(({ address }) => address))])
  return final + removed.rows.length
}

/**
 * Records payments to addresses without an invoice; a lost part of the database may have shown them to a member. The job records
 * each once, and credits none before two people have decided.
 */
async function recordUnclaimed(tx: Tx, { chainId, deps }: TransferWatch, sightings: readonly Sighting[]): Promise<void> {
  const paid = sightings.filter(({ amount }) => amount >= MIN_AMOUNT)
  const { rows } = await sql<{ block: bigint; transfer: string }>`
    select p.block, p.transfer from unnest(${paid.map(({ log }) => log.to)}::text[], ${paid.map(({ log }) => log.block)}::bigint[],
      ${paid.map(({ log, ordinal, asset, amount }) => `${log.txHash} ${log.to} ${ordinal} ${formatUnits(amount)} ${asset}`)}::text[]) p (address, block, transfer)
    join chain_address a on a.address = p.address and a.invoice_id is null
    where not exists (select from chain_incident i where i.kind = 'UNCLAIMED' and i.transfers ? p.transfer) order by 1, 2`.execute(tx)
  if (rows.length === 0) return
  const transfers = rows.map(({ transfer }) => transfer)
  deps.log.error({ chain: chainId, transfers }, 'payments arrived at addresses without an invoice in this database')
  await sql`
    insert into chain_incident (kind, noted_at, from_block, transfers)
    values ('UNCLAIMED', ${deps.clock.now()}, ${rows[0]?.block ?? 0n}, ${JSON.stringify(transfers)}::jsonb)`.execute(tx)
}

/**
 * Returns the ids of final rows without a valid MAC of the watcher, among the rows of some transactions. Code other than the watcher wrote
 * such a row, and the row must not prevent the insert of the true transfer.
 */
async function forgedAmong(tx: Tx, { chainId, deps }: TransferWatch, txHashes: readonly string[]): Promise<bigint[]> {
  const { rows } = await sql<FinalTransfer & { id: bigint; mac: Buffer | null }>`
    select id, ${TRANSFER} from chain_transfer where chain_id = ${chainId} and tx_hash = any(${[...new Set(txHashes)]}::text[]) and state = 'FINAL'`.execute(
    tx,
  )
  const forged = rows.filter((row) => verifiedAsset(deps.config, row.mac, row) === undefined).map(({ id }) => id)
  if (forged.length > 0) deps.log.error({ chain: chainId, transfers: forged }, 'final transfers were written outside the watcher')
  return forged
}

/** Keeps final rows with a valid MAC, and overwrites all others. */
async function record(tx: Tx, chain: TransferWatch, sightings: readonly Sighting[], state: 'SEEN' | 'FINAL'): Promise<number> {
  if (sightings.length === 0) return 0
  const { chainId } = chain
  const column = <T>(of: (sighting: Sighting) => T) => sightings.map(of)
  const macs = column(
    ({ log: { txHash, token, to: address, amount: exact, block }, ordinal, asset, amount, time: blockTime, balanceFits }) =>
      state === 'SEEN'
        ? null
        : finalMac(chain.deps.config, asset, { chainId, txHash, token, address, ordinal, exact, amount, block, blockTime, balanceFits }),
  )
  const forged = await forgedAmong(
    tx,
    chain,
    column(({ log }) => log.txHash),
  )
  const written = await sql<{ address: string }>`
    insert into chain_transfer as known (chain_id, state, token, tx_hash, address, ordinal, exact_amount, amount, block, block_time, balance_fits, final_mac)
    select ${chainId}, ${state}, * from unnest(${column(({ log }) => log.token)}::text[], ${column(({ log }) => log.txHash)}::text[],
      ${column(({ log }) => log.to)}::text[], ${column(({ ordinal }) => ordinal)}::int[],
      ${column(({ log }) => String(log.amount))}::numeric[], ${column(({ amount }) => amount)}::bigint[],
      ${column(({ log }) => log.block)}::bigint[], ${column(({ time }) => time)}::timestamptz[],
      ${column(({ balanceFits }) => balanceFits)}::boolean[], ${macs}::bytea[])
    on conflict (chain_id, tx_hash, token, address, ordinal) do update set state = excluded.state, exact_amount = excluded.exact_amount,
      amount = excluded.amount, block = excluded.block, block_time = excluded.block_time, balance_fits = excluded.balance_fits, final_mac = excluded.final_mac
    where known.id = any(${forged}::bigint[]) or known.state <> 'FINAL'
      and (known.state, known.block, known.amount) is distinct from (excluded.state, excluded.block, excluded.amount)
    returning address`.execute(tx)
  if (written.rows.length > 0) await chain.onTransfersRecorded(tx, [...new Set(written.rows.map(({ address }) => address))])
  return written.rows.length
}

/** Returns true if an address was ever assigned to an invoice. */
export async function isOwnAddress(db: Db, address: string): Promise<boolean> {
  const found = await db.selectFrom('chain_address').select('key_index').where('address', '=', address.toLowerCase()).executeTakeFirst()
  return found !== undefined
}

/** Returns true if a transfer to the platform awaits finality. */
export async function awaitsConfirmations(db: Db): Promise<boolean> {
  const found = await sql`select from chain_transfer where state = 'SEEN' limit 1`.execute(db)
  return found.rows.length > 0
}
