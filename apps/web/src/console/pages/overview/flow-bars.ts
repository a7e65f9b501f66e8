/** Inflow and outflow of a UTC day, `2026-11-25`. */
interface Flow {
  day: string
  in: bigint
  out: bigint
}

/** Longest range in days drawn by day. Longer ones are drawn by week, from half a year by month. */
const DAYS_BY_DAY = 31
const DAYS_BY_WEEK = 182

/** Sums days into bars. Weeks end on the newest day, so the last bar is a whole week; months are calendar months. */
export function flowBars(days: readonly Flow[]): (Flow & { days: number })[] {
  const keyOf = (index: number): string | number => {
    if (days.length <= DAYS_BY_DAY) return index
    return days.length <= DAYS_BY_WEEK ? Math.floor((days.length - 1 - index) / 7) : (days[index]?.day.slice(0, 7) ?? '')
  }
  const bars = Map.groupBy(
    days.map((day, index) => ({ ...day, key: keyOf(index) })),
    ({ key }) => key,
  )
  return [...bars.values()].map((all) => ({
    day: all[0]?.day ?? '',
    in: all.reduce((sum, one) => sum + one.in, 0n),
    out: all.reduce((sum, one) => sum + one.out, 0n),
    days: all.length,
  }))
}
