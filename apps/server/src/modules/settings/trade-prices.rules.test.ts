import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BOTH_PRICES_MS, type PriceStep, tradePricesAt } from './trade-prices.rules.ts'

const HOUR = 3_600_000
const step = (hours: number, price: number, isAnnounced = true): PriceStep => ({
  at: hours * HOUR,
  coinPrice: BigInt(price),
  convertRate: BigInt(price + 1),
  isAnnounced,
})
const pricesAt = (path: readonly PriceStep[], hours: number) => {
  const { buyPrice, sellPrice, buyRate } = tradePricesAt(path, hours * HOUR)
  return [Number(buyPrice), Number(sellPrice), Number(buyRate)]
}

describe('the prices that members trade at', () => {
  it('[MF-10] [MF-12] are the higher and the lower of both prices until 24 hours after the start of an announced one', () => {
    const [rise, fall] = [
      [step(0, 8, false), step(48, 12)],
      [step(0, 8, false), step(48, 5)],
    ]
    for (const hours of [0, 47, 48, 71]) expect([hours, pricesAt(rise, hours)]).toEqual([hours, [12, 8, 13]])
    for (const hours of [0, 47, 48, 71]) expect([hours, pricesAt(fall, hours)]).toEqual([hours, [8, 5, 9]])
    expect([pricesAt(rise, 72), pricesAt(fall, 72)]).toEqual([
      [12, 12, 13],
      [5, 5, 6],
    ])
  })

  it('are the price in force after a change without notice, and with announced versions that change no price', () => {
    expect(pricesAt([step(0, 8, false), step(1, 9, false), step(2, 9)], 2)).toEqual([9, 9, 10])
    expect(pricesAt([step(0, 8, false), step(1, 9, false), step(5, 9)], 1)).toEqual([9, 9, 10])
  })

  it('count the price in force and every announced one when changes follow each other', () => {
    const path = [step(0, 8, false), step(10, 12), step(12, 13, false), step(20, 6)]
    expect(pricesAt(path, 13)).toEqual([13, 6, 14])
    expect(pricesAt(path, 34)).toEqual([13, 6, 14])
    expect(pricesAt(path, 44)).toEqual([6, 6, 7])
  })

  it('[MF-10] never let a member sell above the price of a purchase when every change is announced a day ahead', () => {
    const prices = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(prices, fc.nat(200), fc.nat(24), (all, buyAt, later) => {
        const path = all.map((price, index) => step(index * 30, price, index > 0))
        const [buy] = pricesAt(path, buyAt)
        const [, sell] = pricesAt(path, buyAt + later)
        expect(sell).toBeLessThanOrEqual(buy ?? 0)
      }),
    )
    expect(BOTH_PRICES_MS).toBe(24 * HOUR)
  })
})
