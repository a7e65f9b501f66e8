import { formatUnits } from '@tizara/money'
import { GAS_LIMIT, walletNode } from '../gateways/chain/index.ts'
import { type NetworkCosts, networkCosts, type SendingHealth, sendingHealth, unbookedTransactions } from '../modules/withdrawals/index.ts'
import type { Config } from '../platform/config/config.ts'
import type { Db } from '../platform/db/database.ts'
import { about, ago, type Finding, looked } from './finding.ts'

/** Number of payouts that a wallet's gas should cover. */
const PAYOUTS_AHEAD = 50n
/** Seconds after which an unmined payment is reported. By then it was sent again with a higher fee. */
const LONG = 15 * 60

/** Days in the cost report. */
const DAYS = 30

/** Reports on automatic payouts: the hot wallet's gas and float, stuck payouts, and use of its key elsewhere. */
export async function payoutFindings(
  db: Db,
  { chain, payouts, gasUsd }: Pick<Config, 'chain' | 'payouts' | 'gasUsd'>,
  now: Date,
): Promise<Finding[]> {
  const { good, warning } = about('payouts')
  if (payouts === undefined || chain === undefined) return [good('are sent by hand: approve with the transaction, or name it afterwards')]
  return looked('payouts', 'look at the database', async () => {
    const health = await sendingHealth(db)
    const wallet = health.wallets.find(({ chainId }) => chainId === chain.chainId)
    if (wallet === undefined)
      return [
        warning(
          'the worker has opened no hot wallet yet',
          'give the worker PAYOUT_KEYSTORE or PAYOUT_SIGNER_URL, and look at `send-payouts`',
        ),
      ]
    const findings = [
      ...onTheWay(health, now),
      ...(await looked('payouts', 'correct CHAIN_RPC_URL; look at that node', () => walletFindings(chain.rpcUrl, wallet, health), 4)),
    ]
    if (gasUsd === undefined && (await unbookedTransactions(db, 1)).length > 0)
      findings.push(warning('what the network takes is not booked', "set CHAIN_GAS_USD, the worth of the chain's own coin"))
    return [
      ...(findings.length > 0 ? findings : [good(`${health.open} on the way, the hot wallet has gas and float`)]),
      good(costsOf(await networkCosts(db, now, DAYS))),
    ]
  })
}

function onTheWay({ problems, oldestSignedAt }: SendingHealth, now: Date): Finding[] {
  const { warning, bad } = about('payouts')
  const findings = problems.map(({ problem, count }) =>
    bad(`${count} ${count === 1 ? 'does' : 'do'} not go on: ${problem}`, 'see docs/runbook.md, “Payouts on the chain”'),
  )
  const waited = oldestSignedAt === null ? 0 : (now.getTime() - oldestSignedAt.getTime()) / 1000
  if (waited > LONG)
    findings.push(warning(`one is signed for ${ago(waited)} and in no block`, 'look at it at the explorer; raise PAYOUT_GAS_GWEI'))
  return findings
}

/** Checks the hot wallet at a node. */
async function walletFindings(
  rpcUrl: string,
  { address, nextNonce }: SendingHealth['wallets'][number],
  { waiting }: SendingHealth,
): Promise<Finding[]> {
  const { warning, bad } = about('payouts')
  const node = walletNode(rpcUrl, 4_000)
  const [price, onChain, coins] = await Promise.all([node.gasPrice(), node.nonceOf(address), node.coinOf(address)])
  const findings: Finding[] = []
  if (onChain > nextNonce)
    findings.push(
      bad(
        `${address} made ${onChain - nextNonce} transactions that this database does not know`,
        'stop: the key is used elsewhere, or a backup is too old',
      ),
    )
  if (coins < price * GAS_LIMIT * PAYOUTS_AHEAD)
    findings.push(warning(`${address} has gas for fewer than ${PAYOUTS_AHEAD} payouts`, "send it some of the chain's own coin"))
  for (const { token, amount } of waiting)
    if ((await node.tokenOf(token, address)) < amount)
      findings.push(warning(`${address} has less of ${token} than what waits`, 'send it more of the token'))
  return findings
}

const WEI_DECIMALS = 18

/** Reports network costs beside the fees that members paid. Operators decide whether the fee is high enough. */
function costsOf({ transactions, wei, usd, networkFees }: NetworkCosts): string {
  const digits = wei.toString().padStart(WEI_DECIMALS + 1, '0')
  const coins = `${digits.slice(0, -WEI_DECIMALS)}.${digits.slice(-WEI_DECIMALS)}`.replace(/\.?0+$/, '')
  return `in ${DAYS} days ${transactions} transactions cost ${coins} of the chain's own coin, ${formatUnits(usd)} USD as booked, and members paid ${formatUnits(networkFees)} USD in network fees`
}
