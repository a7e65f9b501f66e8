import {
  addPayoutAddress,
  cancelPayout,
  challengePayoutAddress,
  confirmByLink,
  confirmPayout,
  confirmPayoutAddress,
  payoutGuard,
  payoutLink,
  provePayout,
  provePayoutAddress,
  removePayoutAddress,
  stopByLink,
} from '@tizara/contract/withdrawals-guard'
import { bridge, bridgeHistory, withdrawalHistory, withdrawDeposit } from '@tizara/contract/withdrawals'
import type { WireReplyOf } from '@tizara/contract'
import { addr, eip191Signer } from 'micro-eth-signer'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import AddressBookCard from '../members/addresses/address-book-card.tsx'
import { formatTime } from '../lib/format.ts'
import { announceWallet, walletError } from '../test/browser-wallets.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import BridgeHistoryScreen from './bridge-history.screen.tsx'
import BridgeDialog from './bridge.dialog.tsx'
import { OpenPayouts } from './open-payouts.tsx'
import PayoutLinkScreen from './payout-link.screen.tsx'
import WithdrawDialog from './withdraw.dialog.tsx'
import WithdrawalHistoryScreen from './withdrawal-history.screen.tsx'

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'
const SOON = new Date(Date.now() + 3_600_000).toISOString()
const entry = { id: 'a1', address: ADDRESS, network: 0, label: 'My wallet', createdAt: '2026-01-05T09:00:00.000Z', usableFrom: null }
const guard: WireReplyOf<typeof payoutGuard> = { proof: 'password', confirmHours: 24, delayHours: 24, held: null, addresses: [] }
let api: FakeApi
const onClose = vi.fn()

beforeEach(() => {
  api = memberApi().reply(payoutGuard, guard)
  onClose.mockReset()
})

const dialog = () => page.getByRole('dialog')
const box = () => page.getByRole('alertdialog')
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const field = (label: string) =>
  label === 'Password' ? dialog().getByLabelText(label, { exact: true }) : dialog().getByRole('textbox', { name: label, exact: true })
const bodies = (route: Parameters<FakeApi['calls']>[0]) => api.calls(route).map(({ body }) => body)

