import type { WireReplyOf } from '@tizara/contract'
import type { ProofStatement } from '@tizara/contract/balance-proof/proof-statement'
import type { BalanceProof } from '@tizara/contract/balance-proof/verify-proof'
import { myProof, trustHistory, trustPage } from '@tizara/contract/trust'
import { addr, eip191Signer } from 'micro-eth-signer'
import { reserveText } from '@tizara/contract/balance-proof/verify-signature'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { memberApi, testMember } from '../test/member-api.ts'
import { sampleProof } from '../test/sample-proof.ts'
import { mount } from '../test/mount.tsx'
import TrustScreen from './trust.screen.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
})

const at = '2026-03-05T12:00:00.000Z'
const ONE = 100_000_000n
const owed = { usd: 107n * ONE, coin: 3n * ONE }
const promised = { usd: 0n, coin: 500n * ONE }
/** Builds the tester's published day. */
const dayOf = (changes: Partial<ProofStatement> = {}) => sampleProof({ member: testMember.id, owed, promised, changes })

const figures = (proof: WireReplyOf<typeof trustPage>['proof']) => ({
  at,
  reserves: [
    { asset: 'usd' as const, wallets: 100, holds: 4, earned: 3, liabilities: 107, books: 107.5 },
    { asset: 'coin' as const, wallets: 3, holds: 0, earned: 0, liabilities: 3, books: 1_571_196.4 },
  ],
  rewardPool: [{ asset: 'coin' as const, balance: 999.6, promised: 990, owed: 10, coverage: 99.96 }],
  forecast: [{ month: '2026-04', kind: 'daily' as const, asset: 'coin' as const, amount: 500 }],
  proof,
  ledger: { at, ok: true, transfers: 12 },
})

it('shows the published sums, the balances now and the coverage of rewards, rounded down', async () => {
  const { row, proof } = await dayOf()
  api.reply(trustPage, figures(row)).reply(myProof, proof).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Reserves and promises' })).toBeVisible()
  const published = page.getByRole('region', { name: 'Published today' })
  await expect.element(published.getByText('107.00')).toBeVisible()
  await expect.element(published.getByText('500.00')).toBeVisible()
  const now = page.getByRole('region', { name: 'Balances in USD, now' })
  await expect.element(now.getByText('Received and kept, by the books')).toBeVisible()
  await expect.element(now.getByText('107.50')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'What is on the chain' }).getByText(/connected to no chain/)).toBeVisible()
  const pool = page.getByRole('region', { name: 'Reward pool in TIZARA' })
  await expect.element(pool.getByText('Not covered')).toBeVisible()
  await expect.element(pool.getByText('99.9%')).toBeVisible()
  await expect.element(page.getByRole('slider', { name: /Promised rewards by month, in TIZARA/ })).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('keeps the height of the heading when the figures arrive', async () => {
  const { row, proof } = await dayOf()
  const release = api.reply(myProof, proof).reply(trustHistory, [row]).hold(trustPage, figures(row))
  await page.viewport(390, 844)
  await mount(<TrustScreen />, '/trust')
  const subtitle = page.getByText(/^From the ledger/).first()
  await expect.element(subtitle).toBeVisible()
  const height = subtitle.element().getBoundingClientRect().height
  release()
  await expect.element(page.getByRole('region', { name: 'Published today' })).toBeVisible()
  expect(subtitle.element().getBoundingClientRect().height).toBe(height)
})

it('[I12] checks on this device that the member’s amounts are part of the published numbers', async () => {
  const { row, proof } = await dayOf()
  api.reply(trustPage, figures(row)).reply(myProof, proof).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  await page.getByRole('button', { name: 'Check my amounts' }).click()
  await expect.element(page.getByText('Your amounts are part of the published numbers')).toBeVisible()
  const card = page.getByRole('region', { name: 'Check your own amounts' })
  await expect.element(card.getByText('107.00')).toBeVisible()
  await expect.element(card.getByText('500.00')).toBeVisible()
})

it.each([
  [
    'an amount is raised',
    'A path does not lead to the published root',
    (proof: BalanceProof) => Object.assign(proof.owed[0] ?? {}, { usd: '10700000001' }),
  ],
  ['an amount is negative', 'An amount is negative', (proof: BalanceProof) => Object.assign(proof.owed[0] ?? {}, { usd: '-4000' })],
  ['it belongs to another member', 'This proof belongs to another member', (proof: BalanceProof) => Object.assign(proof, { member: 'm2' })],
])('[I12] rejects a proof when %s, with the reason', async (_, reason, change) => {
  const { row, proof } = await dayOf()
  change(proof)
  api.reply(trustPage, figures(row)).reply(myProof, proof).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  await page.getByRole('button', { name: 'Check my amounts' }).click()
  await expect.element(page.getByText('Your amounts do not lead to the published numbers')).toBeVisible()
  await expect.element(page.getByText(new RegExp(reason))).toBeVisible()
})

