import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type WalletNode, walletNode } from '../sending/wallet-node.ts'
import type { BranchKeys } from './branch-keys.ts'
import { followMoves, replaceMoves, sendMoves } from './follow-moves.ts'
import { signMoves } from './sign-moves.ts'
import type { Sweeper, SweepRules } from './sweeper.ts'
import type { WatchLease } from '../chain-watch.types.ts'

/** Thrown while a node is one of another chain (fault F19). */
class OtherChain extends Error {}

/**
 * One round: what is under way is looked after, then the next addresses are emptied. Cut anywhere, the next round goes on from what
 * is stored. While nothing may move, what the chain has already is still looked after.
 * @returns how many steps were made
 * @throws NodeAway, NodeRefused, OtherChain, ForeignMoves
 */
async function sweepDeposits(sweeper: Sweeper): Promise<number> {
  const answered = await sweeper.node.chainId()
  if (answered !== sweeper.rules.chainId) throw new OtherChain(`the node is one of chain ${answered}, not ${sweeper.rules.chainId}`)
  const followed = await followMoves(sweeper)
  if (!(await sweeper.lease.read(sweeper.mayMove))) return followed
  const signed = await signMoves(sweeper)
  return followed + signed + (await replaceMoves(sweeper)) + (await sendMoves(sweeper))
}

/** What sweeping takes. The keys are opened, and asked where the tokens go, at the first run. */
export interface SweepPorts {
  rpcUrl: string
  keys(): Promise<BranchKeys>
  to(): Promise<string>
  rules: Omit<SweepRules, 'to'>
}

/** The recurring job that brings what lies at the addresses of invoices together. */
export function depositSweep(ports: SweepPorts, mayMove: (db: Db) => Promise<boolean>) {
  const node: WalletNode = walletNode(ports.rpcUrl)
  let opened: Pick<Sweeper, 'keys' | 'rules'> | undefined
  return {
    name: 'sweep-deposits',
    everySeconds: 10,
    lane: 'sending',
    run: async (lease: WatchLease, deps: Deps): Promise<number> => {
      opened ??= { keys: await ports.keys(), rules: { ...ports.rules, to: await ports.to() } }
      return sweepDeposits({ lease, deps, node, mayMove, ...opened })
    },
  }
}
