import type { Job } from '../../jobs/job.ts'
import type { Db } from '../../platform/db/database.ts'
import { playNode } from './play-node.ts'

/** A quiet chain makes a block so often: one whose newest block is older is taken as standing still. */
const HEARTBEAT_MS = 30_000

/**
 * Makes a block a second on the play chain while somebody waits for one: an invoice is open, a payment is unconfirmed, a
 * payout is under way, or a transaction waits; otherwise one each half minute.
 * @param isAwaited whether the house waits for blocks, by its own facts
 */
export function blockJob(rpcUrl: string, isAwaited: (db: Db, now: Date) => Promise<boolean>): Job {
  const node = playNode(rpcUrl)
  return {
    name: 'play-chain-blocks',
    everySeconds: 1,
    lane: 'blocks',
    run: async (lease, { clock }) => {
      const now = clock.now()
      const awaited = (await lease.read((db) => isAwaited(db, now))) || (await hasPending()) || (await isOld(now))
      if (awaited) await node.mine(now)
      // No more is due now, however often it is asked.
      return 0
    },
  }

  async function isOld(now: Date): Promise<boolean> {
    const { timestamp } = await node.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
    return now.getTime() - Number(timestamp) * 1000 >= HEARTBEAT_MS
  }

  async function hasPending(): Promise<boolean> {
    const { pending } = await node.call<{ pending: string }>('txpool_status')
    return BigInt(pending) > 0n
  }
}
