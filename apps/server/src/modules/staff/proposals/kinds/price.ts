import { priceValue } from '@tizara/contract/staff-values'
import { mulDiv, ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { grouped } from '../../access/figures.ts'
import { noMembers, proposalKind } from '../shared/proposal-kind.ts'
import { unitsAt } from '../shared/effect-figures.ts'
import { settingsVersion } from '../shared/operator-settings.ts'
import { assertNoticePeriod } from '../shared/price-change-notice.ts'
import { showRate } from '../shared/title-text.ts'

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
      where created_at >= ${from} and created_at < ${to} and undone_at is null`.execute(db)
    const { purchases = 0, usd = 0n } = found.rows[0] ?? {}
    return [
      { label: '100 USD buy', before: coinFor(100n * ONE, old), after: coinFor(100n * ONE, next), unit: 'coin' },
      {
        label: `Coin for the ${purchases} purchase${purchases === 1 ? '' : 's'} of 30 days`,
        before: coinFor(usd, old),
        after: coinFor(usd, next),
        unit: 'coin',
      },
      // The platform sells and buys back at this price, so members can profit from a scheduled rise without risk.
      ...(next <= old
        ? []
        : [
            {
              label: 'Coin of 100 USD, sold after it, brings',
              after: grouped(mulDiv(100n * next, ONE, old, 'down')),
              unit: 'USD',
              good: false,
            },
          ]),
      { label: 'Converting the NFT wallet is at', after: `${grouped(unitsAt(after, 'convertRate'), 8)} USD` },
      { label: 'Open quotes', after: 'keep the price that they name, or are refused' },
    ]
  },
})
