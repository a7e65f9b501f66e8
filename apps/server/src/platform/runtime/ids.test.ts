import { expect, it } from 'vitest'
import { digest, randomIds } from './ids.ts'

it('makes unique public ids of 128 bits and secrets of 256 bits, random at every position', () => {
  for (const [make, length] of [
    [randomIds.publicId, 22],
    [randomIds.secret, 43],
  ] as const) {
    const ids = Array.from({ length: 5000 }, make)
    expect(ids.filter((id) => !/^[\w-]+$/.test(id) || id.length !== length)).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    // All characters occur at each index. The last one holds only the remaining bits.
    const kinds = Array.from({ length }, (_, index) => new Set(ids.map((id) => id[index])).size)
    expect(kinds.slice(0, -1)).toEqual(kinds.slice(0, -1).map(() => 64))
    expect(kinds.at(-1)).toBe(length === 22 ? 4 : 16)
  }
})

it('makes codes of the requested alphabet and length', () => {
  const codes = Array.from({ length: 500 }, () => [randomIds.digits(6), randomIds.code(8)])
  expect(codes.filter(([digits = '', code = '']) => !/^\d{6}$/.test(digits) || !/^[A-HJ-NP-Z2-9]{8}$/.test(code))).toEqual([])
  expect(new Set(codes.flat()).size).toBeGreaterThan(990)
  expect(digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
