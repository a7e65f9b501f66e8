import { formatUnits } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import * as limits from './limits.ts'
import { PAGE_SIZE } from './paging.ts'

describe('figures of the specification', () => {
  it.each([
    ['CO-11', limits.DEPOSIT_MIN, '1'],
    ['CO-11', limits.DEPOSIT_MAX, '100000'],
    ['CO-12', limits.WITHDRAWAL_MIN, '10'],
    ['CO-13', limits.DEFAULT_PLATFORM_FEE_PERCENT + limits.DEFAULT_NETWORK_FEE_PERCENT, '7'],
    ['CO-20', limits.DEFAULT_PLATFORM_FEE_PERCENT, '5'],
    ['CO-14] [CO-15', limits.DEFAULT_CONVERT_RATE, '0.008'],
    ['CO-14', limits.CONVERT_STEP, '0.5'],
    ['CO-14', limits.CONVERT_MIN, '1'],
    ['CO-16', limits.TRANSFER_MAX, '10000'],
    ['CO-17', limits.USER_TRANSFER_MIN, '5'],
    ['CO-18', limits.SWAP_TO_USD_MIN, '1000'],
    ['CO-19', limits.BUY_TOKEN_MIN, '1'],
    ['CO-21', limits.TOTAL_SUPPLY, '15000000000'],
    ['CO-47', limits.DEFAULT_COIN_PRICE, '0.008'],
    ['CO-47', limits.DEFAULT_MIN_COIN, '1'],
    ['CO-47', limits.DEFAULT_MAX_COIN, '10000000'],
    ['CO-47', limits.DEFAULT_EXCHANGE_LIMIT_PERCENT, '10'],
  ])('[%s] %s units are %s', (_, units, decimal) => {
    expect(formatUnits(units)).toBe(decimal)
  })

  it.each([
    ['CO-01] [API-04', limits.REQUEST_TIMEOUT_MS, 30_000],
    ['CO-06', limits.PASSWORD_MIN_LENGTH, 6],
    ['CO-07', limits.REFERRAL_CODE_MIN_LENGTH, 6],
    ['CO-22', limits.NFT_SUPPLY.dome, 10_000],
    ['CO-23', limits.NFT_SUPPLY.hotelAndResort, 55_000],
    ['CO-24', limits.NFT_SUPPLY.wagon, 25_000],
    ['CO-25', limits.NFT_SUPPLY.land, 110_000],
    ['CO-30', PAGE_SIZE, 25],
    ['CO-33', limits.OTP_RESEND_SECONDS, 90],
    ['CO-34] [CO-35', limits.OTP_LENGTH, 6],
    ['CO-36', limits.INVOICE_VALID_MINUTES, 20],
    ['CO-37', limits.INVOICE_POLL_SECONDS, 15],
    ['CO-40', limits.INVOICE_CONFIRMATIONS, 12],
    ['CO-41', limits.UPLOAD_MAX_BYTES, 1_048_576],
  ])('[%s] %d is %d', (_, figure, expected) => {
    expect(figure).toBe(expected)
  })

  it('[CO-05] [VA-15] lists six mail domains', () => {
    expect(limits.DEFAULT_EMAIL_DOMAINS).toEqual(['gmail.com', 'yahoo.com', 'hotmail.com', 'hotmail.co.uk', 'hotmail.fr', 'outlook.com'])
  })
})
