import { assert, bigInt, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountSign, decimalsFor, exactAmount, formatAmount } from './money-format.ts'

describe('formatAmount', () => {
  it.each([
    ['0.005', 2, '0.01'],
    ['0.00499999', 2, '0.00'],
    ['1.005', 2, '1.01'],
    ['-1.005', 2, '-1.01'],
    ['-0.004', 2, '0.00'],
    ['999.995', 2, '1,000.00'],
    ['1234567.891', 2, '1,234,567.89'],
    ['.5', 0, '1'],
    ['12', 4, '12.0000'],
    ['00012.30', 2, '12.30'],
    ['123456789012345678901234.565', 2, '123,456,789,012,345,678,901,234.57'],
  ])('rounds %s to %i decimals as %s', (value, decimals, text) => {
    expect(formatAmount(value, decimals)).toBe(text)
  })

  it('accepts whole units of 1e-8', () => {
    expect(formatAmount(2_739_726_027n)).toBe('27.40')
    expect(formatAmount(-1n, 8)).toBe('-0.00000001')
    expect(formatAmount(499_999n)).toBe('0.00')
    expect(formatAmount(500_000n)).toBe('0.01')
  })

  it.each(['', '.', 'abc', '1e5', '1,000', '0x10'])('rejects %j', (value) => {
    expect(() => formatAmount(value)).toThrow(RangeError)
  })

  it('differs from the value by at most half of the last digit', () => {
    assert(
      property(bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), integer({ min: 0, max: 8 }), (units, decimals) => {
        const shown = formatAmount(units, decimals).replaceAll(',', '')
        const back = BigInt(shown.replace('.', '')) * 10n ** BigInt(8 - decimals)
        const off = back - units
        expect((off < 0n ? -off : off) * 2n <= 10n ** BigInt(8 - decimals)).toBe(true)
      }),
    )
  })

  it('returns the same for a bigint and its decimal text', () => {
    assert(
      property(bigInt({ min: 0n, max: 10n ** 24n }), (units) => {
        const text = `${units / 100_000_000n}.${(units % 100_000_000n).toString().padStart(8, '0')}`
        expect(formatAmount(text)).toBe(formatAmount(units))
        expect(exactAmount(text)).toBe(exactAmount(units))
      }),
    )
  })
})

describe('exactAmount', () => {
  it('keeps every digit and drops trailing zeros', () => {
    expect(exactAmount('27.39726027')).toBe('27.39726027')
    expect(exactAmount('27.5000')).toBe('27.50')
    expect(exactAmount(100_000_001n)).toBe('1.00000001')
    expect(exactAmount('-0.00')).toBe('0.00')
  })
})

describe('decimalsFor', () => {
  it.each([
    ['27.39726027', 2, 8],
    ['0.01', 2, 2],
    ['0.0125', 2, 4],
    ['0.00999999', 8, 8],
    ['-0.00000001', 8, 8],
    ['0.002', 3, 3],
    ['0', 2, 2],
    [100_000n, 3, 3],
    ['1000000', 2, 2],
  ])('[CO-45] shows %s with %i decimals in short and %i exact', (value, short, exact) => {
    expect([decimalsFor(value, 'short'), decimalsFor(value, 'exact')]).toEqual([short, exact])
  })
})

describe('amountSign', () => {
  it('returns 0, -1 or 1 for zero, negative and positive amounts', () => {
    expect([amountSign('-0.00'), amountSign('-0.01'), amountSign(1n)]).toEqual([0, -1, 1])
  })
})
