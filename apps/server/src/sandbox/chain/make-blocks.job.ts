import type { Job } from '../../jobs/job.ts'
import type { Db } from '../../platform/db/database.ts'
import { connectDevNode } from './dev-node.ts'

/** Interval between blocks of an idle chain in ms. A chain without a block for longer counts as stalled. */
const HEARTBEAT_MS = 30_000

/**
 * Creates a block each second on the development chain while work waits for blocks: an open invoice, an unconfirmed payment, a payout or a
 * transaction. An idle chain gets a block every 30 seconds.
 * @param isAwaited returns true if the database shows work that awaits blocks
 */
export function blockJob(rpcUrl: string, isAwaited: (db: Db, now: Date) => Promise<boolean>): Job {
  const node = connectDevNode(rpcUrl)
  return {
    name: 'dev-chain-blocks',
    everySeconds: 1,
    group: 'blocks',
    run: async (lease, { clock }) => {
      const now = clock.now()
      const awaited = (await lease.read((db) => isAwaited(db, now))) || (await hasPending()) || (await isOld(now))
      if (awaited) await node.mine(now)
      // Returns 0, because another call would find no more work.
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
