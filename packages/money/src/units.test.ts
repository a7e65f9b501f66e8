import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatFixed,
  formatUnits,
  isRounded,
  MAX_UNITS,
  nearestUnits,
  ONE,
  parseUnits,
  roundHalfUp,
  unitsFromNumber,
  unitsRoundedDown,
} from './units.ts'

const anyUnits = fc.bigInt({ min: -MAX_UNITS, max: MAX_UNITS })

describe('units', () => {
  it('formats and parses every amount without loss', () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        expect(parseUnits(formatUnits(units))).toBe(units)
      }),
    )
  })

  it('reads a JSON number exactly as it was typed, up to 67 million with 8 decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 67_000_000n * ONE }), (units) => {
        expect(unitsFromNumber(Number(formatUnits(units)))).toBe(units)
      }),
    )
  })

  it.each([
    ['1e-7', 1e-7, 10n],
    ['-1e-8', -1e-8, -1n],
    ['-0', -0, 0n],
    ['0.1', 0.1, 10_000_000n],
    ['15 billion', 15_000_000_000, 15_000_000_000n * ONE],
  ])('parses the number %s', (_, value, units) => {
    expect(unitsFromNumber(value)).toBe(units)
  })

  it.each([NaN, Infinity, -Infinity, Number.MAX_VALUE * 2, 1e21, 1e-9, 0.1 + 0.2, 1e12])('rejects the number %s', (value) => {
    expect(unitsFromNumber(value)).toBeNull()
  })

  it.each([
    [0.1 + 0.2, 30_000_000n],
    [3.287671232876712, 328_767_123n],
    [1.999999995, 200_000_000n],
    [0.00000000499999, 0n],
    [0.000000005, 1n],
    [-0.000000005, -1n],
    [1e-9, 0n],
    [5e-324, 0n],
    [12, 12n * ONE],
  ])('returns the nearest units of %s', (value, units) => {
    expect(nearestUnits(value)).toBe(units)
  })

  it.each([
    ['12', 12n * ONE],
    ['0.5', ONE / 2n],
    ['1.0000000099', ONE],
    ['0.000000019', 1n],
    ['5e-9', 0n],
    ['15e-9', 1n],
    ['1.5e2', 150n * ONE],
    ['1e-99', 0n],
    ['92233720368.54775807', 9_223_372_036_854_775_807n],
    ['92233720368.54775808', null],
    ['', null],
    ['-1', null],
    ['1.', null],
  ])('rounds the text %j down to units', (text, units) => {
    expect(unitsRoundedDown(text)).toBe(units)
  })

  it('returns the nearest units of every amount that needs no rounding', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 67_000_000n * ONE }), (units) => nearestUnits(Number(formatUnits(units))) === units))
    for (const value of [NaN, Infinity, 1e21, 1e12]) expect(nearestUnits(value)).toBeNull()
  })

  it.each(['', ' 1', '1 ', '1,5', '1e3', '0x10', '.5', '5.', '--1', '+1', 'NaN', '1'.repeat(30)])('rejects the text %j', (text) => {
    expect(parseUnits(text)).toBeNull()
  })

  it('[CO-45] rejects more decimals than a field allows, and accepts trailing zeros', () => {
    expect(parseUnits('1.005', 2)).toBeNull()
    expect(parseUnits('1.500000000', 2)).toBe(150_000_000n)
  })

  it('[CO-45] shows 2 decimals rounded half up, without thousands separators', () => {
    expect(formatFixed(parseUnits('1.005') ?? 0n)).toBe('1.01')
    expect(formatFixed(parseUnits('1.00499999') ?? 0n)).toBe('1.00')
    expect(formatFixed(parseUnits('1234567.1') ?? 0n)).toBe('1234567.10')
    expect(formatFixed(parseUnits('-0.004') ?? 0n)).toBe('0.00')
    expect(formatFixed(parseUnits('0.99999999') ?? 0n, 0)).toBe('1')
    expect(formatFixed(parseUnits('0.00000001') ?? 0n, 8)).toBe('0.00000001')
  })

  it('rounds half up to the cent', () => {
    expect(roundHalfUp(500_000n)).toBe(1_000_000n)
    expect(roundHalfUp(499_999n)).toBe(0n)
  })
})

describe('isRounded', () => {
  const u = (text: string) => parseUnits(text) ?? 0n

  it('[VA-60] [VA-67] accepts a figure that a floating-point client rounded to 2 decimals', () => {
    const cents = fc.bigInt({ min: 0n, max: 1_000_000_000n })
    fc.assert(fc.property(cents, (units) => isRounded(u((Number(units) / 1e4).toFixed(2)), units * 10_000n)))
    expect((0.0085 * 70).toFixed(2)).toBe('0.60')
    for (const shown of ['0.59', '0.6', '0.595']) expect(isRounded(u(shown), u('0.595')), shown).toBe(true)
  })

  it('[VA-89] rejects figures that are further away or between the rounded values', () => {
    for (const shown of ['0', '0.58', '0.61', '0.596', '0.594', '0.59500001', '-0.595']) {
      expect(isRounded(u(shown), u('0.595')), shown).toBe(false)
    }
  })
})
