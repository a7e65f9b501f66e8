import { login } from '@tizara/contract/auth'
import { getInvoice, getPaymentStatus } from '@tizara/contract/deposits'
import { myTeam } from '@tizara/contract/members'
import { exchangeSettings } from '@tizara/contract/settings'
import { userWallet } from '@tizara/contract/wallets'
import { expect, it } from 'vitest'
import { readReply, readPartialReply } from './read-reply.ts'

const wallet = { depositWallet: 0.1, nativeWallet: 2, icoWallet: 0, newIcoWallet: 0, stakeWallet: 0, nftWallet: 0, rcmWallet: 0 }
const row = { name: 'Amara', email: 'a@gmail.com', myReferralCode: 'AMARA7', updatedAt: '2026-11-05T12:00:00.000Z' }
const meta = { total: 51, page: 3, limit: 25 }

it.each([
  ['in data', { data: wallet }],
  ['one level deeper', { data: { data: wallet } }],
  ['two levels deeper', { data: { data: { data: wallet } } }],
  ['one level less', wallet],
])('[API-12] finds an object %s', (_, body) => {
  expect(readReply(userWallet, body)?.data.depositWallet).toBe(10_000_000n)
})

it.each([
  ['where the contract says', { data: { data: [row], meta } }],
  ['one level deeper', { data: { data: { data: [row], meta } } }],
  ['one level less', { data: [row], meta }],
])('[API-12] finds a list and its meta %s', (_, body) => {
  const list = readReply(myTeam, body)?.data
  expect(JSON.stringify(list)).toContain('AMARA7')
  expect(JSON.stringify(list)).toContain('"total":51')
})

it.each([
  ['where the contract says', { data: [row, row] }],
  ['three levels deeper', { data: { data: { data: { data: [row, row] } } } }],
])('[API-12] adds a meta to a list without one, %s', (_, body) => {
  expect(JSON.stringify(readReply(myTeam, body)?.data)).toContain('"total":2')
})

it.each([
  ['where the contract says', { data: [{ exchangeLimit: 10 }] }],
  ['as a page', { data: { data: [{ exchangeLimit: 10 }], meta } }],
  ['as the whole body', [{ exchangeLimit: 10 }]],
])('[API-12] finds plain rows %s', (_, body) => {
  expect(readReply(exchangeSettings, body)?.data[0]?.exchangeLimit).toBe(1_000_000_000n)
})

it('returns nothing when no form matches', () => {
  expect(readReply(login, { data: { token: 7 } })).toBeUndefined()
  expect(readReply(login, undefined)).toBeUndefined()
})

it('[API-97] reads the invoice service from the body or from body.data', () => {
  const invoice = { wallet_address: '0x9f', amount: 250, token_name: 'TIZARA', created_at: '2026-11-05T12:00:00.000Z' }
  for (const body of [invoice, { data: invoice }, { success: true, data: invoice }]) {
    expect(readReply(getInvoice, body)?.data.amount).toBe(25_000_000_000n)
  }
  const paid = { status: false, payment_status: 'completed' }
  for (const body of [paid, { data: paid }]) expect(readReply(getPaymentStatus, body)?.data).toMatchObject(paid)
})

it('validates a list row by row', async () => {
  const rows = [row, null, 'a', { ...row, name: 7 }, { ...row, updatedAt: 'yesterday' }]
  const read = (await readPartialReply(myTeam, { data: { data: rows, meta: null } }))?.data
  if (read === undefined) throw new Error('nothing was read')
  expect(read.meta).toEqual({ total: 5, page: 1, limit: 5 })
  expect(read.data[3]?.email).toBe('a@gmail.com')
  expect(() => read.data[3]?.name).toThrow('name cannot be read')
  expect(() => read.data[4]?.updatedAt).toThrow('updatedAt cannot be read')
  expect(() => read.data[1]?.name).toThrow('cannot be read')
})
