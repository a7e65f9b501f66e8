import { expect, it } from 'vitest'
import { plain } from './strip-control-characters.ts'

it('shows bidirectional and invisible characters as visible codes', () => {
  expect(plain('Ada \u202Egro.liame@kcatta')).toBe('Ada ⟨U+202E⟩gro.liame@kcatta')
  expect(plain('a\u200Bb\u0000c\nd\u2066e\uFEFF')).toBe('a⟨U+200B⟩b⟨U+0000⟩c⟨U+000A⟩d⟨U+2066⟩e⟨U+FEFF⟩')
  expect(plain('Ángel Ödön 李 <b>')).toBe('Ángel Ödön 李 <b>')
})
