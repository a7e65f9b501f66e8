import { MAX_UNITS, formatUnits } from '@tizara/money'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  amount,
  coinInput,
  day,
  echoed,
  email,
  extra,
  line,
  looseAmount,
  moment,
  payoutAddress,
  personName,
  prose,
  usdInput,
} from './fields.ts'

/** JSON numbers carry 15 significant digits exactly, enough for 9,999,999 coin with 8 decimals. */
const EXACT = 999_999_999_999_999n

describe('numbers on the wire', () => {
  it('[CO-45] returns the same units when units are written as JSON and read again', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -EXACT, max: EXACT }), (units) => {
        const onTheWire: unknown = JSON.parse(formatUnits(units))
        expect(v.parse(amount, onTheWire)).toBe(units)
      }),
      { numRuns: 2000 },
    )
  })

  it('[CO-45] rounds another server’s amount in a reply, and rejects it in a form', () => {
    expect(v.parse(amount, 1000 / 365)).toBe(273_972_603n)
    expect(v.parse(looseAmount, '2.7397260273972')).toBe(273_972_603n)
    expect(v.is(coinInput, 1000 / 365)).toBe(false)
    expect(v.is(amount, Infinity)).toBe(false)
  })

  it('[CO-21] [CO-45] keeps the whole supply exact in whole coins and cents', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1_500_000_000_000n }), (cents) => {
        const units = cents * 1_000_000n
        expect(v.parse(amount, JSON.parse(formatUnits(units)))).toBe(units)
      }),
    )
  })

  it('[CO-45] accepts exactly the allowed decimals, and rejects one more', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999n }), fc.integer({ min: 1, max: 9 }), (cents, digit) => {
        const units = cents * 1_000_000n
        expect(v.parse(usdInput, Number(formatUnits(units)))).toBe(units)
        expect(v.is(usdInput, Number(formatUnits(units + BigInt(digit) * 100_000n)))).toBe(false)
        expect(v.parse(coinInput, Number(formatUnits(cents)))).toBe(cents)
      }),
    )
  })

  it('[VA-24] [VA-48] reads the plain decimal text of a form field as the same amount, and rejects any other text', () => {
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

  it('accepts only a positive JSON number or its plain text as an amount', () => {
    const isPlainText = (value: unknown): boolean => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)
    const notNumbers = fc.anything().filter((value) => typeof value !== 'number' && !isPlainText(value))
    fc.assert(
      fc.property(fc.oneof(notNumbers, fc.double({ max: 0 }), fc.constant(Number(MAX_UNITS))), (value) => {
        expect(v.is(coinInput, value)).toBe(false)
        expect(v.is(usdInput, value)).toBe(false)
      }),
    )
  })

  it('reads text, null and missing keys of replies from other servers', () => {
    expect(v.parse(looseAmount, '12.5')).toBe(1_250_000_000n)
    expect(v.parse(looseAmount, null)).toBe(0n)
    expect(v.parse(looseAmount, undefined)).toBe(0n)
    expect(v.is(looseAmount, 'twelve')).toBe(false)
  })
})

