import { sql } from 'kysely'
import type { WalletNode } from '../../gateways/chain/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Difference, MIN_AMOUNT } from './check-addresses.ts'

/** Age in ms from which the receipt of a final transfer is compared again. */
const COMPARED_AFTER_MS = 3 * DAY_MS
/** Maximum transfers of a round. */
const ROUND = 500

/** Transactions to compare again, and the last transfer among them. */
interface DueReceipts {
  hashes: string[]
  last: bigint
}

/** Final amount that a transaction paid to an address, in the token's smallest unit. */
interface Payment {
  hash: string
  address: string
  token: string
  expected: string
}

/** Result of a comparison: the compared subjects, those that differ, and the last compared transfer. */
export interface ComparedReceipts {
  subjects: string[]
  found: Difference[]
  last: bigint
}

/**
 * Compares final transfers with their receipts once more, three days later, because the sources may have agreed on a false receipt before
 * the credit. A source without the receipt proves nothing, unless every source lacks it. A transfer that differs is compared in each round.
 * @param after id of the last compared transfer
 * @throws NodeUnavailable, NodeError
 */
export async function compareReceipts(
  read: <T>(query: (db: Db) => Promise<T>) => Promise<T>,
  { chainId, nodes, after }: { chainId: number; nodes: readonly Pick<WalletNode, 'receipts'>[]; after: bigint },
  now: Date,
): Promise<ComparedReceipts> {
  const { hashes, last } = await read((db) => dueReceipts(db, chainId, after, new Date(now.getTime() - COMPARED_AFTER_MS)))
  if (hashes.length === 0) return { subjects: [], found: [], last }
  const payments = await read((db) => paymentsOf(db, chainId, hashes))
  const sources = await Promise.all(
    nodes.map(async (node) => new Map((await node.receipts(hashes)).map((one, index) => [hashes[index], one]))),
  )
  const found = payments.flatMap(({ hash, address, token, expected }): Difference[] => {
    const amounts = sources.flatMap((receipts) => {
      const receipt = receipts.get(hash) ?? null
      if (receipt === null) return []
      const paid = receipt.succeeded ? receipt.transfers.filter((one) => one.token === token && one.to === address) : []
      return [paid.reduce((sum, { amount }) => sum + amount, 0n)]
    })
    const other = amounts.length === 0 ? 0n : amounts.find((amount) => amount !== BigInt(expected))
    return other === undefined ? [] : [{ kind: 'RECEIPT', subject: `${hash} ${address}`, expected: BigInt(expected), found: other }]
  })
  return { subjects: payments.map(({ hash, address }) => `${hash} ${address}`), found, last }
}

/** Returns the next transactions, up to the first transfer that is too young, and those that differed. */
async function dueReceipts(db: Db, chainId: number, after: bigint, before: Date): Promise<DueReceipts> {
  const { rows } = await sql<{ id: bigint | null; hash: string }>`
    (select id, tx_hash as hash from chain_transfer
      where chain_id = ${chainId} and id > ${after} and state = 'FINAL' and amount >= ${MIN_AMOUNT} and id < coalesce((
        select min(id) from chain_transfer where chain_id = ${chainId} and id > ${after} and state = 'FINAL' and block_time > ${before}),
        9223372036854775807) order by id limit ${ROUND})
    union all select null, split_part(subject, ' ', 1) from chain_difference where kind = 'RECEIPT'`.execute(db)
  return {
    hashes: [...new Set(rows.map(({ hash }) => hash))],
    last: rows.reduce((last, { id }) => ((id ?? last) > last ? (id ?? last) : last), after),
  }
}

async function paymentsOf(db: Db, chainId: number, hashes: readonly string[]): Promise<Payment[]> {
  const { rows } = await sql<Payment>`
    select tx_hash as hash, address, token, sum(exact_amount)::text as expected from chain_transfer
    where chain_id = ${chainId} and tx_hash = any(${hashes}::text[]) and state = 'FINAL' and amount >= ${MIN_AMOUNT}
    group by tx_hash, address, token order by 1, 2, 3`.execute(db)
  return rows
}
