import { createHash } from 'node:crypto'
import { accountingFormats } from '@tizara/contract/staff-accounting'
import { expect, it } from 'vitest'
import { allTransfers } from '../access/transfer-kinds.ts'
import { DEFAULT_CHART } from './chart.rules.ts'
import { type MonthJournal, renderDeclarations, renderJournal } from './render-journal.rules.ts'

const journal: MonthJournal = {
  close: { month: '2026-10', afterId: 1n, lastId: 90n, transfers: 3n, hash: 'f00' },
  totals: [
    {
      day: '2026-10-02',
      kind: 'stake',
      debit: 'nativeWallet',
      credit: 'stakeWallet',
      transfers: 2n,
      amount: 2_000_000_000_000_000_000_000_000_001n,
    },
    { day: '2026-10-01', kind: 'deposit', debit: 'SYS-DEPOSIT USD', credit: 'depositWallet', transfers: 1n, amount: 1n },
  ],
  prices: [
    { day: '2026-10-01', price: 780_000n },
    { day: '2026-10-02', price: 790_000n },
  ],
}
const render = (format: (typeof accountingFormats)[number], part = journal) => renderJournal(format, part, DEFAULT_CHART, allTransfers)

it('writes sorted entries with all 8 decimals, above 64 bits too, and the coin price of each day', () => {
  expect(render('hledger')).toContain(`P 2026-10-02 COIN 0.00790000 USD

2026-10-01 (2026-10-0001) deposit  ; SYS-DEPOSIT USD > depositWallet, transfers: 1
    Assets:Payments:Received  0.00000001 USD
    Liabilities:Members:Deposit-Wallets  -0.00000001 USD

2026-10-02 (2026-10-0002) stake  ; nativeWallet > stakeWallet, transfers: 2
    Liabilities:Members:Native-Wallets  20000000000000000000.00000001 COIN
`)
  expect(render('csv')).toContain(
    '2026-10-02,2026-10-0002,stake,nativeWallet > stakeWallet,Liabilities:Members:Stakes,,20000000000000000000.00000001,COIN,0.00790000,2\r\n',
  )
  expect(render('beancount')).toContain('2026-10-01 price COIN 0.00780000 USD\n2026-10-02 price')
})

it('writes the same text for totals in any order', () => {
  for (const format of accountingFormats) expect(render(format, { ...journal, totals: journal.totals.toReversed() })).toBe(render(format))
})

it('keeps the form of its files, whose digests are stored: another form needs a new FORM', () => {
  const texts = accountingFormats.flatMap((format) => [render(format), renderDeclarations(format, DEFAULT_CHART)])
  expect(createHash('sha256').update(texts.join('\0')).digest('hex')).toMatchInlineSnapshot(
    `"66f1a2a5612c381a2c6146b7078c2d7f2d5da626e00682eb4caec700066eef8b"`,
  )
})
