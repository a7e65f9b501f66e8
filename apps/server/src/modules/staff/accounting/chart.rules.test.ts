import { describe, expect, it } from 'vitest'
import { allTransfers } from '../access/transfer-kinds.ts'
import { accountIn, assertFormat, type Chart, chartDigest, chartErrors, DEFAULT_CHART, parseChart } from './chart.rules.ts'

const withAccount = (side: string, account: string): Chart => ({
  ...DEFAULT_CHART,
  accounts: { ...DEFAULT_CHART.accounts, [side]: account },
})
const parse = (chart: unknown) => parseChart(JSON.stringify(chart), allTransfers)

describe('chart of accounts', () => {
  it('has an account for both sides of every kind of transfer by default, in names of every format', () => {
    expect(chartErrors(DEFAULT_CHART, allTransfers)).toEqual([])
    expect(() => assertFormat(DEFAULT_CHART, 'beancount')).not.toThrow()
    expect(parse(DEFAULT_CHART)).toEqual(DEFAULT_CHART)
  })

  it('is rejected by name when an account is missing, unknown or in a kind that does not use it', () => {
    const { 'SYS-LOSS USD': _, ...accounts } = DEFAULT_CHART.accounts
    expect(() => parse({ ...DEFAULT_CHART, accounts })).toThrow('no account for SYS-LOSS USD, which depositLoss uses')
    expect(() => parse(withAccount('SYS-CONVERT USD', 'Assets:A'))).toThrow('unknown account of the ledger "SYS-CONVERT USD"')
    expect(() => parse({ ...DEFAULT_CHART, kinds: { stakes: {} } })).toThrow('unknown kind of transfer "stakes"')
    expect(() => parse({ ...DEFAULT_CHART, kinds: { toString: { depositWallet: 'A' } } })).toThrow('unknown kind of transfer "toString"')
    expect(() => parse({ ...DEFAULT_CHART, kinds: { stake: { depositWallet: 'Assets:A' } } })).toThrow('stake does not use "depositWallet"')
  })

  it.each([
    'A\nB',
    'A\r',
    'A\u2028B',
    'A  B',
    ' A',
    'A ',
    'A:',
    ':A',
    'A::B',
    '=1+1',
    '-A',
    '(A)',
    '[A]',
    'A;B',
    'A"B',
    'A|B',
    'A\u202eB',
    '',
    'A'.repeat(121),
  ])('is rejected when an account is called %j', (name) => {
    expect(() => parse(withAccount('depositWallet', name))).toThrow('invalid account name')
  })

  it.each(['1200 Bank', 'Verbindlichkeiten:Mitglieder & Co.', 'Assets:A/B'])('accepts the name %j, except for beancount', (name) => {
    expect(parse(withAccount('depositWallet', name)).accounts['depositWallet']).toBe(name)
    expect(() => assertFormat(withAccount('depositWallet', name), 'hledger')).not.toThrow()
    expect(() => assertFormat(withAccount('depositWallet', name), 'beancount')).toThrow(`Beancount cannot have these accounts: "${name}"`)
  })

  it('is rejected when it is no JSON, has another form, or names both commodities alike', () => {
    expect(() => parseChart('{', allTransfers)).toThrow('is not JSON')
    expect(() => parse([])).toThrow('The chart of accounts is invalid')
    expect(() => parse({ ...DEFAULT_CHART, more: 1 })).toThrow('more')
    expect(() => parse({ ...DEFAULT_CHART, commodities: { USD: 'USD', COIN: 'USD' } })).toThrow('both commodities have the same name')
    expect(() => parse({ ...DEFAULT_CHART, commodities: { USD: 'USD', COIN: 'c\n' } })).toThrow('invalid commodity "c\\n"')
  })

  it('rejects transfers of a kind, or on an account, that are not declared', () => {
    expect(accountIn(DEFAULT_CHART, allTransfers, 'networkCost', 'SYS-OPERATOR USD')).toBe('Expenses:Network-Fees')
    expect(accountIn(DEFAULT_CHART, allTransfers, 'fundSales', 'SYS-OPERATOR USD')).toBe('Assets:Operator-Money')
    expect(() => accountIn(DEFAULT_CHART, allTransfers, 'gift', 'depositWallet')).toThrow('unknown kind: "gift"')
    expect(() => accountIn(DEFAULT_CHART, allTransfers, 'toString', 'depositWallet')).toThrow('unknown kind: "toString"')
    expect(() => accountIn(DEFAULT_CHART, allTransfers, 'stake', 'depositWallet')).toThrow('"stake" on depositWallet')
  })

  it('has one digest in any order of its entries, and another one when a name changes', () => {
    const turned = { ...DEFAULT_CHART, accounts: Object.fromEntries(Object.entries(DEFAULT_CHART.accounts).toReversed()) }
    expect(chartDigest(turned)).toBe(chartDigest(DEFAULT_CHART))
    expect(chartDigest(withAccount('depositWallet', 'Liabilities:A'))).not.toBe(chartDigest(DEFAULT_CHART))
  })
})
