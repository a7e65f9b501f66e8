import type { SandboxWallet } from '../../modules/deposits/index.ts'
import type { Config } from '../../platform/config/config.ts'
import { DEV_CHAIN_ID, connectDevNode } from './dev-node.ts'
import { isDevChain } from './running-chain.ts'

/** Returns the sandbox wallet if settings and chain are a sandbox's, otherwise undefined. */
export function sandboxWallet(config: Config): SandboxWallet | undefined {
  const { chain, payouts } = config
  if (!isDevChain(config) || chain === undefined || payouts === undefined) return undefined
  const node = connectDevNode(chain.rpcUrl)
  return {
    async pay({ to, token, amounts }) {
      // Another program may use the port by now.
      if (Number(await node.call<string>('eth_chainId')) !== DEV_CHAIN_ID) throw new Error('this is not a dev chain')
      const paid = payouts[token]
      for (const amount of amounts) await node.send(paid.token, to, amount * 10n ** BigInt(paid.decimals - 8))
    },
  }
}
