import { myProof, trustPage } from '@tizara/contract/trust'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeFaults } from '../test/list-check.tsx'
import { memberApi } from '../test/member-api.ts'
import { mount, tidyUp } from '../test/mount.tsx'
import TrustScreen from './trust.screen.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
})
afterEach(() => {
  vi.restoreAllMocks()
  api.restore()
  tidyUp()
})

const at = '2026-03-05T12:00:00.000Z'
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const sha = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** Builds a two-leaf tree; the member's is on the right. */
async function twoLeaves() {
  const own = 'm1|depositWallet=1000000000|salt'
  const [mine, other] = await Promise.all([sha(new TextEncoder().encode(own)), sha(new TextEncoder().encode('somebody else'))])
  const root = hex(await sha(Uint8Array.from([...other, ...mine])))
  return {
    root,
    proof: {
      id: 's1',
      at,
      root,
      algorithm: 'SHA-256',
      leaf: own,
      leafHash: hex(mine),
      path: [{ side: 'left' as const, hash: hex(other) }],
    },
  }
}

const figures = (root: string) => ({
  at,
  reserves: [
    { asset: 'usd' as const, liabilities: 100, reserves: 107.5, ratio: 107.5 },
    { asset: 'coin' as const, liabilities: 100, reserves: 1_571_196.4, ratio: 1_571_196.4 },
  ],
  rewardPool: [{ asset: 'coin' as const, balance: 999.6, promised: 990, owed: 10, coverage: 99.96 }],
  forecast: [{ month: '2026-04', kind: 'daily' as const, asset: 'coin' as const, amount: 500 }],
  proof: { id: 's1', root, at, members: 2 },
  ledger: { at, ok: true, transfers: 12 },
})

it('shows liabilities and reserves, and rounds no gap to zero', async () => {
  const { root, proof } = await twoLeaves()
  api.reply(trustPage, figures(root)).reply(myProof, proof)
  await mount(<TrustScreen />, '/trust')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Reserves and promises' })).toBeVisible()
  await expect.element(page.getByText('107.5%')).toBeVisible()
  await expect.element(page.getByText('15,711 times')).toBeVisible()
  const pool = page.getByRole('region', { name: 'Reward pool in TIZARA' })
  await expect.element(pool.getByText('Not covered')).toBeVisible()
  await expect.element(pool.getByText('99.9%')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Balances in USD' }).getByText('Covered')).toBeVisible()
  await expect.element(page.getByRole('slider', { name: /Promised rewards by month, in TIZARA/ })).toBeVisible()
  expect(await axeFaults()).toEqual([])
})

it('[I12] verifies on this device that the member’s balances are in the published root', async () => {
  const { root, proof } = await twoLeaves()
  api.reply(trustPage, figures(root)).reply(myProof, proof)
  await mount(<TrustScreen />, '/trust')
  await page.getByRole('button', { name: 'Check my balances' }).click()
  await expect.element(page.getByText('Your balances are in the published root')).toBeVisible()
})

it('[I12] shows an error when the balances are not in the root', async () => {
  const { root, proof } = await twoLeaves()
  api.reply(trustPage, figures(root)).reply(myProof, { ...proof, leaf: `${proof.leaf}0` })
  await mount(<TrustScreen />, '/trust')
  await page.getByRole('button', { name: 'Check my balances' }).click()
  await expect.element(page.getByText('Your balances do not lead to the published root')).toBeVisible()
})

it('shows the on-chain reserves, and the data to verify them elsewhere', async () => {
  const { root, proof } = await twoLeaves()
  const address = `0x${'ab'.repeat(20)}`
  const holdings = [{ address, asset: 'usd' as const, token: `0x${'cd'.repeat(20)}`, amount: 1234.5 }]
  const onChain = { at, chainId: 56, signer: address, holdings, text: 'Reserves of TIZARA\nfirst line', signature: `0x${'ef'.repeat(65)}` }
  api.reply(trustPage, { ...figures(root), onChain }).reply(myProof, proof)
  await mount(<TrustScreen />, '/trust')
  const card = page.getByRole('region', { name: 'What is on the chain' })
  await expect.element(card.getByText(address).first()).toBeVisible()
  await expect.element(card.getByText('1,234.50')).toBeVisible()
  await card.getByText('Check it yourself').click()
  await expect.element(card.getByText(/Reserves of TIZARA\s+first line/)).toBeVisible()
  await expect.element(card.getByRole('textbox', { name: 'Signature' })).toHaveValue(onChain.signature)
  expect(await axeFaults()).toEqual([])
})
