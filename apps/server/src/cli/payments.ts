/**
 * `npm run payments -- doctor`: checks the settings of deposits and payouts, and compares provider, chain, wallets and
 * ledger; exits with 0 if there are no findings, with 2 otherwise. `payments reconcile`: compares them now instead of hourly and
 * prints the same report; `--full` recalculates everything. `payments rescan BLOCK`: reads the chain again after a block, for
 * events that a node omitted. `payments adopt HASH...`: books transactions of the hot wallet and the deposit branch that this
 * database does not contain, in order; `HASH=PAYOUT` names the payout of a cancellation. Adopting needs no approval, because
 * a user of this shell can write to the database anyway.
 */
import { setTimeout } from 'node:timers/promises'
import { adoptMove, CHAIN_WATCHER, rescan, chainNode } from '../gateways/chain/index.ts'
import { runJob, type Job } from '../jobs/job.ts'
import { findingJob } from '../modules/deposits/index.ts'
import { type AdoptionResult, adoptPaid, sendingHealth } from '../modules/withdrawals/index.ts'
import { type Db, inTransaction, type Tx } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { errorText } from '../platform/runtime/error-text.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { alertFindings } from '../diagnostics/alerts.ts'
import { chainFindings } from '../diagnostics/chain.ts'
import { check, worst } from '../diagnostics/finding.ts'
import { payoutFindings } from '../diagnostics/payouts.ts'
import { providerDifferences, providerFindings } from '../diagnostics/provider.ts'
import { openPrepared } from '../main/open-database.ts'
import { createPorts, type Ports } from '../main/ports.ts'
import { reconcileJob, reconciliationSettings } from '../modules/reconciliation/reconcile.job.ts'

/** Maximum attempts while a worker holds the lease. */
const MAX_ATTEMPTS = 50

const { values, positionals } = commandLine('payments')
const [action, ...targets] = positionals
const block = /^\d{1,12}$/.test(targets[0] ?? '') ? Number(targets[0]) : undefined
if (values.full && action !== 'reconcile') {
  console.error(`--full works only with reconcile, not with ${action}.`)
  process.exit(2)
}
const invalid =
  action === 'rescan' && block === undefined
    ? targets
    : action === 'adopt'
      ? targets.filter((hash) => !/^0x[0-9a-f]{64}(=[\w-]+)?$/i.test(hash))
      : []
if (invalid.length === 0) await run()
else {
  console.error(`${action} requires ${action === 'rescan' ? 'a block number' : 'transaction hashes'}, not ${invalid.join(' ')}.`)
  process.exitCode = 2
}

async function run(): Promise<void> {
  const deps = createDeps()
  const ports = createPorts(deps.config)
  const { db, close } = await openPrepared(deps.config, { limits: false })
  try {
    if (action === 'adopt') return await adopt(db, deps)
    if (action === 'rescan') return await rescanFrom(db, deps)
    if (action === 'reconcile') await compareNow(db, deps, ports)
    await printReport(db, deps, ports)
  } catch (error) {
    console.error(errorText(error))
    process.exitCode = 1
  } finally {
    await close()
  }
}

async function printReport(db: Db, deps: Deps, ports: Ports): Promise<void> {
  const now = deps.clock.now()
  const findings = [
    ...(await check('provider', 'correct PAYMENT_PROVIDER_URL and PAYMENT_PROVIDER_KEY', () => providerFindings(ports))),
    ...(await check('provider', 'check the database', () => providerDifferences(db, now))),
    ...(await chainFindings(db, ports, now)),
    ...(await payoutFindings(db, deps.config, now)),
    ...(await alertFindings(db, now)),
  ]
  for (const { area, state, what, fix } of findings)
    console.log(`${state.padEnd(8)} ${area.padEnd(9)} ${what}${fix === undefined ? '' : `\n                   ${fix}`}`)
  if (worst(findings) !== 'good') process.exitCode = 2
}

/** @throws Error while a worker runs the comparison, whose result is equivalent */
async function compareNow(db: Db, deps: Deps, { deposits, chain, sending, sweeping, isDevChain }: Ports): Promise<void> {
  const jobs = [
    findingJob(deposits.provider, { now: true }),
    ...(chain === undefined
      ? []
      : [
          reconcileJob(
            { ...reconciliationSettings(chain, sending?.rules.hourLimits.keys(), isDevChain), sweeps: sweeping !== undefined },
            { now: true, full: values.full },
          ),
        ]),
  ]
  for (const job of jobs)
    if ((await runJob(db, deps, job, 'payments')) === null) throw new Error(`a worker is running ${job.name}; try again later`)
}

/** Moves the cursor while no worker reads, because a running worker would continue from its own position. */
async function rescanFrom(db: Db, deps: Deps): Promise<void> {
  // Checked before the lease, so that a missing chain is not recorded as a failing job.
  const chain = chainOf(deps)
  const moveBack: Job['run'] = async (lease) => {
    await rescan(chain, (work) => lease.inTransaction(work), block ?? 0, deps.clock.now())
    return 1
  }
  for (
    let attempts = 1;
    (await runJob(db, deps, { name: CHAIN_WATCHER, everySeconds: 1, run: moveBack }, 'payments')) === null;
    attempts += 1
  ) {
    if (attempts === MAX_ATTEMPTS) throw new Error('a worker is reading the chain; try again later')
    await setTimeout(200)
  }
  console.log(`The worker will read the chain again after block ${block}.`)
}

async function adopt(db: Db, deps: Deps): Promise<void> {
  const chain = chainOf(deps)
  const node = chainNode(chain.rpcUrl)
  const { wallets } = await sendingHealth(db)
  const addresses = [...wallets.map(({ address }) => address), ...(deps.config.sweep?.to === undefined ? [] : [deps.config.sweep.to])]
  const within = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work)
  for (const target of targets) {
    const [hash = '', cancelled] = target.split('=')
    const transaction = { node, chainId: chain.chainId, hash: hash.toLowerCase(), confirmations: chain.confirmations }
    const move = await adoptMove(within, deps, { ...transaction, xpub: chain.xpub, targets: addresses })
    if (move === undefined) console.log(`${hash} ${adoptedText(await adoptPaid(within, deps, { ...transaction, cancelled }))}`)
    else console.log(`${hash} ${move === 'known' ? 'was already booked' : `is booked as a ${move} transfer`}`)
  }
}

function adoptedText(adopted: AdoptionResult): string {
  switch (adopted.as) {
    case 'payment':
      return `is booked as payout ${adopted.payoutId}`
    case 'cancellation':
      return `is booked as the cancellation of payout ${adopted.payoutId}`
    case 'known':
      return `was already booked as payout ${adopted.payoutId}`
    case 'nothing':
      return 'moved no money; its nonce and network fee are booked'
  }
}

function chainOf({ config: { chain } }: Deps) {
  if (chain === undefined) throw new Error('no chain is configured (CHAIN_RPC_URL)')
  return chain
}
