import { MAX_UNITS, ONE } from '@tizara/money'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { allRoutes } from './all-routes.ts'
import { forgotPassword, login, register, resetPassword, verifyToken } from './auth.ts'
import { buyToken, coinPriceHistory } from './coin.ts'
import { createInvoice, createPayment } from './deposits.ts'
import { buyNft } from './nfts.ts'
import type { Route } from './route.ts'
import { isPlain } from './text.ts'
import { proposeChange } from './staff-changes.ts'
import { creditRcm } from './staff-members.ts'
import { fundRewardPool } from './staff-rewards.ts'
import { openStake } from './staking.ts'
import { closeTicket, createTicket, replyToTicket } from './support.ts'
import {
  convertToMyWallet,
  exchangeToMyWallet,
  myWalletToUsd,
  nftToDepositWallet,
  swapNativeToMyWallet,
  userToUserDeposit,
  withdrawRcmCoin,
} from './transfers.ts'
import { bridge, withdrawDeposit } from './withdrawals.ts'

/** Returns a body's first error, which becomes the response message; null if valid. */
function errorOf(route: Route, body: unknown): string | null {
  if (route.body === undefined) throw new Error(`${route.name} takes no body`)
  const result = v.safeParse(route.body, body)
  return result.success ? null : result.issues[0].message
}

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const stake = { dailyRoy: 0.33, planName: 'Gold', duration: 365, apy: 120, stakeAmount: 100, planId: '1', wallet: 'mywallet' }

/** Every amount in a request body: route, valid body, key, allowed decimals. */
const amounts: readonly (readonly [string, Route, Record<string, unknown>, string, number])[] = [
  ['API-33', createPayment, { amount: 10 }, 'amount', 2],
  ['API-35', createInvoice, { amount: 10 }, 'amount', 8],
  ['API-36', withdrawDeposit, { amount: 10, address }, 'amount', 2],
  ['API-37', bridge, { to: address, amount: 10 }, 'amount', 8],
  ['API-38', exchangeToMyWallet, { amount: 10 }, 'amount', 8],
  ['API-39', convertToMyWallet, { usd: 1.5 }, 'usd', 2],
  ['API-40', nftToDepositWallet, { amount: 10 }, 'amount', 2],
  ['API-41', userToUserDeposit, { amount: 10, email: 'ada@gmail.com' }, 'amount', 2],
  ['API-42', myWalletToUsd, { amount: 1000 }, 'amount', 8],
  ['API-43', withdrawRcmCoin, { amount: 10 }, 'amount', 8],
  ['API-45', swapNativeToMyWallet, { amount: 10 }, 'amount', 8],
  ['API-46', buyToken, { coinPrice: 0.008, coinAmount: 100, totalPrice: 0.8 }, 'coinAmount', 8],
  ['API-46', buyToken, { coinPrice: 0.008, coinAmount: 100, totalPrice: 0.8 }, 'coinPrice', 8],
  ['API-46', buyToken, { coinPrice: 0.008, coinAmount: 100, totalPrice: 0.8 }, 'totalPrice', 8],
  ['API-47', openStake, stake, 'stakeAmount', 8],
  ['API-47', openStake, stake, 'dailyRoy', 8],
  ['API-47', openStake, stake, 'apy', 8],
  ['GN-04', creditRcm, { amount: 10, reason: 'Bonus' }, 'amount', 8],
  ['GN-04', fundRewardPool, { asset: 'coin', amount: 10, reason: 'Month' }, 'amount', 8],
]

describe.each(amounts)('%s: the amount', (row, route, body, key, decimals) => {
  it(`[${row}] is accepted and read into units`, () => {
    expect(errorOf(route, body)).toBeNull()
    const parsed = route.body === undefined ? {} : v.parse(route.body, body)
    expect(typeof Object(parsed)[key]).toBe('bigint')
  })

  it('is read from plain text as the same units', () => {
    const text = { ...body, [key]: String(Object(body)[key]) }
    if (route.body === undefined) throw new Error('no body')
    expect(v.parse(route.body, text)).toEqual(v.parse(route.body, body))
  })

  it.each([NaN, Infinity, -Infinity, '1e1', '10,5', '-10', '', ['10'], [10], { amount: 10 }, true, null, -1, -0.01, 1e21, 1e-9])(
    'rejects %j with Invalid amount',
    (value) => {
      expect(errorOf(route, { ...body, [key]: value })).toBe('Invalid amount')
    },
  )

  it('rejects a missing amount', () => {
    expect(errorOf(route, Object.fromEntries(Object.entries(body).filter(([name]) => name !== key)))).not.toBeNull()
  })

  it(`[CO-45] rejects more than ${decimals} decimals`, () => {
    expect(errorOf(route, { ...body, [key]: decimals === 2 ? 10.001 : 1000.123456789 })).toBe('Invalid amount')
  })
})

