import { expect, it } from 'vitest'
import { newCode } from './captcha-code.ts'

it('[UI-CAPTCHA-10] [CO-03] generates codes of five letters and digits without ambiguous characters', () => {
  const codes = Array.from({ length: 2000 }, newCode)
  expect(codes.filter((code) => !/^[A-Za-z0-9]{5}$/.test(code))).toEqual([])
  const used = new Set(codes.join(''))
  expect([...used].filter((character) => 'lI10Oo'.includes(character))).toEqual([])
  // 10,000 draws cover all 56 characters with near certainty.
  expect(used.size).toBe(56)
})
