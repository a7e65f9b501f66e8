import { createHash } from 'node:crypto'
import type { AccountingFormat } from '@tizara/contract/staff-accounting'
import * as v from 'valibot'
import type { Asset, Side, TransferKind } from '../../../ledger/index.ts'

/** Version of the files' form. A change of the form needs a new version: stored digests belong to the form and the chart. */
const FORM = 1

/** The operator's chart of accounts: names for both assets, and an account of the books for each side of a transfer. */
export interface Chart {
  commodities: Readonly<Record<Asset, string>>
  /** Account by side. */
  accounts: Readonly<Record<string, string>>
  /** Accounts that replace those of `accounts` in transfers of one kind: by kind, then by side. */
  kinds: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** The chart was rejected. The message names each entry. */
export class ChartError extends Error {}

/** The chart without a file of the operator. Wallets are claims of members; the operator's own coin is equity. */
export const DEFAULT_CHART: Chart = {
  commodities: { USD: 'USD', COIN: 'COIN' },
  accounts: {
    depositWallet: 'Liabilities:Members:Deposit-Wallets',
    nativeWallet: 'Liabilities:Members:Native-Wallets',
    icoWallet: 'Liabilities:Members:My-Wallets',
    newIcoWallet: 'Liabilities:Members:ICO-Wallets',
    stakeWallet: 'Liabilities:Members:Stakes',
    nftWallet: 'Liabilities:Members:NFT-Wallets',
    rcmWallet: 'Liabilities:Members:RCM-Wallets',
    'SYS-ISSUE COIN': 'Equity:Coin:Issued',
    'SYS-COIN COIN': 'Equity:Coin:Stock',
    'SYS-DEPOSIT USD': 'Assets:Payments:Received',
    'SYS-DEPOSIT COIN': 'Assets:Payments:Received',
    'SYS-WITHDRAW USD': 'Assets:Payments:Sent',
    'SYS-BRIDGE COIN': 'Assets:Payments:Sent',
    'SYS-HOLD USD': 'Liabilities:Members:Holds',
    'SYS-HOLD COIN': 'Liabilities:Members:Holds',
    'SYS-FEE USD': 'Income:Fees',
    'SYS-FEE COIN': 'Income:Fees',
    'SYS-SALES USD': 'Equity:Sales-Fund',
    'SYS-REWARD USD': 'Liabilities:Reward-Pool',
    'SYS-REWARD COIN': 'Liabilities:Reward-Pool',
    'SYS-OPERATOR USD': 'Assets:Operator-Money',
    'SYS-OPERATOR COIN': 'Assets:Operator-Money',
    'SYS-GAS USD': 'Assets:Payments:Network-Fees',
    'SYS-LOSS USD': 'Expenses:Deposit-Losses',
    'SYS-LOSS COIN': 'Expenses:Deposit-Losses',
    'SYS-IMPORT USD': 'Equity:Imported-Balances',
    'SYS-IMPORT COIN': 'Equity:Imported-Balances',
  },
  kinds: { networkCost: { 'SYS-OPERATOR USD': 'Expenses:Network-Fees' } },
}

const names = v.record(v.string(), v.string())
const chartSchema = v.strictObject({
  commodities: v.strictObject({ USD: v.string(), COIN: v.string() }),
  accounts: names,
  kinds: v.optional(v.record(v.string(), names), {}),
})

/** Characters of an account's name. */
const MAX_NAME = 120
/** Parts of letters, digits, blanks and `._/&'-`: no line break, and nothing that a journal or a spreadsheet reads as syntax. */
const PART = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._/&'-]*[\p{L}\p{N}.])?$/u
/** Two blanks end the name in a journal. */
const isAccount = (name: string) => name.length <= MAX_NAME && !name.includes('  ') && name.split(':').every((part) => PART.test(part))
/** Beancount requires one of five roots, and parts that start with a capital letter or digit. */
const BEANCOUNT_ACCOUNT = /^(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}\p{Nd}][\p{L}\p{Nd}-]*)+$/u
const COMMODITY = /^[A-Z]{2,12}$/

/** Shows text of the operator's file on one line. */
const quoted = (text: string) => JSON.stringify(text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text)

