import { chainHealth, checkSources } from '../../gateways/chain/index.ts'
import type { Db } from '../../platform/database.ts'
import type { Ports } from '../ports.ts'
import { about, ago, type Finding } from './finding.ts'

/** The chain that in-app invoices are paid on: what its sources say of themselves, and how the worker's reading goes. */
export async function chainFindings(db: Db, { chain, deposits }: Ports, now: Date): Promise<Finding[]> {
  const { good, warning, bad } = about('chain')
  if (chain === undefined)
    return [good(deposits.chain === null ? 'none connected: deposits come through the provider, payouts are sent by hand' : 'sandbox')]
  await checkSources(chain)
  const { seenAt, heard, incidents } = await chainHealth(db, chain, now)
  const findings: Finding[] = []
  if (!heard) {
    const what =
      seenAt === null ? 'was never read' : `was last read ${ago((now.getTime() - seenAt.getTime()) / 1000)} ago: no invoice is opened`
    findings.push(bad(what, 'start the worker; look at its log and at `last_error` of chain-watcher in `job_lease`'))
  }
  if (incidents > 0)
    findings.push(warning(`${incidents} reorganisations took final transfers`, 'compare `chain_incident` with what was credited'))
  if (chain.witnessUrl === undefined) findings.push(warning('one source alone is believed', 'set CHAIN_WITNESS_URL'))
  return findings.length > 0 ? findings : [good(`chain ${chain.chainId} is read, and two sources agree`)]
}
