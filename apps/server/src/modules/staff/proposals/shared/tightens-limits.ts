import type { Fields } from './proposal-kind.ts'

/** Limits by the direction that makes them stricter. */
const STRICTER = {
  lower: [
    'fourEyesAboveUsd',
    'fourEyesAboveCoin',
    'openInvoices',
    'payoutDayCount',
    'payoutDayUsd',
    'proofAboveUsd',
    'proofAboveCoin',
    'payoutDayCoin',
    'payoutDayTotalUsd',
    'payoutDayTotalCoin',
    'payoutConfirmHours',
    'unconfirmedTransferDayUsd',
    'personalPagesPerHour',
    'revealsPerHour',
    'maxCoin',
    'exchangeLimit',
  ],
  higher: ['addressDelayHours', 'payoutHoldHours', 'provenDelayHours', 'exchangeCooldownHours', 'minCoin', 'bridgeMinimum'],
} as const

const numberAt = (fields: Fields | null, key: string): number => {
  const value = fields?.[key]
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

/** Returns true if a proposal lowers a limit or lengthens a wait. */
export const tightensLimits = (value: Fields, before: Fields | null): boolean =>
  STRICTER.lower.some((key) => numberAt(value, key) < numberAt(before, key)) ||
  STRICTER.higher.some((key) => numberAt(value, key) > numberAt(before, key))