it('[I12] rejects the proof of a day that is not in the history', async () => {
  const { row } = await dayOf()
  const { proof } = await dayOf({ at: '2026-03-05T13:00:00.000Z' })
  api.reply(trustPage, figures(row)).reply(myProof, proof).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  await page.getByRole('button', { name: 'Check my amounts' }).click()
  await expect.element(page.getByText(/The statement of the proof is not the published one of its day/)).toBeVisible()
})

it('[I12] tells a member who is missing that the tree does not include them', async () => {
  const { row } = await dayOf()
  api.reply(trustPage, figures(row)).refuse(myProof, 404, 'Not found').reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  await expect.element(page.getByText('You are not in this tree')).toBeVisible()
  await expect.element(page.getByText(/proofs of other members cannot show that you are missing/)).toBeVisible()
})

it('[I12] rejects a history that contradicts a day that this device has seen', async () => {
  const { row } = await dayOf()
  localStorage.setItem('tizaraSeenProof', `1 ${'ab'.repeat(32)}`)
  api.reply(trustPage, figures(row)).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  await expect.element(page.getByText('The published history does not hold')).toBeVisible()
  await expect.element(page.getByText(/contradicts a row that this device has seen before/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Check my amounts' })).toBeDisabled()
})

it('[I12] keeps the newest day that it has seen, and shows the change', async () => {
  const first = await dayOf({ day: '2026-03-04' })
  const second = await dayOf({ number: 2, previous: first.row.digest, unassigned: { usd: 0n, coin: 2n * ONE } })
  api.reply(trustPage, figures(second.row)).reply(myProof, second.proof).reply(trustHistory, [first.row, second.row])
  await mount(<TrustScreen />, '/trust')
  await expect.element(page.getByText(/more than the day before/)).toBeVisible()
  expect(localStorage.getItem('tizaraSeenProof')).toBe(`2 ${second.row.digest}`)
  expect(await axeViolations()).toEqual([])
})

/** Returns an address, and signatures by its key. */
function keyOf(byte: number) {
  const key = new Uint8Array(32).fill(byte)
  return { address: addr.fromPrivateKey(key).toLowerCase(), sign: (text: string) => eip191Signer.sign(text, key) }
}

/** Builds a published day with reserves: the payout address, cold storage, and collected deposits without a signature. */
async function dayWithReserves({ by = keyOf(1), changes = {} }: { by?: ReturnType<typeof keyOf>; changes?: Partial<ProofStatement> } = {}) {
  const [payouts, cold, swept] = [keyOf(1), keyOf(2), keyOf(3)]
  const token = `0x${'cd'.repeat(20)}`
  const signature = cold.sign(reserveText('Tizara', 56, cold.address))
  const { row, proof } = await dayOf({
    ...changes,
    reserves: {
      chainId: 56,
      block: 1234,
      holdings: [
        { role: 'payouts', address: payouts.address, token, usd: 40n * ONE, signature: null },
        { role: 'swept', address: swept.address, token, usd: 900n * ONE, signature: null },
        { role: 'cold', address: cold.address, token, usd: 10n * ONE, signature },
      ],
      deposits: { unswept: 2, inTurn: 3, all: 9, usd: 7n * ONE },
    },
  })
  return { proof, row: { ...row, signer: payouts.address, signature: by.sign(row.text) }, addresses: { payouts, cold, swept } }
}

it('[I12] shows the reserves on the chain with the ratio of those whose keys have signed, and the signed text', async () => {
  const { row, proof, addresses } = await dayWithReserves()
  api.reply(trustPage, figures(row)).reply(myProof, proof).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  const card = page.getByRole('region', { name: 'What is on the chain' })
  for (const { address } of Object.values(addresses)) await expect.element(card.getByText(address)).toBeVisible()
  // 57 of 107 USD: 900 USD at an address without a signature do not count.
  await expect.element(card.getByText('USD owed: 53.2% covered')).toBeVisible()
  await expect.element(card.getByText('Not counted: no signature of its key')).toBeVisible()
  await expect.element(card.getByText('2 that hold a payment, and a daily sample of 3 out of 9')).toBeVisible()
  const meaning = page.getByRole('region', { name: 'What this proves' })
  await expect.element(meaning.getByText(/This device has checked the signature/)).toBeVisible()
  await meaning.getByText('Check it yourself').click()
  await expect.element(meaning.getByText(/reserves chain 56 block 1234/)).toBeVisible()
  await expect.element(meaning.getByRole('textbox', { name: 'Signature' })).toHaveValue(row.signature)
  expect(await axeViolations()).toEqual([])
})

it('[I12] rejects a history whose newest day is signed by another key, and shows none of its numbers', async () => {
  const { row, proof } = await dayWithReserves({ by: keyOf(9) })
  api.reply(trustPage, figures(row)).reply(myProof, proof).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  await expect.element(page.getByText(/A statement is not signed by the key that it names/)).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Published today' })).not.toBeInTheDocument()
  expect(localStorage.getItem('tizaraSeenProof')).toBeNull()
})

it('shows the figures of the history, not those of another reply', async () => {
  const { row, proof } = await dayOf()
  const other = await dayOf({ members: 99_999 })
  api.reply(trustPage, figures(other.row)).reply(myProof, proof).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  await expect.element(page.getByText(/The amounts of 1 member on/)).toBeVisible()
})

it('loads the history again when the proof is of a day that was published meanwhile', async () => {
  const first = await dayOf({ day: '2026-03-04' })
  const second = await dayOf({ number: 2, previous: first.row.digest })
  api.reply(trustPage, figures(first.row)).reply(myProof, second.proof).reply(trustHistory, [first.row])
  await mount(<TrustScreen />, '/trust')
  await expect.element(page.getByRole('button', { name: 'Check my amounts' })).toBeEnabled()
  api.reply(trustHistory, [first.row, second.row])
  await page.getByRole('button', { name: 'Check my amounts' }).click()
  await expect.element(page.getByText('Your amounts are part of the published numbers')).toBeVisible()
})

it('offers the proof, the history and the checker as files, and explains which data a proof reveals', async () => {
  const { row, proof } = await dayOf()
  api.reply(trustPage, figures(row)).reply(myProof, proof).reply(trustHistory, [row])
  await mount(<TrustScreen />, '/trust')
  const card = page.getByRole('region', { name: 'Check your own amounts' })
  await expect.element(card.getByRole('link', { name: 'Download the checker' })).toHaveAttribute('href', '/proof-checker.html')
  await expect.element(card.getByRole('heading', { name: 'What a proof reveals' })).toBeVisible()
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download)
  })
  const made = vi.spyOn(URL, 'createObjectURL')
  await card.getByRole('button', { name: 'Download proof.json' }).click()
  await card.getByRole('button', { name: 'Download history.json' }).click()
  await expect.poll(() => names).toEqual(['proof.json', 'history.json'])
  const contents = await Promise.all(made.mock.calls.map(async ([file]) => JSON.parse(await new Response(file as Blob).text())))
  expect(contents).toEqual([proof, [row]])
})