describe('a payout to an address outside the address book', () => {
  const fill = async (address = ADDRESS) => {
    const screen = await mount(<WithdrawDialog onClose={onClose} />)
    await field('Amount').fill('50')
    await field('Wallet Address (Bep 20)').fill(address)
    return screen
  }

  it('[UI-M-WITHDRAW-06] sends the typed confirmation along, and nothing when it is rejected', async () => {
    api.refuse(provePayout, 400, 'The current password is not right').reply(withdrawDeposit, null, 'Requested')
    await fill()
    await field('Password').fill('wrong')
    await press('Withdraw')
    await expect.element(dialog().getByText('The current password is not right')).toBeVisible()
    expect(bodies(withdrawDeposit)).toEqual([])
    api.reply(provePayout, { stepUp: 'the-proof' })
    await field('Password').fill('right')
    await press('Withdraw')
    await expect.element(box().getByText('Requested')).toBeVisible()
    const input = { kind: 'withdrawal', address: ADDRESS, network: 0, amount: 50 }
    expect(bodies(provePayout).at(-1)).toEqual({ ...input, password: 'right' })
    expect(bodies(withdrawDeposit)).toEqual([{ amount: 50, address: ADDRESS, stepUp: 'the-proof' }])
  })

  it('repeats an unanswered call with the same confirmation and key, also from a reopened form', async () => {
    api.reply(provePayout, { stepUp: 'first' }).drop(withdrawDeposit)
    const screen = await fill()
    await field('Password').fill('right')
    await press('Withdraw')
    await box().getByRole('button', { name: 'OK' }).click()
    await screen.unmount()
    api.reply(provePayout, { stepUp: 'second' }).reply(withdrawDeposit, null, 'Requested')
    await fill()
    await field('Password').fill('right')
    await press('Withdraw')
    await expect.element(box().getByText('Requested')).toBeVisible()
    const [one, two] = api.calls(withdrawDeposit)
    expect(one?.body).toEqual({ amount: 50, address: ADDRESS, stepUp: 'first' })
    expect([two?.body, two?.headers.get('Idempotency-Key')]).toEqual([one?.body, one?.headers.get('Idempotency-Key')])
  })

  it('[UI-M-BRIDGE-09] may omit the confirmation, and says that a link is mailed', async () => {
    api.reply(bridge, { receipt: { kind: 'bridge', id: 'b1' }, waitsUntil: SOON })
    await mount(<BridgeDialog onClose={onClose} />)
    await field('Address').fill(ADDRESS)
    await expect.element(field('Password')).toBeVisible()
    await field('Amount').fill('5')
    await press('Bridge')
    await box().getByRole('button', { name: 'Yes' }).click()
    await expect
      .element(
        box().getByText(
          `One step left: confirm with the link in your mail or in your history. Otherwise the money returns on ${formatTime(new Date(SOON))}.`,
        ),
      )
      .toBeVisible()
    expect(bodies(bridge)).toEqual([{ to: ADDRESS, amount: 5 }])
    expect(api.calls(provePayout)).toHaveLength(0)
  })

  it('asks for the code of an authenticator app, and for nothing when the address is in use', async () => {
    const used = { ...entry, address: ADDRESS.toLowerCase(), usableFrom: '2026-01-06T09:00:00.000Z' }
    api.reply(payoutGuard, { ...guard, proof: 'otp', addresses: [used] })
    await fill(ADDRESS.replace('0x9', '0x8'))
    await expect.element(field('Authenticator code')).toBeVisible()
    await field('Wallet Address (Bep 20)').fill(ADDRESS)
    await expect.element(field('Authenticator code')).not.toBeInTheDocument()
  })

  it('fills in a saved address of the network, and offers none that awaits confirmation', async () => {
    const usableFrom = '2026-01-06T09:00:00.000Z'
    const addresses = [
      { ...entry, usableFrom },
      { ...entry, id: 'a2', label: 'Not confirmed', address: ADDRESS.replace('0x9', '0x8') },
      { ...entry, id: 'a3', label: 'Other network', network: 1, usableFrom },
    ]
    api.reply(payoutGuard, { ...guard, addresses })
    await mount(<WithdrawDialog onClose={onClose} />)
    const saved = dialog().getByRole('group', { name: 'Saved' })
    await saved.getByRole('button', { name: 'My wallet …7560Cc' }).click()
    await expect.element(field('Wallet Address (Bep 20)')).toHaveValue(ADDRESS)
    expect(saved.getByRole('button').elements()).toHaveLength(1)
  })

  it('shows the end and the reason of a payout freeze', async () => {
    api.reply(payoutGuard, { ...guard, held: { until: SOON, why: 'a new device signed in' } })
    await fill()
    await expect.element(dialog().getByText(/a new device signed in. If it was you, just wait/)).toBeVisible()
  })
})

