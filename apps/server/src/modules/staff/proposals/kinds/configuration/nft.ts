import { nftValue } from '@tizara/contract/staff-values'
import { mulDiv, ONE } from '@tizara/money'
import { sql } from 'kysely'
import { nftValues, putNft, scheduleNft } from '../../../../nfts/index.ts'
import type { Sale } from '../../../../rewards/index.ts'
import { grouped } from '../../../access/figures.ts'
import { type EffectRow, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { asJson } from '../../shared/as-json.ts'
import { inDays, liabilityRows, unitsAt } from '../../shared/effect-figures.ts'
import { difference, showValue, textOf } from '../../shared/title-text.ts'

/** An NFT of the catalogue: new, or new terms for future purchases. */
export const nft = proposalKind({
  subject: 'nft',
  value: nftValue,
  members: noMembers,
  affectsEarnings: true,
  current: async (db, _, { nftId }, at) => (nftId === undefined ? null : asJson(await nftValues(db, nftId, at))),
  baseline: 'all-fields',
  async apply(tx, deps, { nftId, ...values }) {
    await putNft(tx, deps, nftId, values)
    return {}
  },
  scheduling: {
    topic: 'nft',
    idKey: 'nftId',
    schedule: (tx, deps, id, steps) =>
      scheduleNft(
        tx,
        deps,
        id,
        steps.map(({ value, startsAt }) => {
          const { nftId: _, ...values } = value
          return { startsAt, values }
        }),
      ),
  },
  title: (value, before) =>
    before === null
      ? `New NFT ${textOf(value['name'])}: ${showValue(value['price'])} USD, ${showValue(value['duration'])} months`
      : `${textOf(before['name'])}: ${difference(value, before)}`,
  async effect(db, { nftId }, { before, after, from, to, now: at }) {
    const found = await sql<{ sold: number; held: number }>`
      select count(*) filter (where ${inDays(sql`b.purchased_at`, from, to)})::int as sold, count(*)::int as held
      from nft_purchase b join nft n on n.id = b.nft_id
      where n.public_id = ${nftId ?? ''} and b.status = 'ACTIVE' and b.purchased_at < ${to}`.execute(db)
    const { sold = 0, held = 0 } = found.rows[0] ?? {}
    const pays = (fields: unknown) => grouped(mulDiv(unitsAt(fields, 'price'), unitsAt(fields, 'dailyRoi'), 100n * ONE, 'down'))
    const rows: EffectRow[] = [
      ...(before === null ? [] : [{ label: 'Held by members', after: `${held}, all keep their figures` }]),
      { label: 'One brings in all', ...(before === null ? {} : { before: pays(before) }), after: pays(after), unit: 'USD' },
    ]
    if (sold === 0 || before === null) return rows
    const sale = (fields: unknown): Sale => ({
      kind: 'nft',
      price: unitsAt(fields, 'price') * BigInt(sold),
      totalPercent: unitsAt(fields, 'dailyRoi'),
      durationMonths: Number(Reflect.get(Object(fields), 'duration')),
    })
    return [...rows, ...(await liabilityRows(db, 'USD', [sale(before), sale(after)], at))]
  },
})