it('charts owed, promised and reserves of each asset over the days, with a legend and a table', async () => {
  const first = await dayOf({ day: '2026-03-04', at: '2026-03-04T00:00:10.000Z' })
  const second = await dayWithReserves({ changes: { number: 2, previous: first.row.digest } })
  api.reply(trustPage, figures(second.row)).reply(myProof, second.proof).reply(trustHistory, [first.row, second.row])
  await mount(<TrustScreen />, '/trust')
  const usd = page.getByRole('region', { name: 'Published days, in USD' })
  const chart = usd.getByRole('slider', { name: /^Owed, Promised, Reserves on the chain, in USD/ })
  await expect
    .element(chart)
    .toHaveAttribute('aria-valuetext', '5 Mar 2026: Owed 107.00 USD, Promised 0.00 USD, Reserves on the chain 57.00 USD')
  const legend = () =>
    usd
      .getByRole('listitem')
      .elements()
      .map((item) => item.textContent)
  expect(legend()).toEqual(['Owed', 'Promised', 'Reserves on the chain'])
  const cells = () =>
    usd
      .getByRole('row')
      .elements()
      .map((row) => [...row.children].map((cell) => cell.textContent))
  expect(cells()).toEqual([
    ['Date', 'Owed', 'Promised', 'Reserves on the chain'],
    ['4 Mar 2026', '107.00 USD', '0.00 USD', 'not published'],
    ['5 Mar 2026', '107.00 USD', '0.00 USD', '57.00 USD'],
  ])
  chart.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
  await expect
    .element(chart)
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/^4 Mar 2026: .* Reserves on the chain not published$/))
  // Two lines through both days, and one dot for the only day with reserves.
  const hasLine = () => [...chart.element().querySelectorAll('svg path')].map((path) => path.getAttribute('d')?.includes('L') ?? false)
  // The chart draws once its width is measured.
  await expect.poll(hasLine).toEqual([true, true, false])
  const coin = page.getByRole('region', { name: /^Published days, in (?!USD)/ })
  await expect.element(coin.getByRole('slider', { name: /^Owed, Promised, in / })).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('[I12] shows the transaction that published the newest digest on a chain, and which day it binds', async () => {
  const first = await dayOf({ day: '2026-03-04' })
  const second = await dayOf({ number: 2, previous: first.row.digest })
  const onChain = { chainId: 56, hash: `0x${'12'.repeat(32)}`, sender: `0x${'34'.repeat(20)}`, block: 77 }
  const rows = [{ ...first.row, onChain }, second.row]
  api.reply(trustPage, figures(second.row)).reply(myProof, second.proof).reply(trustHistory, rows)
  await mount(<TrustScreen />, '/trust')
  const meaning = page.getByRole('region', { name: 'What this proves' })
  // The newest day is not final on the chain yet, so the day before is shown.
  await expect.element(meaning.getByText(first.row.digest)).toBeVisible()
  const field = meaning.getByRole('textbox', { name: /Transaction in block 77 of chain 56, by 0x34/ })
  await expect.element(field).toHaveValue(onChain.hash)
  await expect.element(meaning.getByText(/not on a chain/)).not.toBeInTheDocument()
  expect(await axeViolations()).toEqual([])
})
