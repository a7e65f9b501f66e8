import { assertChainOf, hasOpenIncident, isChainSilent, isNewCopy, type PayoutSigner, chainNode } from '../../../gateways/chain/index.ts'
import { currentPause } from '../../../ledger/index.ts'
import type { Job } from '../../../jobs/job.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { broadcast } from './broadcast.ts'
import { followChain } from './follow-chain.ts'
import { replaceStuck } from './replace-stuck.ts'
import { resendLost } from './resend-lost.ts'
import { openWallet, type Sender, type SendingRules } from './sender.ts'
import { signQueued } from './sign-queued.ts'

/**
 * Runs one round: checks open payouts, then signs and sends the next payouts. After a crash, the next round continues from the stored state
 * (docs/decisions/0017-payouts-are-sent-once.md). During an emergency pause or an open incident the round only checks the chain and signs
 * and sends nothing.
 * @returns the number of steps
 * @throws NodeUnavailable, NodeError, WrongChain, ForeignNonce
 */
async function sendPayouts(sender: Sender): Promise<number> {
  await assertChainOf(sender, sender.rules.chainId)
  const nonce = await openWallet(sender)
  const followed = await followChain(sender)
  const isStopped = (await sender.lease.read(currentPause)) !== undefined
  const resent = await resendLost(sender, !isStopped)
  if (resent > 0 || (await sender.lease.read((db) => isHeld(db, sender)))) return followed + resent
  const signed = await signQueued(sender, nonce)
  return followed + signed + (await replaceStuck(sender)) + (await broadcast(sender))
}

/** Returns true while nothing may be signed or sent: during an emergency pause, an open incident or a stale chain, or after a restore. */
const isHeld = async (db: Db, { deps, rules }: Sender): Promise<boolean> =>
  (await currentPause(db)) !== undefined ||
  (await hasOpenIncident(db)) ||
  (await isNewCopy(db)) ||
  isChainSilent(db, rules.chainId, deps.clock.now())

/** Nodes and signer of the payouts. */
export interface SendingPorts {
  rpcUrl: string
  secondRpcUrl?: string | undefined
  signer(): Promise<PayoutSigner>
  rules: SendingRules
}

/** Builds the recurring job that sends payouts. The job opens the wallet's key at its first run. */
export function sendingJobs({ rpcUrl, secondRpcUrl, signer, rules }: SendingPorts): Job[] {
  const [node, secondNode] = [chainNode(rpcUrl), secondRpcUrl === undefined ? undefined : chainNode(secondRpcUrl)]
  let opened: PayoutSigner | undefined
  return [
    {
      name: 'send-payouts',
      everySeconds: 2,
      group: 'sending',
      run: async (lease, deps: Deps) => sendPayouts({ lease, deps, node, secondNode, rules, signer: (opened ??= await signer()) }),
    },
  ]
}
