import { planValue } from '@tizara/contract/staff-values'
import { mulDiv, ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Sale } from '../../../../rewards/index.ts'
import { planValues, putPlan, schedulePlan } from '../../../../staking/index.ts'
import { grouped } from '../../../access/figures.ts'
import { type EffectRow, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { asJson } from '../../shared/as-json.ts'
import { liabilityRows, unitsAt } from '../../shared/effect-figures.ts'
import { difference, showValue, textOf } from '../../shared/title-text.ts'

interface RecentStakes {
  running: number
  sold: number
  below: number
  total: Units
  typical: Units
}

/** A stake plan: new, or new terms for future stakes. */
export const plan = proposalKind({
  subject: 'plan',
  value: planValue,
  members: noMembers,
  affectsEarnings: true,
  current: async (db, _, { planId }, at) => (planId === undefined ? null : asJson(await planValues(db, planId, at))),
  baseline: 'all-fields',
  async apply(tx, deps, { planId, ...values }) {
    await putPlan(tx, deps, planId, values)
    return {}
  },
  scheduling: {
    topic: 'plan',
    idKey: 'planId',
    schedule: (tx, deps, id, steps) =>
      schedulePlan(
        tx,
        deps,
        id,
        steps.map(({ value, startsAt }) => {
          const { planId: _, ...values } = value
          return { startsAt, values }
        }),
      ),
  },
  title: (value, before) =>
    before === null
      ? `New plan ${textOf(value['planName'])}: ${showValue(value['apy'])} % in ${showValue(value['duration'])} days`
      : `${textOf(before['planName'])}: ${difference(value, before)}`,
  async effect(db, { planId }, { before, after, from, to, now: at }) {
    const [oldApy, apy, days] = [unitsAt(before, 'apy'), unitsAt(after, 'apy'), Number(after['duration'])]
    const found = await sql<RecentStakes>`
      with plan as (select id from stake_plan where public_id = ${planId ?? ''}), recent as materialized (
        select amount from stake where started_at >= ${from} and started_at < ${to} and plan_id = (select id from plan))
      select (select count(*)::int from stake where plan_id = (select id from plan) and status = 'ACTIVE') as running, count(*)::int as sold,
        count(*) filter (where amount < ${unitsAt(after, 'minimum')})::int as below, coalesce(sum(amount), 0)::bigint as total,
        coalesce(percentile_disc(0.5) within group (order by amount), 0)::bigint as typical
      from recent`.execute(db)
    const { running = 0, sold = 0, below = 0, total = 0n, typical = 0n } = found.rows[0] ?? {}
    const stake = typical > 0n ? typical : unitsAt(after, 'minimum')
    const earns = (percent: Units) => grouped(mulDiv(stake, percent, 100n * ONE, 'down'))
    const sale = (percent: Units, duration: number): Sale => ({ kind: 'stake', amount: total, apy: percent, durationDays: duration })
    const rows: EffectRow[] = [
      ...(before === null ? [] : [{ label: 'Running stakes', after: `${running}, all keep their figures` }]),
      {
        label: `Typical stake, ${grouped(stake)} coin, earns`,
        ...(before === null ? {} : { before: earns(oldApy) }),
        after: earns(apy),
        unit: 'coin',
      },
    ]
    if (sold === 0) return rows
    const promises = [sale(oldApy, Number(Reflect.get(Object(before), 'duration'))), sale(apy, days)] as const
    return [
      ...rows,
      ...(await liabilityRows(db, 'COIN', promises, at)),
      { label: 'Stakes of 30 days below the new minimum', after: `${below} of ${sold}` },
    ]
  },
})