/**
 * Parses the operator's chart.
 * @throws ChartError naming each missing, unknown or invalid entry
 */
export function parseChart(text: string, kinds: Readonly<Record<string, TransferKind>>): Chart {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ChartError('The chart of accounts is not JSON')
  }
  const parsed = v.safeParse(chartSchema, json)
  if (!parsed.success)
    throw new ChartError(
      `The chart of accounts is invalid: ${parsed.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`.trim()).join('; ')}`,
    )
  const errors = chartErrors(parsed.output, kinds)
  if (errors.length > 0) throw new ChartError(`The chart of accounts is invalid: ${errors.join('; ')}`)
  return parsed.output
}

/** Lists what is wrong with a chart: both sides of each kind of transfer need an account. */
export function chartErrors(chart: Chart, kinds: Readonly<Record<string, TransferKind>>): string[] {
  const sides = new Map<string, string>()
  for (const [kind, { pairs }] of Object.entries(kinds)) for (const side of pairs.flat()) if (!sides.has(side)) sides.set(side, kind)
  const missing = [...sides]
    .filter(([side]) => !Object.hasOwn(chart.accounts, side))
    .map(([side, kind]) => `no account for ${side}, which ${kind} uses`)
  const unknown = Object.keys(chart.accounts)
    .filter((side) => !sides.has(side))
    .map((side) => `unknown account of the ledger ${quoted(side)}`)
  const misplaced = Object.entries(chart.kinds).flatMap(([kind, accounts]) => {
    const pairs = Object.hasOwn(kinds, kind) ? kinds[kind]?.pairs.flat() : undefined
    if (pairs === undefined) return [`unknown kind of transfer ${quoted(kind)}`]
    return Object.keys(accounts)
      .filter((side) => !pairs.some((one) => one === side))
      .map((side) => `${kind} does not use ${quoted(side)}`)
  })
  const invalid = accountNames(chart)
    .filter((name) => !isAccount(name))
    .map((name) => `invalid account name ${quoted(name)}`)
  const commodities = Object.values(chart.commodities)
    .filter((name) => !COMMODITY.test(name))
    .map((name) => `invalid commodity ${quoted(name)}, which must be 2 to 12 capital letters`)
  const same = chart.commodities.USD === chart.commodities.COIN ? ['both commodities have the same name'] : []
  return [...missing, ...unknown, ...misplaced, ...invalid, ...commodities, ...same]
}

/** @throws ChartError when a format cannot write an account's name */
export function assertFormat(chart: Chart, format: AccountingFormat): void {
  if (format !== 'beancount') return
  const invalid = accountNames(chart).filter((name) => !BEANCOUNT_ACCOUNT.test(name))
  if (invalid.length > 0)
    throw new ChartError(
      `Beancount cannot have these accounts: ${invalid.map(quoted).join(', ')}. Names start with Assets, Liabilities, Equity, Income or Expenses, and their parts with a capital letter or digit`,
    )
}

/** Returns all accounts of the books, each once, sorted by code unit. */
export const accountNames = (chart: Chart): string[] =>
  [...new Set([...Object.values(chart.accounts), ...Object.values(chart.kinds).flatMap((accounts) => Object.values(accounts))])].toSorted()

/**
 * Returns the account of the books for one side of a kind of transfer.
 * @throws ChartError for a kind or side that is not declared
 */
export function accountIn(chart: Chart, kinds: Readonly<Record<string, TransferKind>>, kind: string, side: Side): string {
  const declared = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (declared === undefined) throw new ChartError(`The ledger has transfers of an unknown kind: ${quoted(kind)}`)
  const account = chart.kinds[kind]?.[side] ?? chart.accounts[side]
  if (account === undefined || !declared.pairs.flat().includes(side)) throw new ChartError(`The ledger has ${quoted(kind)} on ${side}`)
  return account
}

/** SHA-256 over the chart and the files' form. Equal charts have one digest, whatever the order of their entries. */
export function chartDigest(chart: Chart): string {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, part]): [string, unknown] => [key, sorted(part)])
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
      : value
  return createHash('sha256')
    .update(JSON.stringify([FORM, sorted(chart)]))
    .digest('hex')
}