/** Bounds independent of server state: body, error message, route. */
const bounds: readonly (readonly [string, object, string | null, Route])[] = [
  ['VA-25] [CO-11', { amount: 0.99 }, 'Minimum amount is 1', createPayment],
  ['VA-25', { amount: 1 }, null, createPayment],
  ['VA-26] [CO-11', { amount: 100000 }, null, createPayment],
  ['VA-26', { amount: 100000.01 }, 'Maximum amount is 100000', createPayment],
  ['VA-25', { amount: 0.99999999 }, 'Minimum amount is 1', createInvoice],
  ['VA-26', { amount: 100000.00000001 }, 'Maximum amount is 100000', createInvoice],
  ['VA-28] [CO-12', { amount: 9.99, address }, 'Minimum amount is 10', withdrawDeposit],
  ['VA-28', { amount: 10, address }, null, withdrawDeposit],
  ['VA-30', { amount: 10, address: '  ' }, 'This field is required', withdrawDeposit],
  ['VA-34', { to: '', amount: 1 }, 'This field is required', bridge],
  ['VA-38', { to: address, amount: 0 }, 'Invalid amount', bridge],
  ['VA-38', { to: address, amount: 0.00000001 }, null, bridge],
  ['VA-46', { amount: 0 }, 'Invalid amount', exchangeToMyWallet],
  ['VA-40] [CO-14', { usd: 0.5 }, 'Minimum amount is 1', convertToMyWallet],
  ['VA-39] [CO-14', { usd: 1.25 }, 'Invalid amount', convertToMyWallet],
  ['VA-39', { usd: 1.5 }, null, convertToMyWallet],
  ['VA-49] [CO-16', { amount: 10000.01 }, 'Maximum amount is 10000', nftToDepositWallet],
  ['VA-49', { amount: 10000 }, null, nftToDepositWallet],
  ['VA-51', { amount: 0 }, 'Invalid amount', nftToDepositWallet],
  ['VA-52] [CO-17', { amount: 4.99, email: 'ada@gmail.com' }, 'Minimum amount is 5', userToUserDeposit],
  ['VA-53] [CO-16', { amount: 10000.01, email: 'ada@gmail.com' }, 'Maximum amount is 10000', userToUserDeposit],
  ['VA-52', { amount: 5.25, email: 'ada@gmail.com' }, null, userToUserDeposit],
  ['VA-54', { amount: 5, email: '' }, 'This field is required', userToUserDeposit],
  ['VA-54', { amount: 5, email: 'ada' }, 'Entered value does not match email format', userToUserDeposit],
  ['VA-57] [CO-18', { amount: 999.99999999 }, 'Minimum amount is 1000', myWalletToUsd],
  ['MF-11', { amount: 10000.00000001 }, 'Maximum amount is 10000', withdrawRcmCoin],
  ['VA-59] [CO-19', { coinPrice: 0.008, coinAmount: 0.5, totalPrice: 0 }, 'Minimum amount is 1', buyToken],
  ['VA-64', { ...stake, stakeAmount: 1 }, 'Stake amount must be greater than 1', openStake],
  ['VA-64', { ...stake, stakeAmount: 1.00000001 }, null, openStake],
  ['VA-63', { ...stake, wallet: '' }, 'Please Select wallet', openStake],
  ['VA-63', { ...stake, wallet: 'depositwallet' }, 'Please Select wallet', openStake],
  ['VA-71', { payby: '', walletName: 'dome', nftId: '1' }, 'Please select a wallet to purchase from', buyNft],
  ['API-49', { payby: 'depositwallet', walletName: 'castle', nftId: '1' }, 'Invalid NFT kind', buyNft],
  ['API-48', { payby: 'depositwallet', walletName: 'hotelAndResort', nftId: '1' }, null, buyNft],
  ['VA-02', { email: ' ', password: 'secret' }, 'This field is required', login],
  ['VA-03', { email: 'ada@gmail.com', password: '' }, 'This field is required', login],
  ['VA-78] [CO-34', { token: '12345' }, 'Minimum length is 6', verifyToken],
  ['VA-78', { token: 1234.5 }, 'This field is required', verifyToken],
  ['VA-78', { token: 12345 }, null, verifyToken],
  ['VA-90', { email: 'ada@gmail' }, 'Entered value does not match email format', forgotPassword],
  ['VA-74] [CO-06', { newPassword: '12345', confirmPassword: '12345' }, 'Minimum length is 6', resetPassword],
  ['VA-75', { newPassword: '123456', confirmPassword: '' }, 'Minimum length is 6', resetPassword],
  ['VA-76] [VA-77', { newPassword: '123456', confirmPassword: '123457' }, 'Password did not match', resetPassword],
  ['API-32', { newPassword: '123456', confirmPassword: '123456' }, null, resetPassword],
  ['VA-79', { title: ' ', description: 'Please help' }, 'This field is required', createTicket],
  ['VA-80', { title: 'Help', description: '' }, 'This field is required', createTicket],
  ['VA-79', { title: 'x'.repeat(201), description: 'Please help' }, 'Maximum length is 200', createTicket],
  ['VA-82', { message: '', ticketId: '1' }, 'This field is required', replyToTicket],
  ['VA-82', { message: 'x'.repeat(5001), ticketId: '1' }, 'Maximum length is 5000', replyToTicket],
  ['API-91', { status: 'OPEN' }, 'Invalid status', closeTicket],
  ['API-91', { status: 'CLOSED' }, null, closeTicket],
]

