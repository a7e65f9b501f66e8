import type { AccountingFormat } from '@tizara/contract/staff-accounting'
import { writeCsv } from '@tizara/contract/csv'
import { formatUnits, type Units } from '@tizara/money'
import { assetOfSide, type Close, type JournalTotal, type TransferKind } from '../../../ledger/index.ts'
import { accountIn, accountNames, type Chart, chartDigest } from './chart.rules.ts'

/** Price of one coin in USD units, from a day on. */
export interface DayPrice {
  /** `YYYY-MM-DD` */
  day: string
  price: Units
}

/** Parts of a month's file. */
export interface MonthJournal {
  close: Close
  totals: readonly JournalTotal[]
  prices: readonly DayPrice[]
}

/** An entry of the books: one amount from an account to another. */
interface BookEntry {
  number: string
  day: string
  kind: string
  debit: string
  credit: string
  sides: string
  transfers: bigint
  amount: string
  commodity: string
}

const EXTENSIONS: Readonly<Record<AccountingFormat, string>> = { csv: 'csv', hledger: 'journal', beancount: 'beancount' }
export const fileNameOf = (month: string | undefined, format: AccountingFormat): string => `${month ?? 'accounts'}.${EXTENSIONS[format]}`

/** Formats units with all 8 decimals. */
function exact(units: Units): string {
  const [whole = '', decimals = ''] = formatUnits(units).split('.')
  return `${whole}.${decimals.padEnd(8, '0')}`
}

/**
 * Writes the journal of a closed month. Equal parts give equal text: entries are sorted, and there is no time of writing.
 * @throws ChartError for transfers without an account
 */
export function renderJournal(
  format: AccountingFormat,
  { close, totals, prices }: MonthJournal,
  chart: Chart,
  kinds: Readonly<Record<string, TransferKind>>,
): string {
  const entries = totals
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((total, index): BookEntry => {
      const account = (side: typeof total.debit) => accountIn(chart, kinds, total.kind, side)
      return {
        number: `${close.month}-${String(index + 1).padStart(4, '0')}`,
        day: total.day,
        kind: total.kind,
        debit: account(total.debit),
        credit: account(total.credit),
        sides: `${total.debit} > ${total.credit}`,
        transfers: total.transfers,
        amount: exact(total.amount),
        commodity: chart.commodities[assetOfSide(total.debit)],
      }
    })
  if (format === 'csv') return csvOf(entries, prices, chart)
  const head = `; Journal of ${close.month}, ${close.transfers} transfers, period close ${close.hash}, chart ${chartDigest(chart)}\n\n`
  const priceLines = prices.map(({ day, price }) =>
    format === 'hledger'
      ? `P ${day} ${chart.commodities.COIN} ${exact(price)} ${chart.commodities.USD}\n`
      : `${day} price ${chart.commodities.COIN} ${exact(price)} ${chart.commodities.USD}\n`,
  )
  return [head, ...priceLines, ...entries.map(format === 'hledger' ? hledgerEntry : beancountEntry)].join('')
}

const keyOf = ({ day, kind, debit, credit }: JournalTotal) => [day, kind, debit, credit].join('\n')

const hledgerEntry = ({ number, day, kind, debit, credit, sides, transfers, amount, commodity }: BookEntry) =>
  `\n${day} (${number}) ${kind}  ; ${sides}, transfers: ${transfers}\n    ${debit}  ${amount} ${commodity}\n    ${credit}  -${amount} ${commodity}\n`

const beancountEntry = ({ number, day, kind, debit, credit, sides, transfers, amount, commodity }: BookEntry) =>
  `\n${day} * "${kind}"\n  number: "${number}"\n  ledger: "${sides}"\n  transfers: ${transfers}\n  ${debit}  ${amount} ${commodity}\n  ${credit}  -${amount} ${commodity}\n`

const CSV_HEAD = [
  'Date',
  'Entry',
  'Kind',
  'Accounts of the ledger',
  'Account',
  'Debit',
  'Credit',
  'Commodity',
  'Coin price (USD)',
  'Transfers',
]

function csvOf(entries: readonly BookEntry[], prices: readonly DayPrice[], chart: Chart): string {
  const rows = entries.flatMap((entry) => {
    const price = entry.commodity === chart.commodities.COIN ? prices.findLast(({ day }) => day <= entry.day) : undefined
    const row = (account: string, debit: string, credit: string) => [
      entry.day,
      entry.number,
      entry.kind,
      entry.sides,
      account,
      debit,
      credit,
      entry.commodity,
      price === undefined ? '' : exact(price.price),
      String(entry.transfers),
    ]
    return [row(entry.debit, entry.amount, ''), row(entry.credit, '', entry.amount)]
  })
  return writeCsv([CSV_HEAD, ...rows])
}

/** Writes the file that declares accounts and commodities. Journals of all months use it. */
export function renderDeclarations(format: AccountingFormat, chart: Chart): string {
  const { USD, COIN } = chart.commodities
  const accounts = accountNames(chart)
  if (format === 'csv')
    return writeCsv([
      ['Account of the ledger', 'Kind', 'Account'],
      ...Object.entries(chart.accounts).map(([side, account]) => [side, '', account]),
      ...Object.entries(chart.kinds).flatMap(([kind, sides]) => Object.entries(sides).map(([side, account]) => [side, kind, account])),
    ])
  if (format === 'hledger')
    return [...[USD, COIN].map((name) => `commodity 1000.00000000 ${name}\n`), '\n', ...accounts.map((name) => `account ${name}\n`)].join(
      '',
    )
  return [
    `option "operating_currency" "${USD}"\n\n`,
    ...[USD, COIN].map((name) => `1970-01-01 commodity ${name}\n`),
    '\n',
    ...accounts.map((name) => `1970-01-01 open ${name}\n`),
  ].join('')
}
