import {
  type ChainSettings,
  chainHealth,
  checkSource,
  checkTokens,
  type ConfirmedDifference,
  confirmedDifferences,
  tokenSweepDelays,
} from '../gateways/chain/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { Ports } from '../main/ports.ts'
import { lastReconciled } from '../modules/reconciliation/differences.queries.ts'
import { wordsOfAlert } from './areas.ts'
import { findingsFor, formatAge, type Finding, check } from './finding.ts'

/** Maximum age in ms of the last scan of the chain. */
const MAX_READING_AGE_MS = 120_000

/** Maximum age in ms of the last comparison, which runs hourly. */
const STALE_MS = 3 * 3_600_000

/** Reports on the chain for in-app invoices: responses of the nodes, and progress of the worker. */
export async function chainFindings(db: Db, { chain, isDevChain }: Ports, now: Date): Promise<Finding[]> {
  const { good, warning } = findingsFor('chain')
  if (chain === undefined) return [good('not connected: deposits come from the provider, payouts are sent manually')]
  const sources = { CHAIN_RPC_URL: chain.rpcUrl, CHAIN_SECOND_RPC_URL: chain.secondRpcUrl }
  const found = await Promise.all([
    ...Object.entries(sources).map(async ([setting, url]) => {
      const failed = await sourceFindings(setting, url, chain, isDevChain === true ? undefined : now)
      // Checks the tokens only if the node works.
      return failed.length > 0 || url !== chain.rpcUrl ? failed : tokenFindings(chain)
    }),
    check('chain', 'check the database', () => readingFindings(db, chain, now)),
  ])
  const findings = found.flat()
  if (chain.secondRpcUrl === undefined && isDevChain !== true)
    findings.push(warning('transfers are confirmed by one source only', 'set CHAIN_SECOND_RPC_URL'))
  return findings.length > 0
    ? findings
    : [good(isDevChain === true ? 'the dev chain is read' : `chain ${chain.chainId} is read, and two sources agree`)]
}

/** Checks a source separately, so that its failure hides no other finding. */
const sourceFindings = (setting: string, url: string | undefined, chain: ChainSettings, now: Date | undefined) =>
  check('chain', `correct ${setting}, CHAIN_ID, CHAIN_TOKEN; check that node`, async () => {
    if (url !== undefined) await checkSource(url, chain, now)
    return []
  })

/** Checks that the tokens of a working node prove payments. */
const tokenFindings = (chain: ChainSettings) =>
  check('chain', 'check that node', async () =>
    (await checkTokens(chain)).map((problem) =>
      findingsFor('chain').bad(problem, 'follow “A token is rejected” in docs/runbook.md', wordsOfAlert('token')),
    ),
  )

async function readingFindings(db: Db, chain: ChainSettings, now: Date): Promise<Finding[]> {
  const { warning, bad } = findingsFor('chain')
  const { seenAt, headAt, alive } = await chainHealth(db, chain, now)
  const findings: Finding[] = []
  if (!alive) {
    const since = (at: Date) => formatAge((now.getTime() - at.getTime()) / 1000)
    const isStalled = headAt !== null && seenAt !== null && headAt < seenAt && now.getTime() - seenAt.getTime() <= MAX_READING_AGE_MS
    const what =
      seenAt === null || headAt === null
        ? 'has not been read yet'
        : isStalled
          ? `is not advancing: its newest block is ${since(headAt)} old, and no invoice is opened`
          : `was last read ${since(seenAt)} ago: no invoice is opened`
    findings.push(bad(what, 'start the worker; check its log and `last_error` of chain-watcher in `job_lease`', { since: seenAt }))
  }
  for (const { problem, count, since } of await tokenSweepDelays(db, now))
    findings.push(
      warning(
        `${count} token ${count === 1 ? 'sweep is' : 'sweeps are'} delayed for ${formatAge((now.getTime() - since.getTime()) / 1000)}: ${problem}`,
        'follow “Token sweeps” in docs/runbook.md',
        { ...wordsOfAlert('sweeping'), since },
      ),
    )
  for (const one of await confirmedDifferences(db))
    findings.push(
      (one.kind === 'NATIVE' ? warning : bad)(wordsOf(one), 'follow “Reconciliation of chain and ledger” in docs/chain.md', {
        since: one.since,
      }),
    )
  const compared = await lastReconciled(db, chain.chainId)
  if (compared !== null && now.getTime() - compared.getTime() > STALE_MS)
    findings.push(
      warning(
        `was last compared with the ledger ${formatAge((now.getTime() - compared.getTime()) / 1000)} ago`,
        'check `reconcile-chain` in `job_lease`',
      ),
    )
  return findings
}

/** Describes a difference with the expected and the found amount, in the token's smallest unit or in units of 10^-8. */
function wordsOf({ kind, subject, expected, found, since }: ConfirmedDifference): string {
  return `${subject} ${DIFFERS[kind](expected, found)}, since ${since.toISOString()}`
}

const DIFFERS: Record<ConfirmedDifference['kind'], (expected: string, found: string) => string> = {
  UNSEEN: (seen, held) => `holds ${held} on the chain (smallest units), but the watcher recorded ${seen}`,
  MISSING: (booked, held) => `holds ${held} on the chain (smallest units), but ${booked} arrived and were not swept`,
  UNCREDITED: (paid, credited) => `received ${paid} final units, but ${credited} were credited`,
  RECEIPT: (credited, found) => `was final with ${credited} (smallest units), but three days later its receipt has ${found}`,
  NATIVE: (sent, held) => `holds ${held} wei, but the platform sent ${sent} as gas: a payer sent the wrong coin`,
  DEPOSITS: (received, credited) => `shows ${credited} credited units, but ${received} arrived from the chain and the provider`,
  PAYOUTS: (paid, left) => `shows ${left} outgoing units, but payouts add up to ${paid}`,
}
