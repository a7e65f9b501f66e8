import type { RewardKind } from '@tizara/contract/rewards'
import { mulDiv, ONE, type Units } from '@tizara/money'
import { type Asset, type SystemBalance, systemBalances } from '../../ledger/index.ts'
import { utcDay } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { coverageOf, forecastByMonth } from '../rewards/index.ts'
import { readReserves } from './reserve-statement.ts'

const ASSETS = [
  { asset: 'usd', ledger: 'USD' },
  { asset: 'coin', ledger: 'COIN' },
] as const satisfies readonly { asset: 'usd' | 'coin'; ledger: Asset }[]

/** Percent of `part` in `whole`, rounded down, in units; null when there is nothing to cover. */
const percentOf = (part: Units, whole: Units): Units | null =>
  whole <= 0n ? null : mulDiv(part > 0n ? part : 0n, 100n * ONE, whole, 'down')

/** Reads liabilities and coverage from the ledger and the forecast of rewards. */
export async function readTrust(db: Db, now: Date) {
  const houses = await systemBalances(db)
  const [coverage, forecast, snapshot, onChain] = await Promise.all([
    Promise.all(ASSETS.map(async ({ asset, ledger }) => ({ asset, ...(await coverageOf(db, ledger)) }))),
    forecastByMonth(db, utcDay(now)),
    db
      .selectFrom('trust_snapshot')
      .select(['public_id', 'root', 'at', 'members', 'balanced', 'transfers'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    readReserves(db),
  ])
  return {
    at: now,
    reserves: ASSETS.map(({ asset, ledger }) => {
      const { liabilities, reserves } = reservesOf(houses, ledger)
      return { asset, liabilities, reserves, ratio: percentOf(reserves, liabilities) }
    }),
    rewardPool: coverage.map(({ asset, pool, promised, owed }) => ({
      asset,
      balance: pool,
      promised,
      owed,
      coverage: percentOf(pool, promised + owed),
    })),
    forecast: forecast.map(({ month, kind, amount }) => ({
      month,
      kind: kind as RewardKind,
      asset: kind.startsWith('nft-') ? ('usd' as const) : ('coin' as const),
      amount,
    })),
    proof:
      snapshot === undefined ? null : { id: snapshot.public_id, root: snapshot.root, at: snapshot.at, members: Number(snapshot.members) },
    onChain: onChain ?? null,
    ledger: snapshot === undefined ? null : { at: snapshot.at, ok: snapshot.balanced, transfers: Number(snapshot.transfers) },
  }
}

/**
 * Computes the members' balances, pending payouts included, and the reserves. External deposits minus payments out are the
 * reserve. All transfers balance, so the members' part is the negative sum of the system accounts.
 */
function reservesOf(houses: readonly SystemBalance[], asset: Asset): { liabilities: Units; reserves: Units } {
  const sum = (names: readonly string[]) =>
    houses.filter((one) => one.asset === asset && names.includes(one.system)).reduce((total, one) => total + one.balance, 0n)
  const all = houses.filter((one) => one.asset === asset).reduce((total, one) => total + one.balance, 0n)
  const liabilities = sum(['SYS-HOLD']) - all
  const reserves = -sum(['SYS-DEPOSIT', 'SYS-OPERATOR', 'SYS-ISSUE']) - sum(['SYS-WITHDRAW', 'SYS-BRIDGE', 'SYS-GAS'])
  return { liabilities, reserves }
}
