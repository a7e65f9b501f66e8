import { priceValue } from '@tizara/contract/staff-values'
import { mulDiv, ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { utcDay } from '../../../../../platform/runtime/clock.ts'
import type { Db } from '../../../../../platform/db/database.ts'
import { grouped } from '../../../access/figures.ts'
import { noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { unitsAt } from '../../shared/effect-figures.ts'
import { settingsVersion } from '../../shared/operator-settings.ts'
import { assertNoticePeriod } from '../../shared/price-change-notice.ts'
import { showRate } from '../../shared/title-text.ts'

/**
 * Returns the coin units that members held at the end of the last day before a time. This is the issued supply minus the balances of the
 * system accounts.
 */
async function membersCoin(db: Db, to: Date): Promise<Units> {
  const { rows } = await sql<{ coin: Units }>`
    select coalesce(-sum(last.balance), 0)::bigint as coin
    from (select last_transfer_id as id from wallet_day where day < ${utcDay(to)}::date order by day desc limit 1) d
    cross join (select id from ledger_account where id < 0 and asset = 'COIN') a
    cross join lateral (
      select side.balance from (
        (select id, debit_balance_after as balance from ledger_transfer
          where debit_account = a.id and id <= d.id order by id desc limit 1)
        union all
        (select id, credit_balance_after from ledger_transfer
          where credit_account = a.id and id <= d.id order by id desc limit 1)) side
      order by side.id desc limit 1) last`.execute(db)
  return rows[0]?.coin ?? 0n
}

const coinFor = (usd: Units, price: Units) => grouped(mulDiv(usd, ONE, price, 'down'))

/** Sets the coin price. */
export const price = proposalKind({
  ...settingsVersion,
  subject: 'price',
  value: priceValue,
  members: noMembers,
  affectsEarnings: true,
  assertAllowed: assertNoticePeriod,
  title: (value, before) => `Coin ${showRate(before?.['coinPrice'])} → ${showRate(value['coinPrice'])} USD`,
  async effect(db, _, { before, after, from, to }) {
    const [old, next] = [unitsAt(before, 'coinPrice'), unitsAt(after, 'coinPrice')]
    const found = await sql<{ purchases: number; usd: Units }>`
      select count(*)::int as purchases, coalesce(sum(charged), 0)::bigint as usd from coin_purchase
      where created_at >= ${from} and created_at < ${to} and reversed_at is null`.execute(db)
    const { purchases = 0, usd = 0n } = found.rows[0] ?? {}
    return [
      { label: '100 USD buy', before: coinFor(100n * ONE, old), after: coinFor(100n * ONE, next), unit: 'coin' },
      {
        label: `Coin for the ${purchases} purchase${purchases === 1 ? '' : 's'} of 30 days`,
        before: coinFor(usd, old),
        after: coinFor(usd, next),
        unit: 'coin',
      },
      // Value that a price change gives to, or takes from, all holders of coin without a purchase.
      {
        label: `Members’ coin of yesterday is worth ${next < old ? 'less' : 'more'} by`,
        after: grouped(mulDiv(await membersCoin(db, to), next < old ? old - next : next - old, ONE, 'up')),
        unit: 'USD',
        ...(next > old ? { good: false } : {}),
      },
      { label: 'Conversion rate of the NFT wallet', after: `${grouped(unitsAt(after, 'convertRate'), 8)} USD` },
      { label: 'Open quotes', after: 'keep their price, or are rejected' },
    ]
  },
})
