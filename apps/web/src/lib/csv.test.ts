import { expect, it } from 'vitest'
import { writeCsv } from './csv.ts'

it('puts an apostrophe before what a sheet would read as a formula, and leaves numbers alone', () => {
  expect(writeCsv([['=1+1', '+49', '@SUM(A1)', '-cmd', '\tx', '-12.5', '12.5']])).toBe("'=1+1,'+49,'@SUM(A1),'-cmd,'\tx,-12.5,12.5\r\n")
})

it('quotes commas, quotes and line breaks', () => {
  expect(writeCsv([['a,b', 'say "x"', 'two\nlines', '=HYPERLINK("x")']])).toBe('"a,b","say ""x""","two\nlines","\'=HYPERLINK(""x"")"\r\n')
})
