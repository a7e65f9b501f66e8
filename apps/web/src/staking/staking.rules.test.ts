import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { estimateStake, rejectStake, stakeProgress } from './staking.rules.ts'

const balances = {
  depositWallet: 0n,
  nativeWallet: 500n * ONE,
  icoWallet: 20n * ONE,
  newIcoWallet: 0n,
  stakeWallet: 0n,
  nftWallet: 0n,
  rcmWallet: 0n,
}
const from = new Date('2026-03-01T10:00:00Z')

describe('estimateStake', () => {
  it('[VA-67] [VA-68] spreads apy over the duration, rounded down at the eighth decimal', () => {
    const { daily, total } = estimateStake({ apy: 10n * ONE, duration: 365 }, 100_000n * ONE, from)
    expect(daily).toBe(2_739_726_027n)
    expect(total).toBe(2_739_726_027n * 365n)
  })

  it('pays first after a day and matures after the plan’s duration', () => {
    const { firstAt, maturesAt } = estimateStake({ apy: ONE, duration: 30 }, ONE, from)
    expect(firstAt.toISOString()).toBe('2026-03-02T10:00:00.000Z')
    expect(maturesAt.toISOString()).toBe('2026-03-31T10:00:00.000Z')
  })
})

describe('rejectStake', () => {
  it('[VA-63] requires a wallet first', () => expect(rejectStake('', 0n, balances)).toBe('wallet'))
  it('[VA-64] rejects exactly 1 and accepts the next unit', () => {
    expect(rejectStake('nativewallet', ONE, balances)).toBe('tooSmall')
    expect(rejectStake('nativewallet', ONE + 1n, balances)).toBeUndefined()
  })
  it('[VA-66] [VA-70] compares the amount with the chosen wallet', () => {
    expect(rejectStake('nativewallet', 500n * ONE, balances)).toBeUndefined()
    expect(rejectStake('nativewallet', 500n * ONE + 1n, balances)).toBe('insufficient')
    expect(rejectStake('mywallet', 21n * ONE, balances)).toBe('insufficient')
  })
  it('leaves an unknown balance to the server', () => expect(rejectStake('mywallet', 21n * ONE, undefined)).toBeUndefined())
})

describe('stakeProgress', () => {
  const stake = {
    planName: 'Gold',
    wallet: 'nativewallet',
    stakeAmount: ONE,
    duration: 10,
    apy: ONE,
    dailyRoy: 1n,
    createdAt: from,
    status: 'ACTIVE',
  }
  it('uses the server’s progress', () => {
    const maturesAt = new Date('2026-04-01T00:00:00Z')
    expect(stakeProgress({ ...stake, paidDays: 4, maturesAt }, from)).toEqual({ doneDays: 4, counted: 'paid', days: 10, maturesAt })
  })
  it('calculates the progress from the start when the server sends none, up to the end', () => {
    expect(stakeProgress(stake, new Date('2026-03-04T11:00:00Z'))).toMatchObject({
      doneDays: 3,
      counted: 'run',
      maturesAt: new Date('2026-03-11T10:00:00Z'),
    })
    expect(stakeProgress(stake, new Date('2027-01-01T00:00:00Z')).doneDays).toBe(10)
  })
})
