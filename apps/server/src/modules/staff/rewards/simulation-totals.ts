import { rewardKinds } from '@tizara/contract/staff-programme'
import { mulDiv, ONE, type Units } from '@tizara/money'
import type { SimulatedChange, SimulationFigure } from '../../rewards/index.ts'

/** Maximum entries in the list of largest changes, per asset. */
const MAX_LARGEST_CHANGES = 20
/** Width of a step and end of the histogram, in percent. The histogram ends at twice the earlier amount. */
const [STEP, FURTHEST] = [5n, 100n]

/** Units as text, for JSON. */
type Pair = [before: string, after: string]

/** Running totals of a simulation. */
export interface SimulationTotals {
  totals: Record<string, Pair>
  change: Record<keyof SimulatedChange, string>
  more: number
  less: number
  same: number
  /** Members per percent bucket, by its lower bound. */
  buckets: Record<string, number>
  top: { memberId: string; asset: 'coin' | 'usd'; before: string; after: string }[]
}

export const EMPTY_TOTALS: SimulationTotals = {
  totals: {},
  change: { liabilityCoin: '0', liabilityUsd: '0', settledCoin: '0', settledUsd: '0' },
  more: 0,
  less: 0,
  same: 0,
  buckets: {},
  top: [],
}

export const assetOf = (kind: string): 'coin' | 'usd' => (kind.startsWith('nft-') ? 'usd' : 'coin')
const add = (one: string, more: Units) => String(BigInt(one) + more)

/** Adds a batch's changes in liabilities and settlements. */
export function withChange(totals: SimulationTotals, change: SimulatedChange | undefined): SimulationTotals {
  if (change === undefined) return totals
  const { liabilityCoin, liabilityUsd, settledCoin, settledUsd } = totals.change
  return {
    ...totals,
    change: {
      liabilityCoin: add(liabilityCoin, change.liabilityCoin),
      liabilityUsd: add(liabilityUsd, change.liabilityUsd),
      settledCoin: add(settledCoin, change.settledCoin),
      settledUsd: add(settledUsd, change.settledUsd),
    },
  }
}

/**
 * Adds the results of members. The results of a member must be complete.
 * @param coinPrice USD units per coin, to compare a member's coin and USD
 */
export function withMembers(totals: SimulationTotals, figures: readonly SimulationFigure[], coinPrice: Units): SimulationTotals {
  const next: SimulationTotals = structuredClone(totals)
  for (const { kind, before, after } of figures) {
    const [was, becomes] = next.totals[kind] ?? ['0', '0']
    next.totals[kind] = [add(was, before), add(becomes, after)]
  }
  for (const [memberId, rows] of Map.groupBy(figures, (row) => row.memberId)) countMember(next, memberId, rows, coinPrice)
  next.top = (['coin', 'usd'] as const).flatMap((asset) =>
    next.top
      .filter((one) => one.asset === asset)
      .toSorted((a, b) => Number(change(b) - change(a)))
      .slice(0, MAX_LARGEST_CHANGES),
  )
  return next
}

const absolute = (units: Units) => (units < 0n ? -units : units)
const change = (one: { before: string; after: string }) => absolute(BigInt(one.after) - BigInt(one.before))

function countMember(totals: SimulationTotals, memberId: bigint, rows: readonly SimulationFigure[], coinPrice: Units): void {
  let [was, becomes] = [0n, 0n]
  for (const asset of ['coin', 'usd'] as const) {
    const of = rows.filter((row) => assetOf(row.kind) === asset)
    const [before, after] = [of.reduce((sum, row) => sum + row.before, 0n), of.reduce((sum, row) => sum + row.after, 0n)]
    const worth = (units: Units) => (asset === 'coin' ? mulDiv(units, coinPrice, ONE, 'down') : units)
    was += worth(before)
    becomes += worth(after)
    if (before !== after) totals.top.push({ memberId: String(memberId), asset, before: String(before), after: String(after) })
  }
  if (becomes === was) totals.same += 1
  else if (becomes > was) totals.more += 1
  else totals.less += 1
  const bucket = becomes === was ? 'same' : String(bucketOf(was, becomes))
  totals.buckets[bucket] = (totals.buckets[bucket] ?? 0) + 1
}

/** Returns the lower bound of a bucket: 5 for 5 to below 10 percent more, -5 for up to 5 percent less. */
function bucketOf(was: Units, becomes: Units): bigint {
  if (was <= 0n) return FURTHEST
  const percent = ((becomes - was) * 100n) / was
  const steps = becomes < was && ((becomes - was) * 100n) % (was * STEP) !== 0n ? percent / STEP - 1n : percent / STEP
  const from = steps * STEP
  return from < -FURTHEST ? -FURTHEST : from > FURTHEST ? FURTHEST : from
}

/** Lists the totals per kind of reward, without empty ones. */
export const totalsOf = ({ totals }: SimulationTotals) =>
  rewardKinds.flatMap((kind) => {
    const [before, after] = totals[kind] ?? ['0', '0']
    return before === '0' && after === '0' ? [] : [{ kind, asset: assetOf(kind), before: BigInt(before), after: BigInt(after) }]
  })
