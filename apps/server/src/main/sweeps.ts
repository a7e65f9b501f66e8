import { chainSweeps } from '../gateways/chain/index.ts'
import { mailRetention, mailSweeps } from '../gateways/mailer/index.ts'
import { httpRetention } from '../http/retention.ts'
import type { AnyJobKind } from '../jobs/background-job.ts'
import { backgroundJobs, jobRetention } from '../jobs/background-jobs.sweep.ts'
import { forgetSweep, type Retention } from '../jobs/retention.ts'
import type { Sweep } from '../jobs/sweep.ts'
import { authRetention, authSweeps } from '../modules/auth/index.ts'
import { depositRetention, depositSweeps, wakeInvoices } from '../modules/deposits/index.ts'
import { rewardSweeps } from '../modules/rewards/index.ts'
import { staffJobs, staffSweeps } from '../modules/staff/index.ts'
import { stakingSweeps } from '../modules/staking/index.ts'
import { trustSweeps } from '../modules/trust/index.ts'
import { statementJob, walletSweeps } from '../modules/wallets/index.ts'
import { sendingSweeps, withdrawalSweeps } from '../modules/withdrawals/index.ts'
import { allTransfers } from './all-checks.ts'
import type { Ports } from './ports.ts'
import { sealAnewSweep } from './sealed-columns.ts'

/**
 * Everything that the worker does, in the order in which one causes the next: payments come in, rewards are paid,
 * stakes mature, mails go out.
 */
export function allSweeps(ports: Ports): Sweep[] {
  return [
    ...(ports.chain === undefined ? [] : chainSweeps(ports.chain, wakeInvoices)),
    ...storySweeps(ports),
    ...(ports.sending === undefined ? [] : sendingSweeps(ports.sending)),
    ...staffSweeps,
    ...trustSweeps,
    ...authSweeps,
    sealAnewSweep,
    forgetSweep(retentions),
    ...mailSweeps(ports.mailer),
    backgroundJobs(jobKinds),
  ]
}

/** Long work that people may ask for. */
export const jobKinds: readonly AnyJobKind[] = [...staffJobs, statementJob(allTransfers)]

/** What is kept how long. */
export const retentions: readonly Retention[] = [...httpRetention, ...jobRetention, ...mailRetention, ...authRetention, ...depositRetention]

/** The sweeps that move money, without those that write to people. */
export function storySweeps(ports: Ports): Sweep[] {
  return [...depositSweeps(ports.deposits), ...rewardSweeps, ...stakingSweeps, ...walletSweeps, ...withdrawalSweeps]
}
