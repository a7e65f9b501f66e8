import { formatUnits } from '@tizara/money'
import { GAS_LIMIT, isNewCopy, chainNode } from '../gateways/chain/index.ts'
import {
  type NetworkCosts,
  networkCosts,
  type SendingHealth,
  sendingHealth,
  unbookedTransactions,
  walletHoldings,
} from '../modules/withdrawals/index.ts'
import type { Config } from '../platform/config/config.ts'
import type { Db } from '../platform/db/database.ts'
import { findingsFor, formatAge, type Finding, check } from './finding.ts'

/** Number of payouts that a wallet's gas should cover. */
const PAYOUTS_AHEAD = 50n
/** Seconds after which an unmined payment is reported. By then it was sent again with a higher fee. */
const MAX_UNMINED_SECONDS = 15 * 60

/** Days in the cost report. */
const DAYS = 30

/** Reports on automatic payouts: the hot wallet's gas and float, stuck payouts, and use of its key elsewhere. */
export async function payoutFindings(
  db: Db,
  { chain, payouts, gasUsd, reserveAddresses }: Pick<Config, 'chain' | 'payouts' | 'gasUsd' | 'reserveAddresses'>,
  now: Date,
): Promise<Finding[]> {
  const { good, warning } = findingsFor('payouts')
  if (payouts === undefined || chain === undefined)
    return [good('are sent manually: enter the transaction with the approval or afterwards')]
  return check('payouts', 'check the database', async () => {
    const health = await sendingHealth(db)
    const wallet = health.wallets.find(({ chainId }) => chainId === chain.chainId)
    if (wallet === undefined)
      return [
        warning(
          'the worker has not opened a hot wallet yet',
          'set PAYOUT_KEYSTORE or PAYOUT_SIGNER_URL for the worker, and check `send-payouts` in `job_lease`',
        ),
      ]
    const findings = [
      ...sendingFindings(health, now),
      ...(await check('payouts', 'correct CHAIN_RPC_URL; check that node', () => walletFindings(chain.rpcUrl, wallet, health), 4)),
    ]
    if (await isNewCopy(db))
      findings.push(
        warning(
          'nothing is signed until the next full hour, because the database was restored',
          'follow “Payouts after a restore” in docs/chain.md',
        ),
      )
    findings.push(...(await ceilingFindings(db, { chain, payouts, reserveAddresses })))
    if (gasUsd === undefined && (await unbookedTransactions(db, 1)).length > 0)
      findings.push(warning('network costs are not booked', "set CHAIN_GAS_USD, the price of the chain's native coin"))
    return [
      ...(findings.length > 0 ? findings : [good(`${health.open} in progress; the hot wallet has enough gas and tokens`)]),
      good(costsOf(await networkCosts(db, now, DAYS))),
    ]
  })
}

function sendingFindings({ problems, oldestSignedAt }: SendingHealth, now: Date): Finding[] {
  const { warning, bad } = findingsFor('payouts')
  const findings = problems.map(({ problem, count }) =>
    bad(`${count} ${count === 1 ? 'is' : 'are'} stuck: ${problem}`, 'follow “Payouts on the chain” in docs/runbook.md'),
  )
  const waited = oldestSignedAt === null ? 0 : (now.getTime() - oldestSignedAt.getTime()) / 1000
  if (waited > MAX_UNMINED_SECONDS)
    findings.push(
      warning(`one was signed ${formatAge(waited)} ago and is in no block`, 'check it in the explorer; raise PAYOUT_GAS_GWEI', {
        since: oldestSignedAt,
      }),
    )
  return findings
}

/** Checks the hot wallet at a node. */
async function walletFindings(
  rpcUrl: string,
  { address, nextNonce }: SendingHealth['wallets'][number],
  { waiting }: SendingHealth,
): Promise<Finding[]> {
  const { warning, bad } = findingsFor('payouts')
  const node = chainNode(rpcUrl, 4_000)
  const [price, onChain, coins] = await Promise.all([node.gasPrice(), node.pendingNonceOf(address), node.nativeBalanceOf(address)])
  const findings: Finding[] = []
  if (onChain > nextNonce)
    findings.push(
      bad(
        `${address} sent ${onChain - nextNonce} transactions that this database does not contain`,
        'pause payouts: the key is used elsewhere, or an old backup was restored (“Payouts after a restore” in docs/chain.md)',
      ),
    )
  if (coins < price * GAS_LIMIT * PAYOUTS_AHEAD)
    findings.push(warning(`${address} has gas for fewer than ${PAYOUTS_AHEAD} payouts`, "send it the chain's native coin"))
  for (const { token, amount } of waiting)
    if ((await node.tokenOf(token, address)) < amount)
      findings.push(warning(`${address} has less ${token} than the queued payouts need`, 'send it more of this token'))
  return findings
}

/** Reports balances above the ceiling, as the hourly comparison read them. */
async function ceilingFindings(db: Db, config: Pick<Config, 'chain' | 'payouts' | 'reserveAddresses'>): Promise<Finding[]> {
  const { warning } = findingsFor('payouts')
  const { holdings } = await walletHoldings(db, config)
  const fix =
    config.reserveAddresses.length === 0
      ? 'set RESERVE_ADDRESSES, then move the surplus under “Hot wallet” in the console'
      : 'move the surplus under “Hot wallet” in the console'
  return holdings
    .filter(({ surplus }) => surplus > 0n)
    .map(({ asset, surplus, ceiling }) =>
      warning(
        `the hot wallet holds ${formatUnits(surplus)} ${asset === 'USD' ? 'USD' : 'coin'} more than its ceiling of ${formatUnits(ceiling ?? 0n)}`,
        fix,
      ),
    )
}

const WEI_DECIMALS = 18

/** Reports network costs beside the fees that members paid. Operators decide whether the fee is high enough. */
function costsOf({ transactions, wei, usd, networkFees }: NetworkCosts): string {
  const digits = wei.toString().padStart(WEI_DECIMALS + 1, '0')
  const coins = `${digits.slice(0, -WEI_DECIMALS)}.${digits.slice(-WEI_DECIMALS)}`.replace(/\.?0+$/, '')
  return `in ${DAYS} days ${transactions} transactions cost ${coins} of the chain's native coin (${formatUnits(usd)} USD as booked), and members paid ${formatUnits(networkFees)} USD in network fees`
}
