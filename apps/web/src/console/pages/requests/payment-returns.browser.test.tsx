import { staffMe } from '@tizara/contract/staff'
import { errorCatalogue } from '@tizara/contract/errors'
import { cancelPaymentReturn, proposePaymentReturn } from '@tizara/contract/staff-payment-returns'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testItem, testStaff } from '../../../test/staff-api.ts'

const [TO, READ] = [`0x${'ab'.repeat(20)}`, '2026-03-02T09:00:00.000Z']
const one = { asset: 'usd' as const, received: 196, networkFee: 4, address: TO, createdAt: READ, cancelling: false }
const paid = testItem('d2-mina', 'Mina Sato', {
  kind: 'deposits',
  returnable: [{ asset: 'usd', amount: 200, networkFee: 4, received: 196 }],
  returns: [
    { ...one, id: 'r1', state: 'QUEUED', problem: 'the hot wallet has too little of the token' },
    { ...one, id: 'r2', state: 'DONE', endedAt: READ, txHash: '0xfeed' },
  ],
})
const open = (...rights: string[]) => {
  const api = staffApi([paid]).reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...rights] })
  return openConsole(`/staff/deposits/${paid.id}`).then(() => api)
}
const returns = () => page.getByRole('region', { name: 'Returns to the payer' })

it('proposes the return of the shown amount to the address of the payer', async () => {
  const api = await open('proposePaymentReturn')
  await expect.element(returns().getByText('200.00 USD can be returned. 196.00 USD arrive after the network fee.')).toBeVisible()
  await expect.element(page.getByText(/It can be returned to its payer afterwards/)).toBeVisible()
  await press('Return USD…')
  expect(await axeViolations()).toEqual([])
  const dialog = page.getByRole('dialog', { name: 'Return to the payer' })
  await userEvent.fill(dialog.getByLabelText('Reason'), 'paid in the other token')
  await press('Propose the return')
  await expect.element(dialog.getByText('Please enter an address')).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Address of the payer'), ` ${TO} `)
  api.refuse(proposePaymentReturn, 400, errorCatalogue.INVALID_ADDRESS.message)
  await press('Propose the return')
  await expect.element(dialog.getByText(errorCatalogue.INVALID_ADDRESS.message)).toBeVisible()
  api.reply(proposePaymentReturn, { proposalId: 'p1' })
  await press('Propose the return')
  await expect
    .poll(() => api.calls(proposePaymentReturn).at(-1))
    .toMatchObject({ params: { id: paid.id }, body: { asset: 'usd', amount: 200, address: TO, reason: 'paid in the other token' } })
  await expect.element(page.getByText('Proposed; another person has to approve it')).toBeVisible()
})

it('fills in the address that the member named, which staff cannot change', async () => {
  const requestedReturn = {
    ...paid,
    returnable: [{ asset: 'usd' as const, amount: 200, networkFee: 4, received: 196, requested: { address: TO, at: READ } }],
  }
  staffApi([requestedReturn]).reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'proposePaymentReturn'] })
  await openConsole(`/staff/deposits/${paid.id}`)
  await expect.element(returns().getByText(/^The member asked/)).toBeVisible()
  await press('Return USD…')
  const field = page.getByRole('dialog').getByLabelText('Address of the payer')
  await expect.element(field).toHaveValue(TO)
  await expect.element(field).toHaveAttribute('readonly')
})

it('shows the returns, and cancels an open one with a reason', async () => {
  const api = await open('cancelPaymentReturn')
  api.reply(cancelPaymentReturn, { state: 'CANCELLED' })
  await expect.element(returns().getByText('the hot wallet has too little of the token')).toBeVisible()
  await expect.element(returns().getByText(/^Arrived/)).toBeVisible()
  await expect.element(returns().getByText('0xfeed')).toBeVisible()
  await expect.poll(() => returns().getByRole('button').elements().length).toBe(1)
  await press('Cancel the return')
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'wrong address')
  await press('Cancel it')
  await expect.poll(() => api.calls(cancelPaymentReturn)).toMatchObject([{ params: { id: 'r1' }, body: { reason: 'wrong address' } }])
})

it('offers no action to a person without the rights', async () => {
  await open()
  await expect.element(returns()).toBeVisible()
  await expect.poll(() => returns().getByRole('button').elements().length).toBe(0)
})