describe('field limits', () => {
  it.each(bounds)('[%s] answers %j with %j', (_, body, message, route) => {
    expect(errorOf(route, body)).toBe(message)
  })

  it('reject an amount that exceeds the column’s range', () => {
    expect(errorOf(swapNativeToMyWallet, { amount: Number(MAX_UNITS / ONE) + 1000 })).toBe('Invalid amount')
  })

  it('[API-37] [EN-58] read a missing network as BEP(20), and accept only the three networks', () => {
    expect(v.parse(bridge.body, { to: address, amount: 1 }).network).toBe(0)
    expect(v.parse(bridge.body, { to: address, amount: 1, network: 2 }).network).toBe(2)
    expect(errorOf(bridge, { to: address, amount: 1, network: 3 })).toBe('Invalid network')
    expect(errorOf(bridge, { to: address, amount: 1, network: '0' })).toBe('Invalid network')
  })

  it('ignore a key that the call does not declare', () => {
    expect(v.parse(swapNativeToMyWallet.body, { amount: 1, memberId: '2', status: 'APPROVE' })).toEqual({ amount: ONE })
  })
})

describe('sign-up', () => {
  const form = { name: 'Ada', email: ' Ada@Gmail.com ', phone: '+1 (415) 555-2671', password: 'secret', referralCode: '' }

  it('[EN-06] [VA-12] reads the fields, and an empty referral code as none', () => {
    expect(v.parse(register.body, form)).toEqual({
      name: 'Ada',
      email: 'ada@gmail.com',
      phone: '+14155552671',
      password: 'secret',
      referralCode: undefined,
    })
    const { referralCode: _, ...without } = form
    expect(v.parse(register.body, without).referralCode).toBeUndefined()
    expect(v.parse(register.body, { ...form, referralCode: ' SPONSOR1 ' }).referralCode).toBe('SPONSOR1')
  })

  it.each([
    ['VA-10', { name: '' }, 'This field is required'],
    ['VA-11', { email: '' }, 'This field is required'],
    ['VA-12', { email: 'ada gmail.com' }, 'Entered value does not match email format'],
    ['VA-16', { phone: '' }, 'This field is required'],
    ['VA-17', { phone: '4155552671' }, 'Invalid Phone'],
    ['VA-17', { phone: '+1415' }, 'Invalid Phone'],
    ['VA-18', { password: 'short' }, 'Minimum length is 6'],
    ['VA-19] [VA-20] [CO-07', { referralCode: 'ABCDE' }, 'Minimum length is 6'],
  ] as const)('[%s] answers %j with %s', (_, change, message) => {
    expect(errorOf(register, { ...form, ...change })).toBe(message)
  })
})

