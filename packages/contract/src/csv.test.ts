import { expect, it } from 'vitest'
import { writeCsv } from './csv.ts'

it('prefixes formulas with an apostrophe, and leaves numbers unchanged', () => {
  expect(writeCsv([['=1+1', '+49', '@SUM(A1)', '-cmd', '\tx', '-12.5', '12.5']])).toBe("'=1+1,'+49,'@SUM(A1),'-cmd,\"'\tx\",-12.5,12.5\r\n")
})

it('quotes commas, quotes, line breaks and other separators, and neutralizes formulas', () => {
  expect(writeCsv([['1;=2', 'a\t=2', 'a\u202eb\u001b[2J\ud800']])).toBe('"1;=2","a\t=2",a\ufffdb\ufffd[2J\ufffd\r\n')
  expect(writeCsv([['a,b', 'say "x"', 'two\nlines', '=HYPERLINK("x")']])).toBe('"a,b","say ""x""","two\nlines","\'=HYPERLINK(""x"")"\r\n')
})

it('prefixes a formula after white space, invisible characters or a quote, and in full-width form', () => {
  const before = ['', ' ', '\t', '\n', '\r\n', '\u00a0', '\u3000', '\ufeff', '\u200b', '\0', '\u202e', '"', "'", ' \t "']
  const signs = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\ufe66', '\ufe62', '\ufe63', '\ufe6b']
  for (const start of before) {
    for (const sign of signs) {
      const [first = ''] = writeCsv([[`${start}${sign}1+cmd`]]).replace(/^"/, '')
      expect(first, JSON.stringify(start + sign)).toBe("'")
    }
  }
  expect(writeCsv([['-12.5', 'a=b', 'x@y', '5 - 3', '\u2013']])).toBe('-12.5,a=b,x@y,5 - 3,\u2013\r\n')
})
