import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'
import { assertPassword } from './password.rules.ts'
import { defaultBrand } from '../../../platform/config/brand.ts'

const instance = { brand: defaultBrand('Tizara'), tokenSymbol: 'TIZARA' }
const member = { email: 'grace.hopper@gmail.com', name: 'Grace Hopper' }
const refused = (password: string) => {
  try {
    assertPassword(password, instance, member)
    return false
  } catch (error) {
    if (error instanceof AppError && error.code === 'PASSWORD_TOO_COMMON') return true
    throw error
  }
}

describe('chosen password', () => {
  it.each([
    '123456',
    'password',
    'Password1',
    'P@ssw0rd',
    'qwerty',
    'QWERTY123',
    'letmein!',
    'iloveyou',
    'dragon99',
    'aaaaaa',
    'abcabcabc',
    'abcdefgh',
    '987654321',
    'tizara',
    'Tizara2026',
    'tizara!!',
    'T1zara#1',
    'hopper77',
    'Grace1',
    'gracehopper',
  ])('is rejected when it is as easy as %s', (password) => {
    expect(refused(password)).toBe(true)
  })

  it.each([
    'violet-harbour-93',
    'k7#mPq',
    'нестандартный-пароль',
    '🦊🐢🌲🪁🎲🧭',
    'x'.repeat(20) + 'Q7-distinct',
    'i joined tizara on a rainy tuesday',
  ])('is accepted: %s', (password) => {
    expect(refused(password)).toBe(false)
  })
})

describe('password hashing', () => {
  it('distinguishes long passwords by their last character, and keeps every character', async () => {
    const caller = '203.0.113.7'
    const long = `${'a'.repeat(72)}🦊`
    const stored = await hashPassword(long)
    expect(await passwordMatches(stored, long, { caller })).toBe(true)
    expect(await passwordMatches(stored, `${'a'.repeat(72)}🐢`, { caller })).toBe(false)
    expect(await passwordMatches(undefined, long, { caller })).toBe(false)
  })

  it('takes turns between networks when many hashes of one network wait', async () => {
    const ended: string[] = []
    const hashed = (caller: string) => hashPassword('violet-harbour-93', caller).then(() => ended.push(caller))
    await Promise.all([...Array.from({ length: 30 }, () => hashed('203.0.113.7')), hashed('198.51.100.9')])
    expect(ended.indexOf('198.51.100.9')).toBeLessThan(10)
  })

  it('answers BUSY at once when 50 hashes are waiting', async () => {
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => hashPassword('violet-harbour-93')))
    const busy = results.filter((result) => result.status === 'rejected')
    expect(busy).toHaveLength(10 - Math.min(availableParallelism(), 3))
    expect(busy.every((result) => result.reason instanceof AppError && result.reason.code === 'BUSY')).toBe(true)
    await expect(hashPassword('violet-harbour-93')).resolves.toMatch(/^\$argon2id\$/)
  })
})