describe('text on the wire', () => {
  it('trims, normalizes and limits a line, and rejects control characters and line breaks', () => {
    expect(v.parse(line(10), '  Ade\u0301le ')).toBe('Ad\u00e9le')
    for (const text of ['', '   ', 'a\nb', 'a\u0000b', 'a\u001bb', 'x'.repeat(11), 7, null]) expect(v.is(line(10), text)).toBe(false)
  })

  it('keeps the line breaks of prose', () => {
    expect(v.parse(prose(10), 'a\nb')).toBe('a\nb')
    expect(v.is(prose(10), 'a\u0000b')).toBe(false)
  })

  it('[VA-12] [VA-13] accepts only addresses of the pattern, in lower case', () => {
    expect(v.parse(email, ' ADA@Hotmail.co.uk ')).toBe('ada@hotmail.co.uk')
    for (const text of ['ada', 'ada@', '@gmail.com', 'ada@gmail', 'a da@gmail.com', 'ada@gmail.', 'ada@@gmail.com'])
      expect(v.is(email, text)).toBe(false)
  })

  it('[VA-13] normalizes a mailbox to one spelling, and rejects homoglyphs', () => {
    const same = ['x@gmail.com', ' X@Gmail.com\t', 'x+tag@gmail.com', "o'brien.x-y_z@mail.example.co.uk"]
    expect(same.map((text) => v.is(email, text))).toEqual([true, true, true, true])
    for (const odd of Array.from('<>()[]\\,;:" \u00a0\u200b\u200d\u202e\u2066\ufeff\u00ad\u0430\uff58\u0131\u212a\u00df\u0000')) {
      for (const text of [`${odd}x@gmail.com`, `x${odd}y@gmail.com`, `x@g${odd}mail.com`, `x@gmail${odd}.com`, `x${odd}@gmail.com`]) {
        const read = v.safeParse(email, text)
        // Outer white space is trimmed; any other deviation is rejected, never converted.
        expect([false, 'x@gmail.com'], JSON.stringify(text)).toContain(read.success && read.output)
        expect(read.success && text.trim().toLowerCase() !== read.output, JSON.stringify(text)).toBe(false)
      }
    }
    for (const text of [
      '.x@gmail.com',
      'x.@gmail.com',
      'x..y@gmail.com',
      'x@-gmail.com',
      'x@gmail-.com',
      'x@gmail.c',
      'x@1.1.1.1',
      'x@gmail.com.',
      `${'x'.repeat(65)}@gmail.com`,
    ])
      expect(v.is(email, text), text).toBe(false)
  })

  it('accepts names of people, and rejects links, invisible characters and bidirectional controls', () => {
    const name = personName(100)
    for (const text of [
      'Ada Byron',
      'J. R. R. Tolkien',
      "Conan O'Brien",
      'Zo\u00eb',
      '\u5f20\u4f1f',
      '\u0645\u062d\u0645\u062f',
      'Ada 2',
      '<b>x</b>',
    ])
      expect(v.is(name, text), text).toBe(true)
    const refused = [
      '\u200b',
      '\u3164',
      '...',
      'a\u200bb',
      'a\u202eb',
      'a\u2067b',
      'a\ufeffb',
      'a\u00adb',
      'a\u009bb',
      'a\u001b[2J',
      'a\u2028b',
      'a\u{e0041}b',
    ]
    for (const text of [
      ...refused,
      'evil.example',
      'https://evil',
      '//evil',
      'a@b',
      'www evil',
      'evil\uff0eexample',
      'evil\u3002example',
      '10.1.2.3',
    ])
      expect(v.is(name, text), JSON.stringify(text)).toBe(false)
  })

  it('rejects bidirectional controls in a line, and strips them from prose', () => {
    for (const turn of Array.from('\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')) {
      expect(v.is(line(10), `a${turn}b`)).toBe(false)
      expect(v.parse(prose(10), `a${turn}b`)).toBe('ab')
    }
    expect(v.parse(prose(20), '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}')).toBe('\u{1f468}\u200d\u{1f469}\u200d\u{1f467}')
  })

  it('[VA-30] accepts any non-empty payout address, because the network decides its form', () => {
    expect(v.parse(payoutAddress, ' T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb ')).toBe('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')
    expect(v.is(payoutAddress, '')).toBe(false)
  })
})

describe('times and optional keys', () => {
  it('reads ISO text and passes a Date through', () => {
    const date = new Date('2026-01-31T10:20:30.000Z')
    expect(v.parse(moment, date.toISOString())).toEqual(date)
    expect(v.parse(moment, date)).toEqual(date)
    expect(v.is(moment, 'soon')).toBe(false)
  })

  it('reads an optional key, and drops it when it has another type', () => {
    const schema = v.object({ id: extra(v.string()) })
    expect(v.parse(schema, { id: 'a' })).toEqual({ id: 'a' })
    expect(v.parse(schema, {}).id).toBeUndefined()
    expect(v.parse(schema, { id: 7 }).id).toBeUndefined()
  })
})

it('[API-08] rejects a day that no calendar has', () => {
  for (const real of ['2026-01-31', '2024-02-29', '0001-01-01']) expect(v.is(day, real)).toBe(true)
  for (const wrong of [
    '2026-02-30',
    '2026-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '2026-01-31T00:00:00Z',
    ' 2026-01-31',
  ])
    expect(v.is(day, wrong)).toBe(false)
})
