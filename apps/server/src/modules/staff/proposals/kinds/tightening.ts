/** Limits that are stricter when they are lower, and when they are higher. */
const STRICTER = {
  lower: [
    'fourEyesAboveUsd',
    'fourEyesAboveCoin',
    'openInvoices',
    'payoutDayCount',
    'unconfirmedTransferDayUsd',
    'payoutDayUsd',
    'payoutDayCoin',
    'payoutDayTotalUsd',
    'payoutDayTotalCoin',
    'payoutConfirmHours',
    'maxCoin',
    'exchangeLimit',
  ],
  higher: ['addressDelayHours', 'payoutHoldHours', 'exchangeCooldownHours', 'minCoin', 'bridgeMinimum'],
} as const

const figure = (values: unknown, key: string): number => {
  const value: unknown = typeof values === 'object' && values !== null ? Reflect.get(values, key) : undefined
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

/** Whether a change makes a limit lower or a wait longer than its base has it. */
export function tightens({ subject, value, base }: { subject: string; value: unknown; base: unknown }): boolean {
  if (subject !== 'limits' && subject !== 'settings') return false
  return (
    STRICTER.lower.some((key) => figure(value, key) < figure(base, key)) ||
    STRICTER.higher.some((key) => figure(value, key) > figure(base, key))
  )
}
