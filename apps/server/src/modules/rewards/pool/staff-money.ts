import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { type Asset, post, type Posting } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { confirmCoverage, lockCoverage } from './assert-covered.ts'
import { coverageOf, currentPolicy } from './coverage.ts'
import { recordAudit } from '../../audit/index.ts'

/** The acting staff member and the reason. */
interface StaffMoneyAction {
  by: { memberId: bigint; role: string }
  reason: string
  /** The second person's member id, above the four-eyes limit. */
  approvedBy?: bigint
  /** Public id of the proposal. */
  proposalId?: string
  ip?: string
  requestId?: string
}

interface PoolFunds extends StaffMoneyAction {
  asset: Asset
  amount: Units
  /** `stock`: coin from the operator's stock or USD from its sales; `operator`: the operator's external funds. */
  source: 'stock' | 'operator'
  /** The reward pool, or the sales fund [MF-10]. The sales fund only receives USD from outside. */
  into: 'rewards' | 'sales'
  /** True for the initial setup from the command line, which does not use the first admin's solo limit. */
  opening?: true
}

/** Coin for a member's RCM wallet. */
interface RcmCredit extends StaffMoneyAction {
  memberId: bigint
  /** Coin units. */
  amount: Units
}

type Ports = Pick<Deps, 'clock' | 'ids'>

/**
 * Moves money into the reward pool or the sales fund. The next run of the job pays owed rewards.
 * @returns the ledger transfer
 * @throws AppError COIN_SOLD_OUT or SALES_FUND_SHORT when the source does not hold the amount; INVALID_INPUT for coin or own stock into the
 * sales fund
 */
export function fundRewardPool(tx: Tx, deps: Ports, funds: PoolFunds): Promise<{ transferId: bigint }> {
  const { asset, amount, source, into, opening } = funds
  if (into === 'sales' && (asset !== 'USD' || source !== 'operator')) throw new AppError('INVALID_INPUT')
  const id = deps.ids.publicId()
  const stock = asset === 'COIN' ? 'SYS-COIN' : 'SYS-SALES'
  const from = { system: source === 'operator' ? 'SYS-OPERATOR' : stock, asset } as const
  return postOnRecord(
    tx,
    deps,
    funds,
    into === 'sales'
      ? { kind: 'fundSales', cause: { type: 'sales_fund', id }, transfers: [{ from, to: { system: 'SYS-SALES', asset }, amount }] }
      : { kind: 'fundRewardPool', cause: { type: 'reward_pool', id }, transfers: [{ from, to: { system: 'SYS-REWARD', asset }, amount }] },
    {
      action: 'rewards.fund-pool',
      subject: { type: 'reward_pool', id },
      detail: { asset, amount: String(amount), source, into, ...(opening && { opening: 'yes' }) },
    },
  )
}

/**
 * Credits a member's RCM wallet from the reward pool (MF-25, RW-10). The audit log records each credit with the reason.
 * @returns the ledger transfer
 * @throws AppError NOT_COVERED when the pool does not have the amount, or needs it for liabilities
 */
export async function creditRcm(tx: Tx, deps: Ports, credit: RcmCredit): Promise<{ transferId: bigint }> {
  const { memberId, amount } = credit
  const id = deps.ids.publicId()
  const to = { owner: memberId, kind: 'rcmWallet' } as const
  const posted = await postOnRecord(
    tx,
    deps,
    credit,
    { kind: 'rcmCredit', cause: { type: 'rcm_credit', id }, transfers: [{ from: { system: 'SYS-REWARD', asset: 'COIN' }, to, amount }] },
    { action: 'rewards.credit-rcm', subject: { type: 'member', id: String(memberId) }, detail: { credit: id, amount: String(amount) } },
  )
  await confirmCoverage(tx, { asset: 'COIN' })
  return posted
}

/**
 * Replaces the policy. Earlier policies are kept.
 * @throws AppError COMMITMENT_TOO_LOW when a lower commitment no longer covers liabilities and owed rewards
 */
export async function setRewardPolicy(
  tx: Tx,
  change: {
    committed?: Partial<Record<Asset, Units>>
    at: Date
    by: bigint | null
    reason: string
  },
): Promise<void> {
  await lockPolicy(tx)
  const current = await currentPolicy(tx)
  const committed = { ...current.committed, ...change.committed }
  await tx
    .insertInto('reward_policy')
    .values({
      committed_coin: committed.COIN,
      committed_usd: committed.USD,
      reason: change.reason,
      created_by: change.by,
      created_at: change.at,
    })
    .execute()
  for (const asset of ['COIN', 'USD'] as const) if (committed[asset] < current.committed[asset]) await assertStillCovered(tx, asset)
}

/** Prevents two changes of the commitment at once: each replaces the whole policy. A transaction locks it before the coverage. */
async function lockPolicy(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('reward policy', 0))`.execute(tx)
}

/** Raises the commitment by the new liabilities of an import that the free coverage does not cover. Call it last, like `confirmCoverage`. */
export async function commitUncovered(tx: Tx, change: { at: Date; reason: string }): Promise<void> {
  await lockPolicy(tx)
  const missing = { COIN: -(await lockCoverage(tx, { asset: 'COIN' })), USD: -(await lockCoverage(tx, { asset: 'USD' })) }
  if (missing.COIN <= 0n && missing.USD <= 0n) return
  const { committed } = await currentPolicy(tx)
  const raised = (asset: Asset) => committed[asset] + (missing[asset] > 0n ? missing[asset] : 0n)
  await setRewardPolicy(tx, { ...change, by: null, committed: { COIN: raised('COIN'), USD: raised('USD') } })
}

/** Rejects a lower commitment that does not cover liabilities and owed rewards. */
async function assertStillCovered(tx: Tx, asset: Asset): Promise<void> {
  try {
    await confirmCoverage(tx, { asset })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_COVERED') throw error
    const { pool, committed, promised, owed } = await coverageOf(tx, asset)
    throw new AppError('COMMITMENT_TOO_LOW', {
      wanted: formatUnits(promised + owed),
      there: formatUnits(pool + committed),
      unit: asset === 'COIN' ? 'coin' : 'USD',
    })
  }
}

async function postOnRecord(
  tx: Tx,
  deps: Ports,
  { by, reason, approvedBy, proposalId, ip, requestId }: StaffMoneyAction,
  posting: Omit<Posting, 'at'>,
  entry: { action: string; subject: { type: string; id: string }; detail: Record<string, string> },
): Promise<{ transferId: bigint }> {
  const at = deps.clock.now()
  const posted = await post(tx, { ...posting, at })
  await recordAudit(tx, {
    ...entry,
    at,
    actorId: by.memberId,
    actorRole: by.role,
    reason,
    outcome: 'ok',
    detail: {
      ...entry.detail,
      ...(approvedBy === undefined ? {} : { approvedBy: String(approvedBy) }),
      ...(proposalId === undefined ? {} : { change: proposalId }),
    },
    ...(ip === undefined ? {} : { ip }),
    ...(requestId === undefined ? {} : { requestId }),
  })
  const transferId = posted.transfers[0]?.id
  if (transferId === undefined) throw new Error('a posting without a transfer')
  return { transferId }
}
