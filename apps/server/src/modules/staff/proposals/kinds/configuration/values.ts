import { valuesValue } from '@tizara/contract/staff-values'
import { type EffectRow, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { settingsVersion } from '../../shared/operator-settings.ts'
import { assertNoticePeriod } from '../../shared/price-change-notice.ts'
import { tightensLimits } from '../../shared/tightens-limits.ts'
import { difference } from '../../shared/title-text.ts'
import { limits } from './limits.ts'
import { price } from './price.ts'
import { settings } from './settings.ts'

/**
 * Sets several values of price, settings and limits in one version. One decision applies to all values
 * (docs/decisions/0047-values-decided-together.md).
 */
export const values = proposalKind({
  ...settingsVersion,
  subject: 'values',
  value: valuesValue,
  members: noMembers,
  affectsEarnings: true,
  assertAllowed: assertNoticePeriod,
  cancelNeedsTwo: tightensLimits,
  title: difference,
  async effect(db, value, input) {
    const kinds = [...(Object.hasOwn(value, 'coinPrice') ? [price] : []), settings, limits]
    const rows: EffectRow[] = []
    // Each kind computes its rows from the values of all.
    for (const { effect } of kinds) rows.push(...((await effect?.(db, value, input)) ?? []))
    return rows
  },
})
