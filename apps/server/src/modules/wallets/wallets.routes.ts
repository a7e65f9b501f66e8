import * as wire from '@tizara/contract/wallets'
import { movements } from '@tizara/contract/wallets-movements'
import * as statements from '@tizara/contract/wallets-statements'
import type { Receipt } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { balancesOf, newMoneyIn } from '../../ledger/index.ts'
import { jobFile, jobState, type JobState, wireJob } from '../../jobs/background-job.ts'
import { startJob } from '../../jobs/start-job.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { explorerLink } from '../../gateways/chain/index.ts'
import { findReceipt, type History } from '../histories/index.ts'
import { readMovements } from './movements.queries.ts'
import { type MovingKind, receiptOfMovement } from './receipts.ts'
import { statementJob } from './statement.job.ts'
import { heldOutside, type OutsidePorts } from './outside.queries.ts'
import { walletHistory } from './wallet-history.queries.ts'

/** Functions from higher tiers for wallets, injected by main. */
export interface WalletPorts {
  /** Sums a member's rewards in coin (EN-27). */
  rewardTotals(db: Db, memberId: bigint): Promise<{ dailyBonusCount: Units; transactionHistoryCount: Units; dailyStakeLogsBonus: Units }>
  outside: OutsidePorts
  histories: readonly History[]
  transfers: Readonly<Record<string, MovingKind>>
}

export function walletRoutes(bind: Bind, ports: WalletPorts): void {
  statementRoutes(bind, ports)
  bind.read(wire.userWallet, async ({ db, viewer }) => answer(await balancesOf(db, viewer.memberId)))
  bind.read(wire.homeCount, async ({ db, viewer }) => answer(await ports.rewardTotals(db, viewer.memberId)))
  bind.read(wire.walletHoldings, async ({ db, deps, viewer }) =>
    answer({
      ...(await heldOutside(db, viewer.memberId, deps.clock.now(), ports.outside)),
      newMoney: await newMoneyIn(db, viewer.memberId),
    }),
  )
  bind.read(wire.walletHistory, async ({ db, deps, viewer, query }) =>
    answer(await walletHistory(db, viewer.memberId, { now: deps.clock.now(), days: query.days }, ports.outside)),
  )
  bind.read(movements, async ({ db, deps, viewer, query }) =>
    answer(await readMovements(db, viewer.memberId, { now: deps.clock.now(), query }, ports)),
  )
  bind.read(wire.getReceipt, async ({ db, deps, viewer, params }) => {
    const receipt = await receiptFor(db, viewer.memberId, params, ports)
    if (receipt === undefined) throw new AppError('NOT_FOUND')
    return answer({ ...receipt, ...explorerLink(deps.config, receipt.txHash) })
  })
}

const MAX_ID = 9_223_372_036_854_775_807n

/** Returns the receipt for a row, or for a movement outside all lists; undefined if it belongs to another member. */
export async function receiptFor(
  db: Db,
  memberId: bigint,
  { kind, id }: { kind: string; id: string },
  ports: Pick<WalletPorts, 'histories' | 'transfers'>,
): Promise<Receipt | undefined> {
  if (kind !== 'transfer') return findReceipt(ports.histories, db, memberId, { kind, id })
  if (!/^\d{1,19}$/.test(id) || BigInt(id) > MAX_ID) return undefined
  return receiptOfMovement(db, memberId, BigInt(id), ports.transfers)
}

function statementRoutes(bind: Bind, { transfers }: WalletPorts): void {
  const kind = statementJob(transfers)
  bind.write(statements.startStatement, async ({ tx, deps, viewer, body }) =>
    answer({ jobId: await startJob(tx, deps, kind, { ownerId: viewer.memberId, input: body }) }, 'Your statement is being written'),
  )
  bind.read(statements.ownJob, async ({ db, deps, viewer, params }) =>
    answer(wireJob(await ownJob(db, deps, viewer.memberId, params.id), '/jobs')),
  )
  bind.file(statements.ownJobFile, async ({ reads, deps, viewer, params }) => {
    const { file } = await reads.read((db) => ownJob(db, deps, viewer.memberId, params.id))
    if (file === undefined) throw new AppError('NOT_FOUND')
    return { ...file, parts: jobFile(reads, params.id) }
  })
}

/** @throws AppError NOT_FOUND for another owner's job */
async function ownJob(db: Db, deps: Pick<Deps, 'clock'>, memberId: bigint, id: string): Promise<JobState> {
  const job = await jobState(db, deps, id)
  if (job === undefined || job.ownerId !== memberId || job.kind.startsWith('staff-')) throw new AppError('NOT_FOUND')
  return job
}
