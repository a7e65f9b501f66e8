import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coinForUsd, coinPriceOf, dailyReward, exchangeShare, monthlyReward, quoteBuy, quoteWithdrawal, usdForCoin } from './quotes.ts'
import { mulDiv } from './rounding.ts'
import { ONE, parseUnits, type Units } from './units.ts'

const u = (text: string): Units => {
  const units = parseUnits(text)
  if (units === null) throw new Error(text)
  return units
}
const amounts = fc.bigInt({ min: 1n, max: 10_000_000n * ONE })
const prices = fc.bigInt({ min: 1n, max: 1000n * ONE })
const percents = fc.bigInt({ min: 0n, max: 400n * ONE })

describe('quotes', () => {
  it('[CO-14] [VA-43] gives usd ÷ 0.008 coin', () => {
    expect(coinForUsd(u('1'), u('0.008'))).toBe(u('125'))
    expect(coinForUsd(u('2.5'), u('0.008'))).toBe(u('312.5'))
  })

  it('[VA-60] rounds the total of a purchase to 2 decimals and charges the exact product', () => {
    expect(quoteBuy(u('1000.5'), u('0.008'))).toEqual({ charged: u('8.004'), totalPrice: u('8') })
    expect(quoteBuy(1n, u('0.008')).charged).toBe(1n)
  })

  it('[VA-58] gives amount × coinPrice USD', () => {
    expect(usdForCoin(u('1000'), u('0.008'))).toBe(u('8'))
  })

  it('[VA-72] gives USD price ÷ coinPrice coin', () => {
    expect(coinPriceOf(u('100'), u('0.008'))).toBe(u('12500'))
  })

  it('[VA-33] [LS-37] splits a withdrawal into 5 % platform fee, 2 % network fee and 93 %', () => {
    expect(quoteWithdrawal(u('100'), u('5'), u('2'))).toEqual({ platformFee: u('5'), networkFee: u('2'), received: u('93') })
  })

  it('[VA-45] [UI-M-EXCHANGE-03] takes the percentage of the ICO wallet with 2 decimals', () => {
    expect(exchangeShare(u('1234.567'), u('10'))).toBe(u('123.46'))
    // Just below half a cent gives nothing: the share is truncated to units before display rounding.
    expect(exchangeShare(4_999_999n, 10n * ONE)).toBe(0n)
    expect(exchangeShare(u('0.006'), u('100'))).toBe(u('0.006'))
  })

  it('[VA-67] [VA-68] spreads the whole percentage of the plan over its days', () => {
    expect(dailyReward(u('1000'), u('36.5'), 365)).toBe(u('1'))
  })

  it('[VA-73] spreads the whole percentage of an NFT over its months', () => {
    expect(monthlyReward(u('1200'), u('24'), 12)).toBe(u('24'))
  })

  it('never pays more over a stake’s life than amount × apy ÷ 100', () => {
    fc.assert(
      fc.property(amounts, percents, fc.integer({ min: 1, max: 1500 }), (amount, apy, days) => {
        expect(dailyReward(amount, apy, days) * BigInt(days)).toBeLessThanOrEqual(mulDiv(amount, apy, 100n * ONE, 'down'))
      }),
    )
  })

  it('never gains from buying and selling back at one price', () => {
    fc.assert(
      fc.property(amounts, prices, (coin, price) => {
        expect(usdForCoin(coin, price)).toBeLessThanOrEqual(quoteBuy(coin, price).charged)
      }),
    )
  })

  it('[CO-15] never gains from USD to coin to USD while the convert rate is not below the price', () => {
    fc.assert(
      fc.property(amounts, prices, fc.bigInt({ min: 0n, max: ONE }), (usd, price, above) => {
        expect(usdForCoin(coinForUsd(usd, price + above), price)).toBeLessThanOrEqual(usd)
      }),
    )
  })

  it('[CO-45] never gains from splitting an amount', () => {
    fc.assert(
      fc.property(amounts, amounts, prices, (a, b, price) => {
        expect(usdForCoin(a, price) + usdForCoin(b, price)).toBeLessThanOrEqual(usdForCoin(a + b, price))
        expect(quoteBuy(a, price).charged + quoteBuy(b, price).charged).toBeGreaterThanOrEqual(quoteBuy(a + b, price).charged)
      }),
    )
  })

  it('returns parts of a withdrawal that add up to the amount', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const quote = quoteWithdrawal(amount, u('5'), u('2'))
        expect(quote.platformFee + quote.networkFee + quote.received).toBe(amount)
      }),
    )
  })

  it('rejects negative factors', () => {
    expect(() => mulDiv(-1n, 1n, 1n, 'down')).toThrow(RangeError)
    expect(() => mulDiv(1n, 1n, 0n, 'up')).toThrow(RangeError)
  })
})
