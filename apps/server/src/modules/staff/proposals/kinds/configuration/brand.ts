import { accentTokens } from '@tizara/contract/brand-tokens'
import { brandValue } from '@tizara/contract/staff-values'
import { brandAt, publishBrand, scheduleBrands } from '../../../../brand/index.ts'
import { type EffectRow, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Lists the colours that the themes use instead of an accent without enough contrast. */
function nearestColours(accent: string): EffectRow[] {
  const { light, dark } = accentTokens(accent)
  return [
    { label: 'Buttons, light theme', used: light.accent },
    { label: 'Links, light theme', used: light['accent-text'] },
    { label: 'Buttons, dark theme', used: dark.accent },
    { label: 'Links, dark theme', used: dark['accent-text'] },
  ].map(({ label, used }) =>
    used === accent ? { label, after: used } : { label, before: accent, after: `${used} (nearest with enough contrast)` },
  )
}

/** Sets name, logo, accent colour, sender and links. The brand is approved and compared as a whole. */
export const brand = proposalKind({
  subject: 'brand',
  value: brandValue,
  members: noMembers,
  current: (db, deps, _, at) => brandAt(db, deps, at),
  baseline: 'all-fields',
  async apply(tx, { clock }, value, { proposer, approverId }) {
    await publishBrand(tx, { brand: value, decidedBy: approverId ?? proposer.memberId, at: clock.now() })
    return {}
  },
  scheduling: {
    topic: 'brand',
    schedule: (tx, { clock }, _, steps) =>
      scheduleBrands(
        tx,
        clock.now(),
        steps.map(({ value, startsAt, decidedBy }) => ({ brand: value, startsAt, decidedBy })),
      ),
  },
  title: (value, before) => {
    const [now, next] = [textOf(before?.['name']), textOf(value['name'])]
    return now === next ? `Brand of ${next}` : `Brand: ${now} → ${next}`
  },
  effect: (_, { accent }) => Promise.resolve(accent === null ? [] : nearestColours(accent)),
})
