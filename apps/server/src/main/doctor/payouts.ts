import { GAS_LIMIT, walletNode } from '../../gateways/chain/index.ts'
import { sendingHealth } from '../../modules/withdrawals/index.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database.ts'
import { about, ago, type Finding } from './finding.ts'

/** Payouts that the gas of a wallet should be enough for. */
const PAYOUTS_AHEAD = 50n
/** Seconds after which a payment that is in no block is worth a look: it has been made again with a higher fee by then. */
const LONG = 15 * 60

/** Payouts that the product sends: the hot wallet's gas and float, what does not go on, and whether its key is used elsewhere. */
export async function payoutFindings(db: Db, { chain, payouts }: Pick<Config, 'chain' | 'payouts'>, now: Date): Promise<Finding[]> {
  const { good, warning, bad } = about('payouts')
  if (payouts === undefined || chain === undefined) return [good('are sent by hand: approve with the transaction, or name it afterwards')]
  const health = await sendingHealth(db)
  const used = health.wallets.filter(({ chainId }) => chainId === chain.chainId)
  if (used.length === 0)
    return [
      warning(
        'the worker has opened no hot wallet yet',
        'give the worker PAYOUT_KEYSTORE or PAYOUT_SIGNER_URL, and look at `send-payouts`',
      ),
    ]
  const findings = health.problems.map(({ problem, count }) =>
    bad(`${count} ${count === 1 ? 'does' : 'do'} not go on: ${problem}`, 'see docs/runbook.md, “Payouts on the chain”'),
  )
  const waited = health.oldestSignedAt === null ? 0 : (now.getTime() - health.oldestSignedAt.getTime()) / 1000
  if (waited > LONG)
    findings.push(warning(`one is signed for ${ago(waited)} and in no block`, 'look at it at the explorer; raise PAYOUT_GAS_GWEI'))
  const node = walletNode(chain.rpcUrl, 5_000)
  const price = await node.gasPrice()
  for (const { address, nextNonce } of used.slice(0, 1)) {
    const [onChain, coins] = [await node.nonceOf(address), await node.coinOf(address)]
    if (onChain > nextNonce)
      findings.push(
        bad(
          `${address} made ${onChain - nextNonce} transactions that this database does not know`,
          'stop: the key is used elsewhere, or a backup is too old',
        ),
      )
    if (coins < price * GAS_LIMIT * PAYOUTS_AHEAD)
      findings.push(warning(`${address} has gas for fewer than ${PAYOUTS_AHEAD} payouts`, "send it some of the chain's own coin"))
    for (const { token, amount } of health.waiting)
      if ((await node.tokenOf(token, address)) < amount)
        findings.push(warning(`${address} has less of ${token} than what waits`, 'send it more of the token'))
  }
  return findings.length > 0 ? findings : [good(`${health.open} on the way, the hot wallet has gas and float`)]
}
