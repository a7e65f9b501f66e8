import type { Fields } from './proposal-kind.ts'

/** Limits that are stricter when they are lower, and when they are higher. */
const STRICTER = {
  lower: [
    'fourEyesAboveUsd',
    'fourEyesAboveCoin',
    'openInvoices',
    'payoutDayCount',
    'payoutDayUsd',
    'payoutDayCoin',
    'payoutDayTotalUsd',
    'payoutDayTotalCoin',
    'payoutConfirmHours',
    'unconfirmedTransferDayUsd',
    'maxCoin',
    'exchangeLimit',
  ],
  higher: ['addressDelayHours', 'payoutHoldHours', 'exchangeCooldownHours', 'minCoin', 'bridgeMinimum'],
} as const

const numberAt = (fields: Fields | null, key: string): number => {
  const value = fields?.[key]
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

/** Returns true if a proposal makes a limit lower or a wait longer than its baseline. */
export const tightensLimits = (value: Fields, before: Fields | null): boolean =>
  STRICTER.lower.some((key) => numberAt(value, key) < numberAt(before, key)) ||
  STRICTER.higher.some((key) => numberAt(value, key) > numberAt(before, key))
