import { MAX_UNITS, formatUnits } from '@tizara/money'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { amount, coinInput, echoed, email, extra, line, looseAmount, moment, payoutAddress, prose, usdInput } from './fields.ts'

/** JSON numbers carry 15 significant digits exactly, so up to 9,999,999 coin with 8 decimals come through unchanged. */
const EXACT = 999_999_999_999_999n

describe('numbers on the wire', () => {
  it('[CO-45] units written as JSON and read again are the same units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -EXACT, max: EXACT }), (units) => {
        const onTheWire: unknown = JSON.parse(formatUnits(units))
        expect(v.parse(amount, onTheWire)).toBe(units)
      }),
      { numRuns: 2000 },
    )
  })

  it('[CO-45] rounds what another server computed in an answer, and refuses it where a member types', () => {
    expect(v.parse(amount, 1000 / 365)).toBe(273_972_603n)
    expect(v.parse(looseAmount, '2.7397260273972')).toBe(273_972_603n)
    expect(v.is(coinInput, 1000 / 365)).toBe(false)
    expect(v.is(amount, Infinity)).toBe(false)
  })

  it('[CO-21] [CO-45] the whole supply in whole coins and cents comes through unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1_500_000_000_000n }), (cents) => {
        const units = cents * 1_000_000n
        expect(v.parse(amount, JSON.parse(formatUnits(units)))).toBe(units)
      }),
    )
  })

  it('[CO-45] what a member types with allowed decimals is accepted exactly, one decimal more is refused', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999n }), fc.integer({ min: 1, max: 9 }), (cents, digit) => {
        const units = cents * 1_000_000n
        expect(v.parse(usdInput, Number(formatUnits(units)))).toBe(units)
        expect(v.is(usdInput, Number(formatUnits(units + BigInt(digit) * 100_000n)))).toBe(false)
        expect(v.parse(coinInput, Number(formatUnits(cents)))).toBe(cents)
      }),
    )
  })

  it('[VA-24] [VA-48] reads the plain decimal text of a form field as the same amount, and no other text', () => {
    fc.assert(fc.property(fc.bigInt({ min: 1n, max: MAX_UNITS }), (units) => v.parse(coinInput, formatUnits(units)) === units))
    expect(v.parse(usdInput, '50.20')).toBe(5_020_000_000n)
    expect(v.parse(echoed, '0.00')).toBe(0n)
    const refused = [
      '',
      ' ',
      '1,5',
      '1e3',
      '0x10',
      '+5',
      '-5',
      '.5',
      '5.',
      ' 5',
      '5 ',
      '1 000',
      'NaN',
      'Infinity',
      '\u0661',
      '1_0',
      '5\u0000',
      '1.001',
    ]
    for (const text of [...refused, '9'.repeat(30)]) expect(v.is(usdInput, text), JSON.stringify(text)).toBe(false)
  })

  it('never takes anything but a positive JSON number or its plain text as a typed amount', () => {
    const notNumbers = fc.anything().filter((value) => typeof value !== 'number' && !/^\d+(\.\d+)?$/.test(String(value)))
    fc.assert(
      fc.property(fc.oneof(notNumbers, fc.double({ max: 0 }), fc.constant(Number(MAX_UNITS))), (value) => {
        expect(v.is(coinInput, value)).toBe(false)
        expect(v.is(usdInput, value)).toBe(false)
      }),
    )
  })

  it('reads text, null and nothing where another server may send them', () => {
    expect(v.parse(looseAmount, '12.5')).toBe(1_250_000_000n)
    expect(v.parse(looseAmount, null)).toBe(0n)
    expect(v.parse(looseAmount, undefined)).toBe(0n)
    expect(v.is(looseAmount, 'twelve')).toBe(false)
  })
})

describe('text on the wire', () => {
  it('trims, composes and bounds a line, and refuses control characters and line breaks', () => {
    expect(v.parse(line(10), '  Ade\u0301le ')).toBe('Ad\u00e9le')
    for (const text of ['', '   ', 'a\nb', 'a\u0000b', 'a\u001bb', 'x'.repeat(11), 7, null]) expect(v.is(line(10), text)).toBe(false)
  })

  it('keeps the line breaks of prose', () => {
    expect(v.parse(prose(10), 'a\nb')).toBe('a\nb')
    expect(v.is(prose(10), 'a\u0000b')).toBe(false)
  })

  it('[VA-12] [VA-13] takes addresses of the pattern only, in lower case', () => {
    expect(v.parse(email, ' ADA@Hotmail.co.uk ')).toBe('ada@hotmail.co.uk')
    for (const text of ['ada', 'ada@', '@gmail.com', 'ada@gmail', 'a da@gmail.com', 'ada@gmail.', 'ada@@gmail.com'])
      expect(v.is(email, text)).toBe(false)
  })

  it('[VA-30] asks only that a payout address is there, the network decides its form', () => {
    expect(v.parse(payoutAddress, ' T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb ')).toBe('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')
    expect(v.is(payoutAddress, '')).toBe(false)
  })
})

describe('moments and extras', () => {
  it('reads ISO text and hands a Date through', () => {
    const date = new Date('2026-01-31T10:20:30.000Z')
    expect(v.parse(moment, date.toISOString())).toEqual(date)
    expect(v.parse(moment, date)).toEqual(date)
    expect(v.is(moment, 'soon')).toBe(false)
  })

  it('reads an extra key, or leaves it out when it is missing or of another kind', () => {
    const schema = v.object({ id: extra(v.string()) })
    expect(v.parse(schema, { id: 'a' })).toEqual({ id: 'a' })
    expect(v.parse(schema, {}).id).toBeUndefined()
    expect(v.parse(schema, { id: 7 }).id).toBeUndefined()
  })
})
