import { settingsValue } from '@tizara/contract/staff-values'
import { mulDiv, ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { grouped } from '../../../access/figures.ts'
import { type EffectRow, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { inDays, unitsAt } from '../../shared/effect-figures.ts'
import { settingsVersion } from '../../shared/operator-settings.ts'
import { assertNoticePeriod } from '../../shared/price-change-notice.ts'
import { tightensLimits } from '../../shared/tightens-limits.ts'
import { difference } from '../../shared/title-text.ts'

/** Order sizes, exchange rules, fees and mail domains. */
export const settings = proposalKind({
  ...settingsVersion,
  subject: 'settings',
  value: settingsValue,
  members: noMembers,
  affectsEarnings: true,
  // Required because the convert rate, which is a price, is one of the settings.
  assertAllowed: assertNoticePeriod,
  cancelNeedsTwo: tightensLimits,
  title: difference,
  async effect(db, _, { before, after, from, to }) {
    const rows: EffectRow[] = []
    const addFees = async (kind: 'withdrawal' | 'bridge', name: string, keys: readonly string[]) => {
      const [old = 0n, next = 0n] = [before, after].map((fields) => keys.reduce((sum, key) => sum + unitsAt(fields, key), 0n))
      if (old === next) return
      const found = await sql<{ total: Units }>`
        select coalesce(sum(amount), 0)::bigint as total from payout_request
        where kind = ${kind} and status = 'APPROVED' and ${inDays(sql`decided_at`, from, to)}`.execute(db)
      const of = (percent: Units) => grouped(mulDiv(found.rows[0]?.total ?? 0n, percent, 100n * ONE, 'down'))
      rows.push({
        label: `Fees of 30 days of ${name}`,
        before: of(old),
        after: of(next),
        unit: kind === 'bridge' ? 'coin' : 'USD',
        good: next > old,
      })
    }
    await addFees('withdrawal', 'USD payouts', ['platformFeePercent', 'networkFeePercent'])
    await addFees('bridge', 'coin payouts', ['bridgeFeePercent'])
    if (unitsAt(before, 'minCoin') !== unitsAt(after, 'minCoin') || unitsAt(before, 'maxCoin') !== unitsAt(after, 'maxCoin')) {
      const found = await sql<{ outside: number; all: number }>`
        select count(*) filter (where coin_amount not between ${unitsAt(after, 'minCoin')} and ${unitsAt(after, 'maxCoin')})::int as outside,
          count(*)::int as all
        from coin_purchase where ${inDays(sql`created_at`, from, to)}`.execute(db)
      rows.push({
        label: 'Purchases of 30 days outside the new bounds',
        after: `${found.rows[0]?.outside ?? 0} of ${found.rows[0]?.all ?? 0}`,
      })
    }
    return rows
  },
})
