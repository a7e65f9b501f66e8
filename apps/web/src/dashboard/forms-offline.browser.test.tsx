import { buyToken } from '@tizara/contract/coin'
import { createPayment } from '@tizara/contract/deposits'
import { exchangeSettings } from '@tizara/contract/settings'
import {
  convertToMyWallet,
  exchangeToMyWallet,
  myWalletToUsd,
  nftToDepositWallet,
  swapNativeToMyWallet,
  withdrawRcmCoin,
} from '@tizara/contract/transfers'
import { bridge, withdrawDeposit } from '@tizara/contract/withdrawals'
import { payoutGuard } from '@tizara/contract/withdrawals-guard'
import type { Route } from '@tizara/contract'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import { type DialogName, OpenDialog } from './dialogs.tsx'

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'
const dialog = () => page.getByRole('dialog')
const box = () => page.getByRole('alertdialog')
const field = (label: string) => dialog().getByRole('textbox', { name: label, exact: true })

/** Forms that move money: the dialog, its call, what is typed, and the button. */
const FORMS: readonly [name: DialogName, route: Route, typed: Readonly<Record<string, string>>, button: string][] = [
  ['deposit', createPayment, { Amount: '25' }, 'Deposit'],
  ['buy-token', buyToken, { 'Coin Amount': '1000' }, 'Buy Now'],
  ['swap', swapNativeToMyWallet, { Amount: '10' }, 'Swap'],
  ['my-to-deposit', myWalletToUsd, { Amount: '1500' }, 'Swap'],
  ['exchange', exchangeToMyWallet, {}, 'Transfer'],
  ['nft-to-deposit', nftToDepositWallet, { Amount: '10' }, 'Transfer'],
  ['convert', convertToMyWallet, { USD: '2.5' }, 'Convert'],
  ['rcm', withdrawRcmCoin, { Amount: '100' }, 'Withdraw'],
  ['withdraw', withdrawDeposit, { Amount: '50', 'Wallet Address (Bep 20)': ADDRESS }, 'Withdraw'],
  ['bridge', bridge, { Amount: '50', Address: ADDRESS }, 'Bridge'],
]

it.each(FORMS)('%s keeps what was typed when the network fails, and repeats the call with its key', async (name, route, typed, button) => {
  const api = memberApi()
    .reply(payoutGuard, { proof: 'password', confirmHours: 24, delayHours: 24, held: null, addresses: [] })
    .reply(exchangeSettings, [{ exchangeLimit: 100 }])
    .drop(route)
  await mount(<OpenDialog name={name} start={undefined} onClose={() => undefined} />)
  for (const [label, text] of Object.entries(typed)) await field(label).fill(text)
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await dialog().getByRole('button', { name: button, exact: true }).click()
    // A bridge is confirmed first (UI-M-BRIDGE-05).
    if (name === 'bridge') await box().getByRole('button', { name: 'Yes', exact: true }).click()
    await expect.poll(() => api.calls(route).length).toBe(attempt)
    await expect.element(box()).toBeVisible()
    await box().getByRole('button', { name: 'OK', exact: true }).click()
    await expect.element(box()).not.toBeInTheDocument()
  }
  for (const [label, text] of Object.entries(typed)) await expect.element(field(label)).toHaveValue(text)
  const [first, second] = api.calls(route).map(({ headers }) => headers.get('Idempotency-Key'))
  expect(second).toBe(first)
})
