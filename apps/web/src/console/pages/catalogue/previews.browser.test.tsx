import { previewChange, priceHistory, staffCatalogue } from '@tizara/contract/staff-changes'
import { previewMail, staffMails } from '@tizara/contract/staff-mails'
import { staffMe } from '@tizara/contract/staff'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'
import { testCatalogue } from '../../../test/test-catalogue.ts'

const nft = { id: 'n1', name: 'Sea dome', title: 'By the sea', walletName: 'dome' as const, price: 1100, duration: 12, dailyRoi: 24 }
const mail = { name: 'payout-paid', title: 'Payout paid', when: 'When it was paid', isCustomized: false, optional: false }
const popup = { title: 'Maintenance', message: 'On Sunday.\r\nNot long.', isActive: true }

beforeEach(async () => {
  staffApi([])
    .reply(staffMe, { ...testStaff, rights: ['staffCatalogue', 'priceHistory', 'previewChange', 'change.nft', 'change.popup'] })
    .reply(staffCatalogue, { ...testCatalogue, popup, nfts: [{ ...nft, status: 'ACTIVE', quantity: 100, remaining: 900 }], decisions: {} })
    .reply(priceHistory, [])
    .reply(staffMails, [mail])
    .reply(previewMail, {
      ...mail,
      from: 'Tizara <house@example.com>',
      subject: 'Tizara: a withdrawal was paid',
      text: 'Hello Ada,\n\n<b>93 USD</b>',
    })
    .reply(previewChange, {
      rows: [],
      basedOn: '',
      hash: '',
      at: '2026-11-22T00:00:00Z',
      title: 'T',
      before: {},
      current: {},
      blocks: [],
      overlaps: [],
    })
  await openConsole('/staff/catalogue')
})

it('[GN-10] shows each mail as members receive it, as text', async () => {
  await press('Payout paid')
  const sheet = page.getByRole('dialog', { name: 'Payout paid' })
  await expect.element(sheet.getByText('Tizara: a withdrawal was paid')).toBeVisible()
  await expect.element(sheet.getByRole('region', { name: 'Text of the mail' })).toHaveTextContent('Hello Ada,<b>93 USD</b>')
  await expect.element(sheet.getByText(/members cannot switch it off/)).toBeVisible()
})

it('[UI-BUYNFT-04] shows the card of a proposed NFT as members see it, without a purchase', async () => {
  await press('Propose: Sea dome')
  const sheet = page.getByRole('dialog', { name: 'Sea dome' })
  await userEvent.fill(sheet.getByLabelText('Price, USD'), '2400')
  await userEvent.click(sheet.getByRole('button', { name: 'See what it does' }))
  const card = sheet.getByRole('img', { name: 'The card of Sea dome in the shop' })
  await expect.element(card).toBeVisible()
  await expect.poll(() => card.element().textContent).toMatch(/2,400\.00.*300,000\.00.*12 months.*24%.*900 left.*100 of 1,000 sold/)
  expect([...card.element().querySelectorAll('button')].map((button) => button.closest('[inert]') !== null)).toEqual([true])
})

it('[UI-DASH-47] shows an announcement as members see it', async () => {
  await press('Preview')
  await expect.element(page.getByRole('alertdialog', { name: 'Maintenance' })).toBeVisible()
  await expect.element(page.getByRole('alertdialog').getByText('Not long.')).toBeVisible()
})
