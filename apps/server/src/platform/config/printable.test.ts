import { expect, it } from 'vitest'
import { printable } from './printable.ts'

it('escapes terminal control and invisible characters', () => {
  expect(printable('\u001b[2J\u001b]0;title\u0007 x\r\b')).toBe('\\u{1b}[2J\\u{1b}]0;title\\u{7} x\\u{d}\\u{8}')
  expect(printable('\u009b31m \u202eabc\u2066 a\u200bb\u2028c')).toBe('\\u{9b}31m \\u{202e}abc\\u{2066} a\\u{200b}b\\u{2028}c')
})

it('keeps ordinary text unchanged', () => {
  for (const text of ['Ade\u0301le', '\u5f20\u4f1f', '\u0645\u062d\u0645\u062f', 'two\nlines', 'O\u2019Brien \u2014 5 \u20ac'])
    expect(printable(text)).toBe(text)
})
