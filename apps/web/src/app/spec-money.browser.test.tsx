import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, signedIn } from '../test/open-app.tsx'
import { specBalances } from '../test/spec-answers.ts'
import { scrollDownTo } from '../test/scroll-down.ts'
import { specPage } from '../test/spec-page.ts'

let at: ReturnType<typeof specPage>

beforeEach(() => {
  at = specPage()
})

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'
const dialog = () => page.getByRole('dialog')
const box = () => page.getByRole('alertdialog')

/** Opens a dashboard modal from the header, a wallet card, an NFT tile or the coin panel. */
async function openModal(region: string, button: string, title: string): Promise<void> {
  await openApp('/dashboard', signedIn)
  if (region === 'DOME') await scrollDownTo(region)
  const scope = region === '' ? page.getByRole('main') : page.getByRole('region', { name: region, exact: true })
  await scope.getByRole('button', { name: button, exact: true }).first().click()
  await expect.element(dialog().getByRole('heading', { name: title, exact: true })).toBeVisible()
  await at.expectSound()
}

const fill = async (label: string, text: string) => await dialog().getByRole('textbox', { name: label, exact: true }).fill(text)
const press = async (name: string) => await dialog().getByRole('button', { name, exact: true }).click()

for (const { ids, region, button, title, fields, submit, call, body, toast } of [
  {
    ids: '[UI-M-WITHDRAW-06] [API-36]',
    region: '',
    button: 'Withdraw',
    title: 'Withdraw Deposit Wallet (Bep 20)',
    fields: { Amount: '50', 'Wallet Address (Bep 20)': ADDRESS },
    submit: 'Withdraw',
    call: 'POST /deposit-wallet/transfer-deposit-wallet',
    body: { amount: 50, address: ADDRESS },
    toast: 'Withdrawal requested',
  },
  {
    ids: '[UI-M-EXCHANGE-04] [UI-M-EXCHANGE-05] [API-38]',
    region: 'ICO Wallet',
    button: 'Transfer to My Wallet',
    title: 'Transfer to My Wallet',
    fields: {},
    submit: 'Transfer',
    call: 'POST /tizara-exchagne-and-convart/exchange-to-my-wallet',
    body: { amount: 123.46 },
    toast: 'Exchanged',
  },
  {
    ids: '[UI-M-CONVERT-06] [API-39] [CO-15]',
    region: 'NFT Wallet',
    button: 'Convart',
    title: 'Convert to My Wallet',
    fields: { USD: '2.5' },
    submit: 'Convert',
    call: 'POST /tizara-exchagne-and-convart/convart-to-my-wallet',
    body: { usd: 2.5 },
    toast: 'Converted',
  },
  {
    ids: '[UI-M-NFT2DEP-04] [API-40]',
    region: 'NFT Wallet',
    button: 'Transfer',
    title: 'Transfer to Deposit',
    fields: { Amount: '20' },
    submit: 'Transfer',
    call: 'POST /usd-transfer/nft-to-deposit-wallet',
    body: { amount: 20 },
    toast: 'Moved',
  },
  {
    ids: '[UI-M-U2U-06] [API-41]',
    region: 'Deposit Wallet',
    button: 'User To User Transfer',
    title: 'User To User Transfer',
    fields: { 'Transfer Amount (Min $5)': '12.5', 'Receiver Email': 'ben@gmail.com' },
    submit: 'Transfer',
    call: 'POST /usd-transfer/user-to-user-deposit',
    body: { amount: 12.5, email: 'ben@gmail.com' },
    toast: 'Transferred',
  },
  {
    ids: '[UI-M-MY2DEP-04] [API-42] [API-44]',
    region: 'My Wallet',
    button: 'Swap to USD',
    title: 'My Wallet to Deposit Wallet',
    fields: { Amount: '1500' },
    submit: 'Swap',
    call: 'POST /my-wallet/convart-to-usd',
    body: { amount: 1500 },
    toast: 'Swapped to USD',
  },
  {
    ids: '[UI-M-RCM-03] [API-43] [API-44]',
    region: 'RCM Wallet',
    button: 'Withdraw',
    title: 'RCM Wallet to Deposit Wallet',
    fields: { Amount: '1000' },
    submit: 'Withdraw',
    call: 'POST /special-rcm/withdraw-rcm-coin',
    body: { amount: 1000 },
    toast: 'Withdrawn',
  },
  {
    ids: '[UI-M-SWAP-02] [API-45]',
    region: 'Native Wallet',
    button: 'Swap',
    title: 'Swap',
    fields: { Amount: '10.5' },
    submit: 'Swap',
    call: 'POST /my-wallet/swap-native-to-my-wallet',
    body: { amount: 10.5 },
    toast: 'Swapped',
  },
  {
    ids: '[UI-M-BUYTOKEN-05] [API-46] [API-50]',
    region: 'TIZARA',
    button: 'Buy Now',
    title: 'Buy Token',
    fields: { 'Coin Amount': '1000.5' },
    submit: 'Buy Now',
    call: 'POST /buy-token',
    body: { coinPrice: 0.008, coinAmount: 1000.5, totalPrice: 8 },
    toast: 'Bought',
  },
]) {
  it(`${ids} [ST-38] [UI-M-COMMON-03] ${title} sends the keys of the specification and shows the server’s message`, async () => {
    await openModal(region, button, title)
    for (const [label, text] of Object.entries(fields)) await fill(label, text)
    const before = at.server.bodies('GET /user-wallet').length
    await press(submit)
    await expect.element(box().getByText(toast, { exact: true })).toBeVisible()
    expect(at.server.bodies(call)).toEqual([body])
    await expect.poll(() => at.server.bodies('GET /user-wallet').length).toBeGreaterThan(before)
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(box().getByText('See the receipt').elements()).toHaveLength(0)
    await at.expectSound()
  })
}

