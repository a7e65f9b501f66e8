/** Decimals of the platform's units. */
const UNIT_DECIMALS = 8

/** Converts an amount from a token's smallest unit to units, rounded down. */
export const unitsOf = (exact: bigint, decimals: number): bigint =>
  decimals >= UNIT_DECIMALS ? exact / 10n ** BigInt(decimals - UNIT_DECIMALS) : exact * 10n ** BigInt(UNIT_DECIMALS - decimals)

/**
 * Converts an amount from units to a token's smallest unit.
 * @param decimals at least 8, as the settings require of a token that is paid
 */
export const exactOf = (units: bigint, decimals: number): bigint => units * 10n ** BigInt(decimals - UNIT_DECIMALS)
