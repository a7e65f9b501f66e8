import { login } from '@tizara/contract/auth'
import { myTeam } from '@tizara/contract/members'
import { userWallet } from '@tizara/contract/wallets'
import { expect, it } from 'vitest'
import { readReply } from './read-reply.ts'

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

it('[API-12] gives a list without meta one of its own', () => {
  expect(JSON.stringify(readReply(myTeam, { data: [row, row] })?.data)).toContain('"total":2')
})

it('reads nothing where nothing fits', () => {
  expect(readReply(login, { data: { token: 7 } })).toBeUndefined()
  expect(readReply(login, undefined)).toBeUndefined()
})