describe('chart ranges', () => {
  it('read days, 90 by default, and reject anything but a whole number in range', () => {
    expect(v.parse(coinPriceHistory.query, {}).days).toBe(90)
    expect(v.parse(coinPriceHistory.query, { days: '30' }).days).toBe(30)
    for (const days of ['0', '-1', '1.5', '731', 'x', '', ['30', '31']]) expect(v.is(coinPriceHistory.query, { days })).toBe(false)
  })
})

describe('proposals', () => {
  it('[GN-04] accept a price, a plan and settings, each with a reason', () => {
    const reason = 'Decided by the board'
    expect(v.parse(proposeChange.body, { subject: 'price', value: { coinPrice: 0.009 }, reason })).toMatchObject({
      value: { coinPrice: 900_000n },
    })
    expect(v.parse(proposeChange.body, { subject: 'settings', value: { platformFeePercent: 5 }, reason }).value).toEqual({
      platformFeePercent: 5n * ONE,
    })
    expect(errorOf(proposeChange, { subject: 'settings', value: { platformFeePercent: 5, coinPrice: 1 }, reason })).toContain('coinPrice')
    const plan = { planName: 'Gold', duration: 365, minimum: 100, apy: 120, status: 'ACTIVE' }
    expect(v.parse(proposeChange.body, { subject: 'plan', value: plan, reason })).toMatchObject({ value: { omega: false } })
    expect(errorOf(proposeChange, { subject: 'price', value: { coinPrice: 0.009 } })).not.toBeNull()
    expect(errorOf(proposeChange, { subject: 'price', value: { coinPrice: 0 }, reason })).toBe('Invalid amount')
    expect(errorOf(proposeChange, { subject: 'settings', value: { platformFeePercent: 101 }, reason })).toBe('Must be at most 100')
    expect(errorOf(proposeChange, { subject: 'ledger', value: {}, reason })).not.toBeNull()
  })
})

describe('texts of request bodies', () => {
  /** Strings that are compared but never stored (passwords, codes, signatures, sign-in names), and addresses with a format check. */
  const LOOKED_UP =
    /^(planName|stepUp|rawId|authenticatorAttachment|password|oldPassword|newPassword|confirmPassword|address|to)$|^(login|userLogin)\.email$/
  const fieldsOf = (body: unknown): [string, v.GenericSchema][] => {
    if (typeof body !== 'object' || body === null) return []
    const entries: Record<string, v.GenericSchema> = Reflect.get(body, 'entries') ?? {}
    const within = [Reflect.get(body, 'pipe'), Reflect.get(body, 'options'), Reflect.get(body, 'wrapped'), Reflect.get(body, 'item')]
    return [
      ...Object.entries(entries).flatMap(([name, field]): [string, v.GenericSchema][] => [[name, field], ...fieldsOf(field)]),
      ...within
        .flat()
        .filter((one) => one !== body)
        .flatMap((one) => fieldsOf(one)),
    ]
  }

  it('[I20] reject or strip control characters and bidirectional overrides in every call', () => {
    const bodies = allRoutes.flatMap((route) => (route.body === undefined ? [] : [[route.name, route.body] as const]))
    const accepted = bodies.flatMap(([name, body]) =>
      fieldsOf(body).flatMap(([field, schema]) => {
        const kept = ['a\u0007b', 'a\u009bb', 'a\u0000b', 'a\u202eb', 'a\u2066b'].some((text) => {
          const read = v.safeParse(schema, text)
          return read.success && typeof read.output === 'string' && !isPlain(read.output)
        })
        return kept && !LOOKED_UP.test(field) && !LOOKED_UP.test(`${name}.${field}`) ? [`${name}.${field}`] : []
      }),
    )
    expect(bodies.flatMap(([, body]) => fieldsOf(body)).length).toBeGreaterThan(100)
    expect(accepted).toEqual([])
  })
})