describe('a row that awaits confirmation', () => {
  const meta = { total: 1, page: 1, limit: 25 }
  const createdAt = '2026-11-05T10:00:00.000Z'

  it('[LS-35] is confirmed with the password, after the full address was shown', async () => {
    const row = { id: 'p1', createdAt, user: { email: 'amara@gmail.com' }, amount: 100, fee: 5, recived: 93, address: ADDRESS }
    api.reply(withdrawalHistory, { data: [{ ...row, status: 'PENDING', waitsUntil: SOON }], meta }).reply(confirmPayout, null)
    await mount(<WithdrawalHistoryScreen />)
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
    await expect.element(dialog().getByRole('button', { name: 'Confirm payout' })).toBeVisible()
    expect(dialog().element().textContent?.replaceAll(/\s/g, '')).toContain(ADDRESS)
    await press('Confirm payout')
    await expect.element(dialog().getByText('This field is required')).toBeVisible()
    await field('Password').fill('secret')
    await press('Confirm payout')
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(api.calls(confirmPayout)[0]).toMatchObject({ params: { id: 'p1' }, body: { password: 'secret' } })
  })

  it('shows its steps on the receipt, with action and deadline', async () => {
    const row = {
      id: 'p1',
      createdAt,
      user: { email: 'amara@gmail.com' },
      amount: 100,
      fee: 5,
      recived: 93,
      networkFee: 2,
      address: ADDRESS,
    }
    api.reply(withdrawalHistory, { data: [{ ...row, status: 'PENDING', waitsUntil: SOON }], meta })
    await mount(<WithdrawalHistoryScreen />)
    await expect.element(page.getByText('+ 2.00 USD network fee')).toBeVisible()
    await page.getByRole('button', { name: 'Open receipt 1' }).click()
    const steps = page.getByRole('list', { name: 'Steps of the withdrawal' }).getByRole('listitem')
    await expect.element(steps.nth(1)).toHaveAttribute('aria-current', 'step')
    await expect
      .poll(() => steps.nth(1).element().textContent)
      .toMatch(/Your confirmation.*Confirm it by .*Otherwise the money returns to your wallet/)
    await dialog().getByRole('button', { name: 'Confirm withdrawal' }).first().click()
    await expect.element(dialog().getByRole('button', { name: 'Confirm payout' })).toBeVisible()
  })

  it('is on the dashboard with its next step, which a link opens, as are payouts on their way', async () => {
    const row = { createdAt, user: { email: 'amara@gmail.com' }, amount: 100, fee: 5, recived: 93, address: ADDRESS }
    const of = <Changes extends { status: string }>(id: string, changes: Changes) => ({
      ...row,
      id,
      receipt: { kind: 'withdrawal' as const, id },
      ...changes,
    })
    const rows = [
      of('p1', { status: 'PENDING', waitsUntil: SOON }),
      of('p2', { status: 'APPROVE', sending: 'arrived' as const }),
      of('p3', { status: 'REJECT' }),
    ]
    api.reply(withdrawalHistory, { data: rows, meta })
    api.reply(bridgeHistory, {
      data: [{ id: 'b1', createdAt, to: ADDRESS, amount: 12.5, desc: '0.25', status: true, sending: 'confirming' }],
      meta,
    })
    const shown = await mount(<OpenPayouts />)
    const open = page.getByRole('list', { name: 'Withdrawals under way' }).getByRole('listitem')
    await expect.element(open.nth(1)).toBeVisible()
    await expect.poll(() => open.elements().length).toBe(2)
    await expect.poll(() => open.nth(0).element().textContent).toMatch(/Withdrawal.*100\.00.*Confirm it by/s)
    await expect.poll(() => open.nth(1).element().textContent).toMatch(/Bridge.*12\.50.*It is waiting for confirmations/s)
    const href = '/history/usd-transfer-history?receipt=withdrawal.p1'
    await expect.element(open.getByRole('link', { name: 'Confirm withdrawal' })).toHaveAttribute('href', href)
    expect(await axeViolations()).toEqual([])
    await shown.unmount()
    await mount(<WithdrawalHistoryScreen />, href)
    await dialog().getByRole('button', { name: 'Confirm withdrawal' }).click()
    await expect.element(dialog().getByRole('button', { name: 'Confirm payout' })).toBeVisible()
  })

  it('[LS-29] is cancelled, and keeps a rejection visible', async () => {
    const row = { id: 'b1', createdAt, to: ADDRESS, amount: 12.5, desc: '0.25', status: null, waitsUntil: SOON }
    api.reply(bridgeHistory, { data: [row], meta }).refuse(cancelPayout, 400, 'This request has already been decided')
    await mount(<BridgeHistoryScreen />)
    await page.getByRole('button', { name: 'Confirm bridge' }).click()
    await press('Cancel payout')
    await expect.element(dialog().getByText('This request has already been decided')).toBeVisible()
    api.reply(cancelPayout, null)
    await press('Cancel payout')
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(api.calls(cancelPayout)).toHaveLength(2)
  })
})

