import { staffMe } from '@tizara/contract/staff'
import { cancelHotWalletPayout, proposeColdMove, staffHotWallet } from '@tizara/contract/staff-hot-wallet'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const [WALLET, COLD, OTHER] = ['aa', 'cd', 'ef'].map((digits) => `0x${digits.repeat(20)}`) as [string, string, string]
const READ = '2026-03-02T09:00:00.000Z'
const move = { id: 'm1', asset: 'usd' as const, amount: 40, address: COLD, state: 'QUEUED' as const, createdAt: READ, cancelling: false }
const wallet = {
  wallet: WALLET,
  holdings: [
    { asset: 'usd' as const, balance: 5000, ceiling: 1000, surplus: 4000, readAt: READ, aboveSince: READ },
    { asset: 'coin' as const, balance: 12, ceiling: null, surplus: 0, readAt: READ, aboveSince: null },
  ],
  coldAddresses: [COLD, OTHER],
  moves: [
    { ...move, problem: 'the hot wallet has no such surplus' },
    { ...move, id: 'm0', kind: 'proceeds' as const, state: 'DONE' as const, endedAt: READ, txHash: '0xfeed' },
  ],
}
let api: FakeApi
const as = (...rights: string[]) =>
  api
    .reply(staffMe, {
      ...testStaff,
      rights: [...testStaff.rights, 'staffHotWallet', ...rights],
      whoCan: { proposeColdMove: ['FINANCE', 'ADMIN'] },
    })
    .reply(staffHotWallet, wallet)
beforeEach(() => {
  api = staffApi([])
})
const open = () => openConsole('/staff/hot-wallet')

it('proposes the surplus to the chosen cold address, and shows who else has to approve it', async () => {
  as('proposeColdMove').reply(proposeColdMove, { proposalId: 'p1' })
  await open()
  await expect.element(page.getByRole('row', { name: /5,000.00 USD.*1,000.00 USD.*4,000.00 USD/ })).toBeVisible()
  const [usd, coin] = ['5,000.00', '12.00'].map((text) => page.getByRole('row', { name: new RegExp(text) }).getByRole('button'))
  await expect.element(coin as never).toHaveAccessibleDescription('No ceiling is set')
  await expect.element(page.getByText('No ceiling is set')).toBeVisible()
  await userEvent.click(usd as never)
  await expect.element(page.getByLabelText('Amount in USD')).toHaveValue('4000')
  await userEvent.fill(page.getByLabelText('Reason'), 'above the ceiling')
  await userEvent.fill(page.getByLabelText('Amount in USD'), 'all')
  await press('Propose the move')
  await expect.element(page.getByText('Please enter an amount')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Amount in USD'), '3,500')
  await userEvent.click(page.getByRole('radio').nth(1))
  await press('Propose the move')
  await expect
    .poll(() => api.calls(proposeColdMove).map((call) => call.body))
    .toEqual([{ asset: 'usd', amount: 3500, address: OTHER, reason: 'above the ceiling' }])
  await expect.element(page.getByText('Proposed; another person has to approve it')).toBeVisible()
})

it('cancels an open move with a reason, and offers it for no ended one', async () => {
  as('cancelHotWalletPayout').reply(cancelHotWalletPayout, { state: 'CANCELLED' })
  await open()
  await expect.element(page.getByText('the hot wallet has no such surplus')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /40.00 USD.*Proceeds.*Arrived/ })).toBeVisible()
  await expect.poll(() => page.getByRole('button', { name: 'Cancel', exact: true }).elements().length).toBe(1)
  await press('Cancel')
  await userEvent.fill(page.getByLabelText('Reason'), 'payouts first')
  await press('Cancel the move')
  await expect.poll(() => api.calls(cancelHotWalletPayout).map((call) => call.body)).toEqual([{ reason: 'payouts first' }])
})

it('offers no action to a person without the rights', async () => {
  as()
  await open()
  await expect.element(page.getByText('FINANCE or ADMIN can move it').first()).toBeVisible()
  await expect.poll(() => page.getByRole('button', { name: /Move to|^Cancel$/ }).elements().length).toBe(0)
})

it('explains a missing wallet and a missing cold address', async () => {
  as().reply(staffHotWallet, { wallet: null, holdings: [], coldAddresses: [], moves: [] })
  await open()
  await expect.element(page.getByText('No hot wallet yet')).toBeVisible()
  await expect.element(page.getByText(/No cold addresses yet/)).toBeVisible()
})