it('[UI-M-BRIDGE-09] [UI-M-BRIDGE-10] [API-37] [ER-23] Bridge sends to and amount, and shows a default message when the server sends none', async () => {
  await openModal('', 'Bridge', 'Bridge')
  await fill('Address', ADDRESS)
  await fill('Amount', '100')
  await press('Bridge')
  await box().getByRole('button', { name: 'Yes' }).click()
  await expect.element(box().getByText('Bridged Request success', { exact: true })).toBeVisible()
  expect(at.server.bodies('POST /withdrow-request')).toEqual([{ to: ADDRESS, amount: 100 }])
  await at.expectSound()
})

it('[UI-M-DEPOSIT-03] [API-33] [EN-56] Deposit sends the amount and shows the address of the payment page', async () => {
  await openModal('', 'Deposit', 'Deposit')
  at.server.set('POST /pay/create-payment', { success: true, data: { invoice_url: 'https://pay.example/i/1' } })
  await fill('Amount', '250')
  await press('Deposit')
  await expect.element(dialog().getByText('pay.example')).toBeVisible()
  expect(at.server.bodies('POST /pay/create-payment')).toEqual([{ amount: 250 }])
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await at.expectSound()
})

it('[UI-M-TOKENDEP-03] [UI-M-TOKENDEP-04] [API-35] [API-95] [EN-54] the deposit of the token opens its invoice', async () => {
  await openModal('', 'Payment', 'Deposit TIZARA')
  await fill('Amount', '250')
  await press('Deposit')
  await expect.poll(() => location.pathname + location.search).toBe('/invoice?id=invoice-1')
  expect(at.server.bodies('POST /autoPayRoutes/create-invoice')).toEqual([{ amount: 250 }])
  await expect.element(page.getByText(ADDRESS, { exact: false }).first()).toBeVisible()
  await at.expectSound()
})

it('[UI-M-STAKE-05] [API-47] [API-67] Stake Now sends the figures of the plan', async () => {
  await openModal('Stake Wallet', 'Stake Now', 'Stake Now')
  await dialog().getByRole('combobox', { name: 'Plan' }).selectOptions('plan-1')
  await dialog()
    .getByRole('radio', { name: /^My Wallet/ })
    .click()
  await fill('Stake Amount', '1000')
  await press('Stake Now')
  await expect.element(box().getByText('Successfully staked amount')).toBeVisible()
  expect(at.server.bodies('POST /stack-now')).toEqual([
    { dailyRoy: 3.28767123, planName: 'Gold', duration: 365, apy: 120, stakeAmount: 1000, planId: 'plan-1', wallet: 'mywallet' },
  ])
  await at.expectSound()
})

it('[UI-M-NFT-07] [API-48] [API-49] Purchase NFT sends payby, walletName and nftId', async () => {
  at.server.set('GET /user-wallet', { success: true, data: { ...specBalances, depositWallet: 300 } })
  await openModal('DOME', 'Buy Now', 'Purchase NFT')
  await dialog()
    .getByRole('radio', { name: /^Deposit Wallet/ })
    .click()
  await press('Buy Now')
  await expect.element(box().getByText('Successfully purchased', { exact: true })).toBeVisible()
  expect(at.server.bodies('POST /nft-purchese')).toEqual([{ payby: 'depositwallet', walletName: 'dome', nftId: 'nft-1' }])
  await at.expectSound()
})

it('[API-16] [API-36] [ER-20] a rejection with status 200 and a statusCode in the body is shown as a rejection', async () => {
  at.server.set('POST /deposit-wallet/transfer-deposit-wallet', { statusCode: 400, message: 'Insufficient balance' })
  await openModal('', 'Withdraw', 'Withdraw Deposit Wallet (Bep 20)')
  await fill('Amount', '50')
  await fill('Wallet Address (Bep 20)', ADDRESS)
  await press('Withdraw')
  await expect.element(box().getByRole('heading', { name: 'Failed', exact: true })).toBeVisible()
  await expect.element(box().getByText('Insufficient balance', { exact: true })).toBeVisible()
})
