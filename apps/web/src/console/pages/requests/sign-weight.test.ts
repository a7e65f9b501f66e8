import { describe, expect, it } from 'vitest'
import type { QueueRow } from './queue.ts'
import { usualCodes, weighSigns } from './sign-weight.ts'

const sign = (code: string) => ({ code, text: code })
const rowWith = (...codes: string[]) => ({ signs: codes.map(sign) }) as QueueRow
const codesOf = (signs: readonly { code: string }[]) => signs.map(({ code }) => code)

describe('weighSigns', () => {
  it('sorts the heaviest sign first, and a first address below the flags', () => {
    const { flags, quiet } = weighSigns(['NEW_ADDRESS', 'MANY', 'LOOKALIKE', 'TRACE'].map(sign))
    expect(codesOf(flags)).toEqual(['LOOKALIKE', 'TRACE', 'MANY'])
    expect(codesOf(quiet)).toEqual(['NEW_ADDRESS'])
  })

  it('counts a sign with an unknown code as a flag', () => {
    expect(codesOf(weighSigns([sign('NEW_KIND')]).flags)).toEqual(['NEW_KIND'])
  })

  it('ignores a light sign that all rows of the list have', () => {
    const rows = Array.from({ length: 5 }, (_, index) => rowWith('MANY', 'TRACE', ...(index === 0 ? ['FRESH'] : [])))
    const usual = usualCodes(rows)
    expect([...usual]).toEqual(['MANY'])
    expect(codesOf(weighSigns(rows[0]?.signs, usual).flags)).toEqual(['TRACE', 'FRESH'])
  })

  it('ignores no sign in a list of four rows, or when one row lacks it', () => {
    expect(usualCodes(Array.from({ length: 4 }, () => rowWith('MANY'))).size).toBe(0)
    expect(usualCodes([...Array.from({ length: 5 }, () => rowWith('MANY')), rowWith()]).size).toBe(0)
  })
})
