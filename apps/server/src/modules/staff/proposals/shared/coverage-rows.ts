import { mulDiv, ONE, type Units } from '@tizara/money'
import type { Asset } from '../../../../ledger/index.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { type Coverage, coverageOf } from '../../../rewards/index.ts'
import { salesFundBalance } from '../../../transfers/index.ts'
import { grouped, percentText } from '../../access/figures.ts'
import type { EffectRow } from './proposal-kind.ts'

/**
 * Returns the free coverage in units: pool plus commitment, minus liabilities and owed rewards. New liabilities, and credits to
 * the RCM wallets of special members, reduce it.
 */
export const freeCoverage = ({ pool, committed, promised, owed }: Coverage): Units => pool + committed - promised - owed

/** Formats the coverage as a share of liabilities and owed rewards; `none promised` if there are none. */
function coverageText({ pool, committed, promised, owed }: Coverage): string {
  return promised + owed === 0n ? 'none promised' : percentText(mulDiv(pool + committed, 100n * ONE, promised + owed, 'down'))
}

/**
 * Returns the coverage of an asset's liabilities before and after a proposal [RW-10].
 * @param change units added to the pool (negative: taken from the pool), the new commitment, and units added to the liabilities
 */
export async function coverageRows(
  db: Db,
  asset: Asset,
  change: { pool?: Units; committed?: Units; promised?: Units },
): Promise<EffectRow[]> {
  const before = await coverageOf(db, asset)
  const after = {
    ...before,
    pool: before.pool + (change.pool ?? 0n),
    committed: change.committed ?? before.committed,
    promised: before.promised + (change.promised ?? 0n),
  }
  const unit = asset === 'USD' ? 'USD' : 'coin'
  const good = freeCoverage(after) >= freeCoverage(before)
  return [
    {
      label: `Reward pool and commitment in ${unit}`,
      before: grouped(before.pool + before.committed),
      after: grouped(after.pool + after.committed),
      unit,
      good,
    },
    {
      label: `Promised and owed rewards in ${unit}`,
      before: grouped(before.promised + before.owed),
      after: grouped(after.promised + after.owed),
      unit,
    },
    { label: `Free coverage in ${unit}`, before: grouped(freeCoverage(before)), after: grouped(freeCoverage(after)), unit, good },
    { label: `Coverage in ${unit}`, before: coverageText(before), after: coverageText(after), good },
  ]
}

/**
 * Returns the sales fund before and after a proposal.
 * @param change USD units added; negative: taken
 */
export async function salesFundRows(db: Db, change: Units): Promise<EffectRow[]> {
  const balance = await salesFundBalance(db)
  return [{ label: 'Sales fund', before: grouped(balance), after: grouped(balance + change), unit: 'USD', good: change >= 0n }]
}
