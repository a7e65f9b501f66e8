/**
 * `npm run payments -- doctor`: checks the settings of deposits and payouts, and compares provider, chain, wallets and
 * ledger; ends with 0 without findings. `payments reconcile`: compares them now instead of hourly and prints the same
 * report; `--full` adds up everything again. `payments rescan BLOCK`: reads the chain again after a block, for events that
 * a node left out. `payments adopt HASH...`: books transactions of the hot wallet and the deposit branch that this database
 * does not know, in their order; `HASH=PAYOUT` names the payout that a cancellation belongs to. It needs a shell, which gives
 * access to the database anyway.
 */
import { setTimeout } from 'node:timers/promises'
import { adoptMove, CHAIN_WATCHER, rescan, walletNode } from '../gateways/chain/index.ts'
import { runJob, type Job } from '../jobs/job.ts'
import { findingJob } from '../modules/deposits/index.ts'
import { type Adopted, adoptPaid, sendingHealth } from '../modules/withdrawals/index.ts'
import { type Db, inTransaction, type Tx } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { chainFindings } from '../diagnostics/chain.ts'
import { check, worst } from '../diagnostics/finding.ts'
import { payoutFindings } from '../diagnostics/payouts.ts'
import { providerDifferences, providerFindings } from '../diagnostics/provider.ts'
import { openPrepared } from '../main/open-database.ts'
import { createPorts, type Ports } from '../main/ports.ts'
import { reconcileJob } from '../modules/reconciliation/reconcile.job.ts'
import { reconciled } from '../main/jobs.ts'

/** Maximum attempts while a worker holds the lease. */
const TRIES = 50

const { values, positionals } = commandLine('payments')
const [what, ...about] = positionals
const block = /^\d{1,12}$/.test(about[0] ?? '') ? Number(about[0]) : undefined
if (values.full && what !== 'reconcile') {
  console.error(`--full is an option of reconcile, not of ${what}.`)
  process.exit(2)
}
const wrong =
  what === 'rescan' && block === undefined
    ? about
    : what === 'adopt'
      ? about.filter((hash) => !/^0x[0-9a-f]{64}(=[\w-]+)?$/i.test(hash))
      : []
if (wrong.length === 0) await run()
else {
  console.error(`${what} requires ${what === 'rescan' ? 'a block number' : 'transaction hashes'}, not ${wrong.join(' ')}.`)
  process.exitCode = 2
}

async function run(): Promise<void> {
  const deps = createDeps()
  const ports = createPorts(deps.config)
  const { db, close } = await openPrepared(deps.config, { limits: false })
  try {
    if (what === 'adopt') return await adopt(db, deps)
    if (what === 'rescan') return await readAgain(db, deps)
    if (what === 'reconcile') await compareNow(db, deps, ports)
    await printReport(db, deps, ports)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
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
  ]
  for (const { area, state, what: said, fix } of findings)
    console.log(`${state.padEnd(8)} ${area.padEnd(9)} ${said}${fix === undefined ? '' : `\n                   ${fix}`}`)
  if (worst(findings) !== 'good') process.exitCode = 2
}

/** @throws Error while a worker runs the comparison, whose result is equivalent */
async function compareNow(db: Db, deps: Deps, { deposits, chain, sending, sweeping, isPlayChain }: Ports): Promise<void> {
  const jobs = [
    findingJob(deposits.provider, { now: true }),
    ...(chain === undefined
      ? []
      : [
          reconcileJob(
            { ...reconciled(chain, sending?.rules.hourLimits.keys(), isPlayChain), sweeps: sweeping !== undefined },
            { now: true, full: values.full },
          ),
        ]),
  ]
  for (const sweep of jobs)
    if ((await runJob(db, deps, sweep, 'payments')) === null) throw new Error(`a worker is running ${sweep.name}; try again later`)
}

/** Moves the cursor while no worker reads, because a running worker would continue from its own position. */
async function readAgain(db: Db, deps: Deps): Promise<void> {
  // Checked before the lease, so that a missing chain is not recorded as a failing job.
  const chain = chainOf(deps)
  const moveBack: Job['run'] = async (lease) => {
    await rescan(chain, (work) => lease.inTransaction(work), block ?? 0, deps.clock.now())
    return 1
  }
  for (let tries = 1; (await runJob(db, deps, { name: CHAIN_WATCHER, everySeconds: 1, run: moveBack }, 'payments')) === null; tries += 1) {
    if (tries === TRIES) throw new Error('a worker is reading the chain; try again later')
    await setTimeout(200)
  }
  console.log(`the worker reads the chain again after block ${block}`)
}

async function adopt(db: Db, deps: Deps): Promise<void> {
  const chain = chainOf(deps)
  const node = walletNode(chain.rpcUrl)
  const { wallets } = await sendingHealth(db)
  const targets = [...wallets.map(({ address }) => address), ...(deps.config.sweep?.to === undefined ? [] : [deps.config.sweep.to])]
  const within = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work)
  for (const one of about) {
    const [hash = '', cancelled] = one.split('=')
    const which = { node, chainId: chain.chainId, hash: hash.toLowerCase() }
    const move = await adoptMove(within, deps, { ...which, xpub: chain.xpub, targets })
    if (move === undefined) console.log(`${hash} ${adoptedText(await adoptPaid(within, deps, { ...which, cancelled }))}`)
    else console.log(`${hash} ${move === 'known' ? 'was booked before' : `is booked as a ${move} transfer`}`)
  }
}

function adoptedText(adopted: Adopted): string {
  switch (adopted.as) {
    case 'payment':
      return `is booked as payout ${adopted.payoutId}`
    case 'cancellation':
      return `is booked as the cancellation of payout ${adopted.payoutId}`
    case 'known':
      return `was booked before, as payout ${adopted.payoutId}`
    case 'nothing':
      return 'moved nothing: only its nonce is booked'
  }
}

function chainOf({ config: { chain } }: Deps) {
  if (chain === undefined) throw new Error('no chain is configured (CHAIN_RPC_URL)')
  return chain
}
