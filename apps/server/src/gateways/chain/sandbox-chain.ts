import { createHash, randomBytes } from 'node:crypto'
import type { Units } from '@tizara/money'
import type { Db } from '../../platform/database.ts'
import type { ChainGateway } from './chain.ts'

/** One block a second. */
const BLOCK_MS = 1_000
/** Deeper than this nobody asks. */
const DEEPEST = 1_000_000

const CHAIN_ID = 31_337
const TOKEN = '0x7a1a2a0000000000000000000000000000001201'

/** The play chain: the port, and the tap that play money comes from. */
export interface SandboxChain extends ChainGateway {
  /**
   * Puts a transfer into the newest block.
   * @param payment to which address, how much, when it was mined, and the time its block claims
   */
  pay(db: Db, payment: { address: string; amount: Units; minedAt: Date; blockTime: Date }): Promise<void>
}

/** The play chain. Confirmations rise with the house's clock, one a second. */
export function createSandboxChain(): SandboxChain {
  return {
    sandbox: true,
    token: { chainId: CHAIN_ID, address: TOKEN, decimals: 18 },
    newAddress: (_, invoiceId) =>
      Promise.resolve(`0x${createHash('sha256').update(`sandbox address ${invoiceId}`).digest('hex').slice(0, 40)}`),
    isHeard: () => Promise.resolve(true),
    async scan(read, addresses, now) {
      if (addresses.length === 0) return { scannedTo: now, transfers: [] }
      const rows = await read((db) =>
        db.selectFrom('sandbox_transfer').selectAll().where('address', 'in', addresses).orderBy('id').execute(),
      )
      const transfers = rows
        .filter((row) => row.mined_at <= now)
        .map((row) => ({
          key: `${CHAIN_ID}:${row.tx_hash}:${TOKEN}:${row.address}:0`,
          txHash: row.tx_hash,
          address: row.address,
          amount: row.amount,
          blockTime: row.block_time,
          confirmations: Math.min(DEEPEST, 1 + Math.floor((now.getTime() - row.mined_at.getTime()) / BLOCK_MS)),
        }))
      return { scannedTo: now, transfers }
    },
    async pay(db, payment) {
      await db
        .insertInto('sandbox_transfer')
        .values({
          address: payment.address,
          amount: payment.amount,
          tx_hash: `0x${randomBytes(32).toString('hex')}`,
          block_time: payment.blockTime,
          mined_at: payment.minedAt,
        })
        .execute()
    },
  }
}
