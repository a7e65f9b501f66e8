import type { ListQuery, QueryOf, ReplyOf } from '@tizara/contract'
import type { staffRewardRuns } from '@tizara/contract/staff-reward-runs'
import type { staffHeldRewards } from '@tizara/contract/staff-rewards'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { balanceOfSystemAccount } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { requireMember, membersByEmail, membersById } from '../../members/index.ts'
import { haltedSince, listPending, listRewardRuns, oldestOpenDay, sumPending } from '../../rewards/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { readOpenRequests, readProceeds, salesFundBalance } from '../../transfers/index.ts'
import { poolForecast } from './pool-forecast.queries.ts'
import { personOf } from '../access/person.ts'

/** Reads the reward pool per asset (balance, commitment, liabilities, debts, depletion date), and the sales fund. */
export async function readRewardPool(db: Db, deps: Pick<Deps, 'config'>, now: Date) {
  const [pools, settings, halted, openDay] = await Promise.all([
    poolForecast(db, now),
    currentSettings(db, now),
    haltedSince(db),
    oldestOpenDay(db, now),
  ])
  const fourEyesAbove = { usd: settings.fourEyesAboveUsd, coin: settings.fourEyesAboveCoin }
  // Excludes network fees (SYS-GAS) and payments into the sales fund, because SYS-OPERATOR pays these too.
  const gas = await balanceOfSystemAccount(db, 'SYS-GAS', 'USD')
  const { rows } = await sql<{ total: Units }>`
    select coalesce(sum(amount), 0)::bigint as total from ledger_transfer where kind = 'fundSales'`.execute(db)
  const outside = {
    usd: (await balanceOfSystemAccount(db, 'SYS-OPERATOR', 'USD')) + gas + (rows[0]?.total ?? 0n),
    coin: await balanceOfSystemAccount(db, 'SYS-OPERATOR', 'COIN'),
  }
  return {
    assets: pools.map(({ balance, ...rest }) => ({
      ...rest,
      pool: balance,
      fromOperator: -outside[rest.asset],
      fourEyesAbove: fourEyesAbove[rest.asset],
    })),
    haltedSince: halted,
    openDay,
    salesFund: await salesFundBalance(db),
    proceeds: {
      ...(await readProceeds(db, deps, now)),
      holdDays: settings.rewardHoldDays,
      addresses: deps.config.proceedsAddresses.map(({ address }) => address),
    },
    sellRequests: await readOpenRequests(db, now),
  }
}

/** Lists the reward runs with the staff members who started them. */
export async function readRewardRuns(db: Db, query: ListQuery): Promise<ReplyOf<typeof staffRewardRuns>> {
  const { data, meta } = await listRewardRuns(db, query)
  const found = await membersByEmail(db, [...new Set(data.flatMap((run) => (run.startedBy === null ? [] : [run.startedBy])))])
  const people = await membersById(
    db,
    found.map(({ id }) => id),
  )
  const byMail = new Map([...people.values()].map((member) => [member.email, member]))
  return {
    data: data.map((run) => {
      const starter = run.startedBy === null ? undefined : byMail.get(run.startedBy)
      return { ...run, byHand: starter === undefined ? null : personOf(starter) }
    }),
    meta,
  }
}

/**
 * Lists a member's pending rewards, soonest release first.
 * @throws AppError NOT_FOUND
 */
export async function readPendingRewards(db: Db, memberId: string, query: QueryOf<typeof staffHeldRewards>) {
  const member = await requireMember(db, memberId)
  const { page, limit, offset } = readPageRange(query)
  const rows = await listPending(db, member.id, { limit, offset })
  const { rewards: total } = await sumPending(db, { memberId: member.id })
  return { data: rows.map((row) => ({ ...row, id: String(row.id) })), meta: { total, page, limit } }
}
