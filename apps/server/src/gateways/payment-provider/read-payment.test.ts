import { describe, expect, it } from 'vitest'
import { parseExact, readPayment } from './read-payment.ts'

const read = (fields: string) =>
  readPayment(parseExact(`{"payment_id":7,"order_id":"o","payment_status":"finished","pay_currency":"usdtbsc",${fields}}`), 'fallback')

describe('amount of the provider', () => {
  it.each([
    ['1.234567899', 123_456_789n],
    ['123456789.123456789', 12_345_678_912_345_678n],
    ['1e-9', 0n],
    ['1.5E3', 150_000_000_000n],
    ['"0.00000001999"', 1n],
    ['0', 0n],
    ['null', 0n],
  ])('[MF-01] is read exactly and rounded down: %s', (text, units) => {
    expect(read(`"actually_paid":${text}`)).toMatchObject({ status: 'settled', actuallyPaid: units })
    expect(read(`"actually_paid":${text}`).paidText).toBe(text === 'null' ? '0' : text.replaceAll('"', ''))
  })

  it.each(['-1', '"many"', '{}', '1e40', '""', '"0x1"', 'true'])('counts as zero with status unknown when unreadable: %s', (text) => {
    expect(read(`"actually_paid":${text}`)).toMatchObject({
      status: 'unknown',
      actuallyPaid: 0n,
      problem: expect.stringContaining('its amount'),
    })
  })
})

it('replaces look-alike and invisible characters', () => {
  const odd = readPayment(
    {
      payment_id: '7\u202e1',
      order_id: '\u043e',
      payment_status: 'finished\u200b',
      pay_currency: 'u\u0455dtbsc\u202e',
      actually_paid: '5\u0660',
    },
    'fallback',
  )
  expect(odd).toMatchObject({
    paymentId: 'fallback',
    orderId: null,
    status: 'unknown',
    payCurrency: 'u?dtbsc?',
    paidText: '5?',
    actuallyPaid: 0n,
  })
  expect(odd.problem).toBe('could not read its ids, its amount 5?, its status finished?')
})

it('names the unreadable field of any malformed answer', () => {
  for (const odd of [null, [], 'text', 5, {}, { payment_id: {}, order_id: 1 }])
    expect(readPayment(odd, 'fallback')).toMatchObject({
      paymentId: 'fallback',
      status: 'unknown',
      problem: expect.stringContaining('its ids'),
    })
  expect(readPayment({ payment_id: 1, order_id: 2, payment_status: 'dancing'.repeat(99), pay_currency: 5 }, '').problem).toMatch(
    /^could not read its status (?:dancing)+[a-z]*, its currency$/,
  )
})
