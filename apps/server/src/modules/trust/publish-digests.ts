import { sql } from 'kysely'
import { minReplacementFee, DIGEST_GAS, finalBlockOf, type PayoutSigner, type WalletNode } from '../../gateways/chain/index.ts'
import type { Lease } from '../../jobs/lease.ts'
import type { Db } from '../../platform/db/database.ts'
import { isRecent } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** Chain on which the operator publishes digests. */
export interface DigestChain {
  chainId: number
  node: WalletNode
  /** Key of an address that sends nothing else, so that payouts never use the same nonces. */
  signer(): Promise<PayoutSigner>
  /** Blocks until a transaction is final. */
  confirmations: number
  /** Maximum wei per unit of gas. Above it, the digest waits. */
  maxGasPrice: bigint
}

/** Delay in ms before a transaction in no block is replaced with a higher fee. */
const STUCK_MS = 180_000

interface SignedDigest {
  hash: string
  nonce: number
  gasPrice: bigint
  raw: string
  signedAt: Date
}

/**
 * Publishes the digest of the newest statement in a plain transaction. One digest proves all earlier days. A second transaction with the
 * same digest does no harm, so a replaced transaction may still be mined (docs/decisions/0038-independent-proof-checker.md).
 * @returns the number of transactions that were signed or became final
 * @throws Error if the address cannot pay the gas
 */
export async function publishDigests(lease: Lease, deps: Deps, chain: DigestChain): Promise<number> {
  const newest = await lease.read((db) => newestDigest(db, chain.chainId))
  if (newest === undefined || newest.isFinal) return 0
  const { number, digest, signed } = newest
  const receipts = await chain.node.receipts(signed.map(({ hash }) => hash))
  const index = receipts.findIndex((receipt) => receipt !== null)
  const [mined, one] = [receipts[index], signed[index]]
  if (mined && one !== undefined) {
    const final = await finalBlockOf(chain.node, chain.confirmations)
    if (mined.block > final || (await chain.node.blockHashes([mined.block]))[0] !== mined.blockHash) return 0
    await lease.inTransaction((tx) =>
      sql`update trust_digest_transaction set block = ${mined.block} where hash = ${one.hash} and block is null`.execute(tx),
    )
    return 1
  }
  const last = signed.at(-1)
  const isWaiting = last !== undefined && isRecent(last.signedAt, deps.clock.now(), STUCK_MS)
  const newDigest = isWaiting ? undefined : await signDigest(lease, deps, chain, { number, digest, last })
  const raw = newDigest?.raw ?? last?.raw
  if (raw === undefined) return 0
  const [sent] = await chain.node.send([raw])
  if (sent === 'no gas') throw new Error(`the address ${(await chain.signer()).address} cannot pay the gas to publish a digest`)
  if (typeof sent === 'object') throw new Error(`the node refuses the digest: ${sent.refused}`)
  return newDigest === undefined ? 0 : 1
}

/** Signs and stores a transaction, unless the last transaction still has the right nonce and price, or gas is too expensive. */
async function signDigest(
  lease: Lease,
  deps: Deps,
  chain: DigestChain,
  { number, digest, last }: { number: number; digest: string; last: SignedDigest | undefined },
): Promise<SignedDigest | undefined> {
  const signer = await chain.signer()
  const [nonce, market] = [await chain.node.nonceOf(signer.address), await chain.node.gasPrice()]
  if (last?.nonce === nonce && last.gasPrice >= market) return undefined
  // A transaction of an earlier day may wait with the same nonce.
  const waiting = await lease.read((db) => highestPrice(db, signer.address, chain.chainId, nonce))
  const minGasPrice = waiting === undefined ? 0n : minReplacementFee(waiting)
  const gasPrice = market > minGasPrice ? market : minGasPrice
  if (gasPrice > chain.maxGasPrice) return undefined
  if ((await chain.node.nativeBalanceOf(signer.address)) < gasPrice * DIGEST_GAS)
    throw new Error(`the address ${signer.address} cannot pay the gas to publish a digest`)
  const order = { chainId: chain.chainId, from: signer.address, nonce, gasPrice, digest }
  const { hash, raw } = await signer.sign(order)
  const signedAt = deps.clock.now()
  await lease.inTransaction((tx) =>
    sql`insert into trust_digest_transaction (hash, number, chain_id, sender, nonce, gas_price, raw, signed_at)
      values (${hash}, ${number}, ${chain.chainId}, ${signer.address}, ${nonce}, ${String(gasPrice)}::numeric, ${raw}, ${signedAt})
      on conflict (hash) do nothing`.execute(tx),
  )
  return { hash, nonce, gasPrice, raw, signedAt }
}

/** Returns the newest statement's digest, and the transactions signed for it, oldest first. */
async function newestDigest(db: Db, chainId: number) {
  const found = await sql<{ number: number; digest: string }>`
    select number, digest from trust_statement order by number desc limit 1`.execute(db)
  const [newest] = found.rows
  if (newest === undefined) return undefined
  const { rows } = await sql<{ hash: string; nonce: number; gas_price: string; raw: string; signed_at: Date; block: number | null }>`
    select hash, nonce, gas_price::text, raw, signed_at, block from trust_digest_transaction
    where number = ${newest.number} and chain_id = ${chainId} order by signed_at, gas_price`.execute(db)
  const signed = rows.map(({ hash, nonce, gas_price, raw, signed_at }): SignedDigest => {
    return { hash, nonce, gasPrice: BigInt(gas_price), raw, signedAt: signed_at }
  })
  return { ...newest, signed, isFinal: rows.some(({ block }) => block !== null) }
}

/** Returns true while a transaction of the newest statement waits to become final. */
export async function hasWaitingDigest(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from trust_digest_transaction where number = (select max(number) from trust_statement) having count(*) > 0 and count(block) = 0`.execute(
    db,
  )
  return rows.length > 0
}

async function highestPrice(db: Db, sender: string, chainId: number, nonce: number): Promise<bigint | undefined> {
  const { rows } = await sql<{ price: string | null }>`
    select max(gas_price)::text as price from trust_digest_transaction
    where sender = ${sender} and chain_id = ${chainId} and nonce = ${nonce}`.execute(db)
  const price = rows[0]?.price ?? null
  return price === null ? undefined : BigInt(price)
}
