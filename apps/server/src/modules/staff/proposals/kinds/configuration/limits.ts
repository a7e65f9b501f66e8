import { limitsValue } from '@tizara/contract/staff-values'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { type EffectRow, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { inDays, unitsAt } from '../../shared/effect-figures.ts'
import { settingsVersion } from '../../shared/operator-settings.ts'
import { tightensLimits } from '../../shared/tightens-limits.ts'
import { difference } from '../../shared/title-text.ts'

/** Sets approval limits, payout limits and waiting times. */
export const limits = proposalKind({
  ...settingsVersion,
  subject: 'limits',
  value: limitsValue,
  members: noMembers,
  cancelNeedsTwo: tightensLimits,
  title: difference,
  async effect(db, _, { before, after, from, to }) {
    const countAbove = async (kind: 'withdrawal' | 'bridge', limit: Units) => {
      const { rows } = await sql<{ above: number; all: number }>`
        select count(*) filter (where amount > ${limit})::int as above, count(*)::int as all from payout_request
        where kind = ${kind} and status = 'APPROVED' and ${inDays(sql`decided_at`, from, to)}`.execute(db)
      return { above: rows[0]?.above ?? 0, all: rows[0]?.all ?? 0 }
    }
    const effect: EffectRow[] = []
    for (const [kind, key, name] of [
      ['withdrawal', 'fourEyesAboveUsd', 'USD payouts'],
      ['bridge', 'fourEyesAboveCoin', 'Coin payouts'],
    ] as const) {
      if (unitsAt(before, key) === unitsAt(after, key)) continue
      const [old, next] = [await countAbove(kind, unitsAt(before, key)), await countAbove(kind, unitsAt(after, key))]
      const counts = { before: `${old.above} of ${old.all}`, after: `${next.above} of ${next.all}` }
      effect.push({ label: `${name} of 30 days that two people decide`, ...counts, good: next.above >= old.above })
    }
    return effect
  },
})
