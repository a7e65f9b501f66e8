import {
  awaitsConfirmations,
  type ChainSettings,
  chainSweeps,
  depositSweep,
  strangeRetention,
  strangeTokenSweep,
  tokensOf,
} from '../gateways/chain/index.ts'
import { mailRetention, mailSweeps } from '../gateways/mailer/index.ts'
import { httpRetention } from '../http/server/retention.ts'
import { currentStop } from '../ledger/index.ts'
import type { AnyJobKind } from '../jobs/background-job.ts'
import { backgroundJobs, jobRetention } from '../jobs/background-jobs.sweep.ts'
import { retentionSweep, type Retention } from '../jobs/retention.ts'
import type { Sweep } from '../jobs/sweep.ts'
import { authRetention, authSweeps } from '../modules/auth/index.ts'
import { depositRetention, depositSweeps, hasOpenInvoices, wakeInvoices } from '../modules/deposits/index.ts'
import { noticeRetention, noticeSweeps } from '../modules/notices/index.ts'
import { laneSweeps, rewardSweeps, trialRetention } from '../modules/rewards/index.ts'
import { staffJobs, staffRetention, staffSweeps } from '../modules/staff/index.ts'
import { stakingSweeps } from '../modules/staking/index.ts'
import { trustSweeps } from '../modules/trust/index.ts'
import { statementJob, walletSweeps } from '../modules/wallets/index.ts'
import {
  costSweep,
  hasSignedPayouts,
  payoutNotificationSweeps,
  sendingSweeps,
  withdrawalRetention,
  withdrawalSweeps,
} from '../modules/withdrawals/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { Reads } from '../platform/db/replica.ts'
import { blockSweep } from '../sandbox/index.ts'
import { allTransfers } from './all-checks.ts'
import type { Ports } from './ports.ts'
import { reconcileSweep } from '../modules/reconciliation/reconcile.sweep.ts'
import { reserveSweep } from '../modules/reconciliation/state-reserves.sweep.ts'
import { sealSweep } from './seal-ledger.ts'
import { sealAnewSweep } from './sealed-columns.ts'

/**
 * Everything that the worker does, in the order in which one causes the next: payments come in, rewards are paid,
 * stakes mature, mails go out.
 * @param lanes connections that work at a reward day, over all workers
 * @param reads where files are read that people ask for; the database itself when left out
 */
export function allSweeps(ports: Ports, lanes = 1, reads?: Reads): Sweep[] {
  return [
    ...(ports.chain !== undefined && ports.isPlayChain === true ? [blockSweep(ports.chain.rpcUrl, awaitsBlocks)] : []),
    ...(ports.chain === undefined ? [] : [...chainSweeps(ports.chain, wakeInvoices), strangeTokenSweep(ports.chain)]),
    ...storySweeps(ports),
    ...(ports.sending === undefined ? [] : sendingSweeps(ports.sending)),
    ...(ports.sweeping === undefined ? [] : [depositSweep(ports.sweeping, async (db) => (await currentStop(db)) === undefined)]),
    ...(ports.chain === undefined
      ? []
      : [
          reconcileSweep({
            ...reconciled(ports.chain, ports.sending?.rules.hourLimits.keys(), ports.isPlayChain),
            sweeps: ports.sweeping !== undefined,
          }),
        ]),
    ...(ports.reserves === undefined ? [] : [reserveSweep(ports.reserves)]),
    ...(ports.gasUsd === undefined ? [] : [costSweep(ports.gasUsd)]),
    ...staffSweeps,
    ...trustSweeps,
    ...authSweeps,
    sealAnewSweep,
    sealSweep,
    retentionSweep(retentions),
    ...payoutNotificationSweeps,
    ...noticeSweeps,
    ...mailSweeps(ports.mailer),
    backgroundJobs(jobKinds, reads),
    ...laneSweeps(lanes),
  ]
}

/** What is compared with the chain each hour: the tokens that come in, and those that go out. */
export const reconciled = ({ chainId, rpcUrl, witnessUrl, ...coins }: ChainSettings, paid: Iterable<string> = [], told = false) => ({
  chainId,
  told,
  tokens: (['COIN', 'USD'] as const).flatMap((asset) => {
    const token = tokensOf(coins)[asset]
    return token === undefined ? [] : [{ asset, token: token.address, decimals: token.decimals }]
  }),
  rpcUrl,
  witnessUrl,
  paidTokens: [...paid],
})

/** Whether anything in the house goes on only when the chain does. */
const awaitsBlocks = async (db: Db, now: Date): Promise<boolean> =>
  (await hasOpenInvoices(db, now)) || (await hasSignedPayouts(db)) || awaitsConfirmations(db)

/** Long work that people may ask for. */
export const jobKinds: readonly AnyJobKind[] = [...staffJobs, statementJob(allTransfers)]

/** What is kept how long. */
export const retentions: readonly Retention[] = [
  ...httpRetention,
  ...jobRetention,
  ...mailRetention,
  ...authRetention,
  ...depositRetention,
  ...withdrawalRetention,
  strangeRetention,
  ...trialRetention,
  ...staffRetention,
  ...noticeRetention,
]

/** The sweeps that move money, without those that write to people. */
export function storySweeps(ports: Ports): Sweep[] {
  return [...depositSweeps(ports.deposits), ...rewardSweeps, ...stakingSweeps, ...walletSweeps, ...withdrawalSweeps]
}