describe('the page of the mailed link', () => {
  const about: WireReplyOf<typeof payoutLink> = {
    about: 'payout',
    state: 'waiting',
    address: ADDRESS,
    network: 0,
    amount: 100,
    asset: 'usd',
    createdAt: '2026-11-05T10:00:00.000Z',
    confirmBy: SOON,
    stopped: false,
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  it('reads without a session, keeps the token out of the address bar, and confirms on click only', async () => {
    api.reply(payoutLink, about).reply(confirmByLink, null)
    await mount(<PayoutLinkScreen />, '/payout#payout.p1.sig%2B')
    await expect.element(button('Confirm payout')).toBeVisible()
    expect(location.href).not.toContain('sig')
    expect(api.calls(payoutLink)[0]?.headers.get('Authorization')).toBe('payout.p1.sig+')
    expect(api.names().filter((name) => name !== 'payoutLink')).toEqual([])
    api.reply(payoutLink, { ...about, state: 'confirmed' })
    await button('Confirm payout').click()
    await expect.element(button('Confirm payout')).not.toBeInTheDocument()
    await expect.element(page.getByText('This is confirmed. If it was not you, stop it now.')).toBeVisible()
    expect(api.calls(confirmByLink)[0]?.headers.get('Authorization')).toBe('payout.p1.sig+')
  })

  it('stops payouts and shows the next step', async () => {
    api.reply(payoutLink, { ...about, state: 'paid' }).reply(stopByLink, { returned: false })
    await mount(<PayoutLinkScreen />, '/payout#payout.p1.sig')
    await expect.element(button('Confirm payout')).not.toBeInTheDocument()
    api.reply(payoutLink, { ...about, state: 'paid', stopped: true })
    await button('This was not me: stop payouts').click()
    await expect.element(page.getByRole('link', { name: 'Choose a new password' })).toHaveAttribute('href', '/auth/forgot-password')
    await expect.element(button('This was not me: stop payouts')).not.toBeInTheDocument()
  })

  it('shows that a link is invalid', async () => {
    api.refuse(payoutLink, 400, 'This link is not valid any more')
    await mount(<PayoutLinkScreen />, '/payout')
    await expect.element(page.getByRole('alert')).toHaveTextContent('This link is not valid any more')
  })
})

describe('the address book', () => {
  it('adds an address, confirms it and removes it, and shows the delay', async () => {
    api.reply(addPayoutAddress, { id: 'a1' }, 'Please confirm the address with the link that we mailed you')
    await mount(<AddressBookCard />)
    await expect.element(page.getByText('No saved addresses yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Add address' }).click()
    await field('Name').fill('My wallet')
    await field('Address').fill(ADDRESS)
    api.reply(payoutGuard, { ...guard, addresses: [entry] })
    await press('Add address')
    await page.getByRole('button', { name: 'Confirm My wallet' }).click()
    expect(bodies(addPayoutAddress)).toEqual([{ label: 'My wallet', address: ADDRESS, network: 0 }])
    api
      .reply(confirmPayoutAddress, null, 'The address is confirmed')
      .reply(payoutGuard, { ...guard, addresses: [{ ...entry, usableFrom: SOON }] })
    await field('Password').fill('secret')
    await press('Confirm address')
    await expect.element(page.getByText(/Without a confirmation from/)).toBeVisible()
    expect(api.calls(confirmPayoutAddress)[0]).toMatchObject({ params: { id: 'a1' }, body: { password: 'secret' } })
    api.reply(removePayoutAddress, null).reply(payoutGuard, guard)
    await page.getByRole('button', { name: 'Remove My wallet' }).click()
    await box().getByRole('button', { name: 'Remove it' }).click()
    await expect.element(page.getByText('No saved addresses yet.')).toBeVisible()
    expect(api.calls(removePayoutAddress)[0]?.params).toEqual({ id: 'a1' })
  })
})

describe('the proof of an address', () => {
  const { privateKey, address } = addr.random()
  const mine = { ...entry, address, usableFrom: SOON }
  const MESSAGE = 'example.org wants you to sign in\nNonce: 00ff'
  const textOf = (data: unknown) =>
    new TextDecoder().decode(Uint8Array.from(String(data).slice(2).match(/../g) ?? [], (pair) => Number(`0x${pair}`)))
  const wallet = (changed: Record<string, (params: readonly unknown[]) => unknown> = {}) =>
    announceWallet({
      eth_requestAccounts: () => [address],
      eth_accounts: () => [address],
      personal_sign: ([data]) => eip191Signer.sign(textOf(data), privateKey),
      ...changed,
    })
  const start = async () => {
    await mount(<AddressBookCard />)
    await page.getByRole('button', { name: 'Prove My wallet' }).click()
    await press('Test Wallet')
  }

  beforeEach(() => {
    api.reply(payoutGuard, { ...guard, addresses: [mine] }).reply(challengePayoutAddress, { message: MESSAGE })
  })

  it('is a signature of its account over the message of the server', async () => {
    wallet()
    api.reply(provePayoutAddress, null, 'The address is proven')
    await mount(<AddressBookCard />)
    await page.getByRole('button', { name: 'Prove My wallet' }).click()
    await expect.element(dialog().getByRole('button', { name: 'Test Wallet' })).toBeVisible()
    expect(await axeViolations()).toEqual([])
    api.reply(payoutGuard, { ...guard, addresses: [{ ...mine, provenBy: 'key' }] })
    await press('Test Wallet')
    await expect.element(page.getByText('Proven by its key')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Prove My wallet' })).not.toBeInTheDocument()
    const [sent] = api.calls(provePayoutAddress)
    expect(sent?.params).toEqual({ id: 'a1' })
    const { signature } = (sent?.body ?? {}) as { signature: string }
    expect(eip191Signer.verify(signature, MESSAGE, address)).toBe(true)
  })

  it.each([
    [
      'the wallet uses another account',
      { eth_requestAccounts: () => [ADDRESS] },
      'Your wallet uses another account. Choose the account of this address there.',
    ],
    [
      'the account changed before the signature',
      { eth_accounts: () => [ADDRESS] },
      'The account in your wallet changed. Choose the wallet again.',
    ],
    [
      'the member rejects the signature',
      { personal_sign: () => Promise.reject(walletError(4001)) },
      'You rejected the request in your wallet. Nothing was sent.',
    ],
    ['the wallet returns something else', { personal_sign: () => 'yes' }, 'Your wallet returned no signature.'],
  ])('is not sent when %s', async (_, changed, expected) => {
    wallet(changed)
    await start()
    await expect.element(dialog().getByRole('alert')).toHaveTextContent(expected)
    expect(api.calls(provePayoutAddress)).toHaveLength(0)
  })

  it('shows the rejection of the server', async () => {
    wallet()
    api.refuse(provePayoutAddress, 400, 'The message to sign has expired, please start again')
    await start()
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('The message to sign has expired, please start again')
  })

  it('needs a wallet in the browser, and an address of an EVM chain', async () => {
    api.reply(payoutGuard, { ...guard, addresses: [mine, { ...mine, id: 'a2', label: 'Tron', network: 2 }] })
    await mount(<AddressBookCard />)
    await page.getByRole('button', { name: 'Prove My wallet' }).click()
    await expect.element(dialog().getByText('This browser has no wallet.', { exact: false })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Prove Tron' })).not.toBeInTheDocument()
  })
})
