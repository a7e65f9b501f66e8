import { expect, it } from 'vitest'
import { invoiceState, paymentUri, stillToPay } from './invoice-state.ts'

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'

it('[ST-67] [ST-68] [ST-69] [ST-70] [ST-73] reads the state of a payment', () => {
  expect(invoiceState(undefined, false)).toBe('waiting')
  expect(invoiceState({ status: false, payment_status: 'pending' }, false)).toBe('waiting')
  expect(invoiceState({ status: true, payment_status: 'pending' }, true)).toBe('processing')
  expect(invoiceState({ status: true, payment_status: 'completed' }, false)).toBe('processing')
  expect(invoiceState({ status: false, payment_status: 'Completed' }, true)).toBe('success')
  expect(invoiceState({ status: false, payment_status: 'pending' }, true)).toBe('expired')
})

it('[ST-66] counts a payment as paid only when its status is exactly false', () => {
  expect(invoiceState({ status: false, payment_status: 'completed' }, false)).toBe('success')
  for (const status of [null, undefined]) {
    expect(invoiceState({ status, payment_status: 'completed' }, false)).toBe('waiting')
    expect(invoiceState({ status, payment_status: 'completed' }, true)).toBe('expired')
  }
})

it('asks for the missing amount after a partial payment, otherwise for all of it', () => {
  expect(stillToPay(200n, undefined)).toBe(200n)
  expect(stillToPay(200n, 0n)).toBe(200n)
  expect(stillToPay(200n, 80n)).toBe(120n)
  expect(stillToPay(200n, 200n)).toBe(200n)
})

it('builds an EIP-681 transfer in the token’s decimals', () => {
  expect(paymentUri({ wallet_address: ADDRESS, amount: 25_050_000_000n, chain_id: 56, token_address: '0x55d3', token_decimals: 18 })).toBe(
    `ethereum:0x55d3@56/transfer?address=${ADDRESS}&uint256=250500000000000000000`,
  )
})

it('falls back to the plain address when chain or token is unknown', () => {
  expect(paymentUri({ wallet_address: ADDRESS, amount: 1n })).toBe(ADDRESS)
  expect(paymentUri({ wallet_address: ADDRESS, amount: 1n, chain_id: 56, token_address: '0x55d3', token_decimals: 6 })).toBe(ADDRESS)
})
