import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertChainOf } from '../sending/sources.ts'
import { type WalletNode, chainNode } from '../chain-node.ts'
import type { BranchKeys } from './branch-keys.ts'
import { followMoves, replaceMoves, sendMoves } from './follow-moves.ts'
import { resendLostMoves } from './resend-moves.ts'
import { signMoves } from './sign-moves.ts'
import type { Sweeper, TokenSweepRules } from './sweeper.ts'
import type { WatchLease } from '../chain-watch.types.ts'

/**
 * Runs one round: completes open moves, then sweeps the next addresses. After a crash, the next round continues from the stored moves.
 * During an emergency pause the round still completes mined moves and reports lost moves.
 * @returns the number of steps
 * @throws NodeUnavailable, NodeError, WrongChain, ForeignNonce
 */
async function sweepDeposits(sweeper: Sweeper): Promise<number> {
  await assertChainOf(sweeper, sweeper.rules.chainId)
  const followed = await followMoves(sweeper)
  const mayMove = await sweeper.lease.read(sweeper.mayMove)
  const resent = await resendLostMoves(sweeper, mayMove)
  if (!mayMove) return followed
  const signed = await signMoves(sweeper)
  return followed + resent + signed + (await replaceMoves(sweeper)) + (await sendMoves(sweeper))
}

/** Ports of the token sweep. The first run opens the keys and asks for the target wallet. */
export interface TokenSweepPorts {
  rpcUrl: string
  /** Second source, which must confirm that a completed move has left the chain. */
  secondRpcUrl?: string | undefined
  keys(): Promise<BranchKeys>
  to(): Promise<string>
  rules: Omit<TokenSweepRules, 'to'>
}

/** Builds the recurring job that sweeps tokens from invoice addresses. */
export function tokenSweepJob(ports: TokenSweepPorts, mayMove: (db: Db) => Promise<boolean>) {
  const node: WalletNode = chainNode(ports.rpcUrl)
  const secondNode = ports.secondRpcUrl === undefined ? undefined : chainNode(ports.secondRpcUrl)
  let opened: Pick<Sweeper, 'keys' | 'rules'> | undefined
  return {
    name: 'sweep-tokens',
    everySeconds: 10,
    group: 'sending',
    run: async (lease: WatchLease, deps: Deps): Promise<number> => {
      opened ??= { keys: await ports.keys(), rules: { ...ports.rules, to: await ports.to() } }
      return sweepDeposits({ lease, deps, node, secondNode, mayMove, ...opened })
    },
  }
}
