import { namePayee, payees } from '@tizara/contract/transfers'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { axeViolations } from '../../test/list-check.tsx'
import { memberApi } from '../../test/member-api.ts'
import { mount } from '../../test/mount.tsx'
import PayeesCard from './payees-card.tsx'

const bo = { email: 'bo@gmail.com', initials: 'B. O.', amount: 5, sentAt: '2026-03-05T12:00:00.000Z' }

it('[MF-09] gives a name to a person, and removes it', async () => {
  const api = memberApi()
    .reply(payees, { data: [bo] })
    .reply(namePayee, null)
  await mount(<PayeesCard />)
  await expect.element(page.getByText('B. O.')).toBeVisible()
  await page.getByRole('button', { name: /bo@gmail\.com$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Name this person' })
  await dialog.getByLabelText('Name', { exact: true }).fill(' Brother Bo ')
  expect(await axeViolations()).toEqual([])
  api.reply(payees, { data: [{ ...bo, name: 'Brother Bo' }] })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('The name is saved.')).toBeVisible()
  await expect.element(page.getByText('Brother Bo')).toBeVisible()
  await page.getByRole('button', { name: /bo@gmail\.com$/ }).click()
  await dialog.getByLabelText('Name', { exact: true }).fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('The name is removed.')).toBeVisible()
  expect(api.calls(namePayee).map(({ body }) => body)).toEqual([
    { email: 'bo@gmail.com', name: 'Brother Bo' },
    { email: 'bo@gmail.com', name: '' },
  ])
})
