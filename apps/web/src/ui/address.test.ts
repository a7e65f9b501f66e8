import { describe, expect, it } from 'vitest'
import { addressGroups, shortAddress } from './address.tsx'

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'

describe('addressGroups', () => {
  it('keeps 0x with the first four characters and drops none', () => {
    const groups = addressGroups(ADDRESS)
    expect(groups[0]).toBe('0x9f1a')
    expect(groups.slice(1).every((group) => group.length === 4)).toBe(true)
    expect(groups.join('')).toBe(ADDRESS)
  })

  it('accepts other addresses and odd lengths', () => {
    expect(addressGroups('TXYZabcde')).toEqual(['TXYZ', 'abcd', 'e'])
    expect(addressGroups('')).toEqual([''])
  })
})

describe('shortAddress', () => {
  it('shows both ends', () => {
    expect(shortAddress(ADDRESS)).toBe('0x9f1a…60Cc')
    expect(shortAddress('0x12345678')).toBe('0x12345678')
  })
})
