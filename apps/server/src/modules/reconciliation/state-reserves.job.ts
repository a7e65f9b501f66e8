import { formatUnits } from '@tizara/money'
import { type PayoutSigner, signedText, walletNode } from '../../gateways/chain/index.ts'
import type { Job } from '../../jobs/job.ts'
import { type Holding, recordReserves, readReserves } from '../trust/index.ts'
import { DAY_MS, isRecent } from '../../platform/runtime/clock.ts'

export interface StatedReserves {
  chainId: number
  rpcUrl: string
  tokens: readonly { asset: 'usd' | 'coin'; token: string; decimals: number; symbol: string }[]
  /** Platform name. */
  brand: string
  signer(): Promise<PayoutSigner>
  /** Target of token sweeps in lower case, if known. */
  sweptTo?: (() => Promise<string>) | undefined
}

const UNIT_DECIMALS = 8

/**
 * Builds the daily job that states the balances of the hot wallet and the sweep target, signed with the hot wallet's key. It omits
 * invoice addresses, which would reveal members' payments.
 */
export function reserveJob(stated: StatedReserves): Job {
  const node = walletNode(stated.rpcUrl)
  return {
    name: 'state-reserves',
    everySeconds: 30,
    lane: 'reconcile',
    async run(lease, deps) {
      const at = deps.clock.now()
      const last = await lease.read(readReserves)
      if (last !== undefined && isRecent(last.at, at, DAY_MS)) return 0
      const signer = await stated.signer()
      const holdings: Holding[] = []
      const lines: string[] = []
      for (const address of new Set([signer.address, (await stated.sweptTo?.()) ?? signer.address]))
        for (const { asset, token, decimals, symbol } of stated.tokens) {
          const amount = (await node.tokenOf(token, address)) / 10n ** BigInt(decimals - UNIT_DECIMALS)
          holdings.push({ address, asset, token, amount })
          lines.push(`${address} holds ${formatUnits(amount)} ${symbol} (${token})`)
        }
      const text = [`Reserves of ${stated.brand} on ${at.toISOString()}, chain ${stated.chainId}`, ...lines].join('\n')
      const signature = await signedText(signer, text)
      await lease.inTransaction((tx) =>
        recordReserves(tx, { at, chainId: stated.chainId, signer: signer.address, holdings, text, signature }),
      )
      return 1
    },
  }
}
