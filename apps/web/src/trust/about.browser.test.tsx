import { inviter, publicOffer, trustPage } from '@tizara/contract/trust'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { memberApi } from '../test/member-api.ts'
import { openApp } from '../test/open-app.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
    .reply(publicOffer, {
      coinPrice: 0.008,
      plans: [
        { id: 'gold', planName: 'Gold', duration: 100, minimum: 500, apy: 10 },
        { id: 'long', planName: 'Long', duration: 365, minimum: 2000, apy: 40 },
      ],
    })
    .reply(trustPage, {
      at: '2026-03-05T12:00:00.000Z',
      reserves: [{ asset: 'usd', wallets: 100, holds: 4, earned: 3, liabilities: 107, books: 108.5 }],
      rewardPool: [{ asset: 'coin', balance: 999.5, promised: 990.25, owed: 10.75, coverage: 99.96 }],
      forecast: [],
      proof: null,
      ledger: null,
    })
})

const region = (name: string) => page.getByRole('region', { name, exact: true })

it('shows a visitor price, plans, pool, risks and reserves without accessibility violations', async () => {
  await openApp('/about')
  await expect.element(page.getByRole('heading', { level: 1, name: 'How Tizara works' })).toBeVisible()
  await expect.element(region('Price and plans').getByText('1 TIZARA = 0.008 USD')).toBeVisible()
  await expect.element(region('Price and plans').getByText('over 365 days')).toBeVisible()
  for (const amount of ['999.50', '990.25', '10.75']) await expect.element(region('How rewards are paid').getByText(amount)).toBeVisible()
  await expect.element(region('What may go wrong').getByText(/can fall/)).toBeVisible()
  await expect.element(region('Reserves').getByText('108.50')).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('calculates cost, rewards and value, also at half the price', async () => {
  await openApp('/about')
  const calculator = region('Calculator')
  const values = () => [...calculator.element().querySelectorAll('dd')].map((value) => value.textContent)
  await expect.poll(() => calculator.elements().length).toBe(1)
  expect(values()).toEqual(['≈ 4.00 USD', '≈ 0.50 TIZARA', '≈ 50.00 TIZARA', '500.00 TIZARA', '≈ 4.40 USD', '≈ 2.20 USD'])
  await userEvent.fill(calculator.getByLabelText('Amount'), '1000')
  expect(values()).toEqual(['≈ 8.00 USD', '≈ 1.00 TIZARA', '≈ 100.00 TIZARA', '1,000.00 TIZARA', '≈ 8.80 USD', '≈ 4.40 USD'])
  await userEvent.selectOptions(calculator.getByLabelText('Plan'), 'long')
  await expect.element(calculator.getByText('Minimum amount is 2000')).toBeVisible()
  expect(values()).toEqual([])
})

it('names the inviter and keeps the referral code on the way to sign-up', async () => {
  api.reply(inviter, { firstName: 'Amara' })
  await openApp('/about?referralCode=AMARA7')
  const link = page.getByRole('main').getByRole('link', { name: 'Sign Up', exact: true })
  await expect.element(link).toHaveAttribute('href', '/auth/signup?referralCode=AMARA7')
  await expect.element(page.getByText('Amara invites you. Sign up here to join the team of Amara.')).toBeVisible()
  expect(api.calls(inviter).map(({ query }) => query.get('code'))).toEqual(['AMARA7'])
})

it('shows how it works without figures when the server lacks them', async () => {
  api.refuse(publicOffer, 404, 'Not found').refuse(trustPage, 404, 'Not found')
  await openApp('/about')
  await expect.element(region('What may go wrong')).toBeVisible()
  await expect.element(region('Price and plans')).not.toBeInTheDocument()
})
