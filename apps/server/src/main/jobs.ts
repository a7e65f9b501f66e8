import { awaitsConfirmations, chainJobs, tokenSweepJob, unknownTokenRetention, unknownTokenJob } from '../gateways/chain/index.ts'
import { mailRetention, mailJobs } from '../gateways/mailer/index.ts'
import { httpRetention } from '../http/server/retention.ts'
import { currentPause } from '../ledger/index.ts'
import type { AnyJobKind } from '../jobs/background-job.ts'
import { backgroundJobs, jobRetention } from '../jobs/background-jobs.job.ts'
import { retentionJob, type Retention } from '../jobs/retention.ts'
import type { Job } from '../jobs/job.ts'
import { closeMonthsJob } from '../modules/audit/index.ts'
import { authRetention, authJobs, closeAccountsJob } from '../modules/auth/index.ts'
import { depositRetention, depositJobs, hasOpenInvoices, wakeInvoices } from '../modules/deposits/index.ts'
import { eventJobs, eventRetention } from '../modules/events/index.ts'
import { importJobs, importReportJob, importRetention } from '../modules/import/index.ts'
import { noticeRetention, noticeJobs } from '../modules/notices/index.ts'
import { assistantJobs, earningsJob, rewardJobs, simulationRetention } from '../modules/rewards/index.ts'
import { staffJobs, staffRetention, staffRecurringJobs } from '../modules/staff/index.ts'
import { stakingJobs } from '../modules/staking/index.ts'
import { transferJobs } from '../modules/transfers/index.ts'
import { hasWaitingDigest, trustJobs } from '../modules/trust/index.ts'
import { statementJob, walletJobs } from '../modules/wallets/index.ts'
import {
  costJob,
  hasSignedPayouts,
  payoutNotificationJobs,
  sendingJobs,
  withdrawalRetention,
  withdrawalJobs,
} from '../modules/withdrawals/index.ts'
import { webhookJobs, webhookRetention } from '../modules/webhooks/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { Reads } from '../platform/db/replica.ts'
import { blockJob } from '../sandbox/index.ts'
import { allTransfers } from './all-checks.ts'
import { importReport } from './import-report.ts'
import type { Ports } from './ports.ts'
import { reconcileJob, reconciliationSettings } from '../modules/reconciliation/reconcile.job.ts'
import { closingObstacles, eraseAccountsJob, ownDataJob } from '../modules/personal-data/index.ts'
import { reEncryptJob } from './encrypted-columns.ts'

/**
 * Returns all jobs of the worker, in causal order: payments arrive, rewards are paid, stakes mature, mails go out.
 * @param workers total connections for a reward day, over all workers
 * @param reads database for reading files; the main database if omitted
 */
export function allJobs(ports: Ports, workers = 1, reads?: Reads): Job[] {
  return [
    ...(ports.chain !== undefined && ports.isDevChain === true ? [blockJob(ports.chain.rpcUrl, awaitsBlocks)] : []),
    ...(ports.chain === undefined ? [] : [...chainJobs(ports.chain, wakeInvoices), unknownTokenJob(ports.chain)]),
    ...storyJobs(ports),
    ...(ports.sending === undefined ? [] : sendingJobs(ports.sending)),
    ...(ports.sweeping === undefined ? [] : [tokenSweepJob(ports.sweeping, async (db) => (await currentPause(db)) === undefined)]),
    ...(ports.chain === undefined
      ? []
      : [
          reconcileJob({
            ...reconciliationSettings(ports.chain, ports.sending?.rules.hourLimits.keys(), ports.isDevChain),
            sweeps: ports.sweeping !== undefined,
            ceilings: ports.sending?.rules.ceilings,
          }),
        ]),
    ...(ports.gasUsd === undefined ? [] : [costJob(ports.gasUsd)]),
    ...staffRecurringJobs,
    importReportJob(importReport),
    ...trustJobs(ports.reserves, ports.digests),
    ...authJobs,
    closeAccountsJob(closingObstacles),
    eraseAccountsJob,
    reEncryptJob,
    closeMonthsJob,
    retentionJob(retentions),
    ...payoutNotificationJobs,
    ...eventJobs,
    ...webhookJobs(),
    ...noticeJobs,
    ...mailJobs(ports.mailer),
    backgroundJobs(jobKinds, reads),
    ...assistantJobs(workers),
  ]
}

/** Returns true if any work awaits new blocks. */
const awaitsBlocks = async (db: Db, now: Date): Promise<boolean> =>
  (await hasOpenInvoices(db, now)) || (await hasSignedPayouts(db)) || (await hasWaitingDigest(db)) || awaitsConfirmations(db)

/** Background jobs that a person can request. */
export const jobKinds: readonly AnyJobKind[] = [...staffJobs, statementJob(allTransfers), earningsJob, ownDataJob]

/** All modules' retention rules. */
export const retentions: readonly Retention[] = [
  ...httpRetention,
  ...jobRetention,
  ...eventRetention,
  ...webhookRetention,
  ...mailRetention,
  ...authRetention,
  ...depositRetention,
  ...withdrawalRetention,
  ...importRetention,
  unknownTokenRetention,
  ...simulationRetention,
  ...staffRetention,
  ...noticeRetention,
]

/** Returns the jobs that move money, without those that send messages. */
export function storyJobs(ports: Ports): Job[] {
  return [...depositJobs(ports.deposits), ...rewardJobs, ...stakingJobs, ...transferJobs, ...walletJobs, ...withdrawalJobs, ...importJobs]
}
