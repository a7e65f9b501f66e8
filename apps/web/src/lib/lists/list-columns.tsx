import { Component, type ReactNode } from 'react'
import type { Asset } from '@tizara/contract/wallet-keys'
import { t } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import type { Column, PhonePosition } from '../../ui/data-table.tsx'
import { Money } from '../../ui/money.tsx'
import type { Precision } from '../../ui/money-format.ts'
import { unitOf } from '../asset-unit.ts'
import { readOr, Unreadable } from './damaged-row.ts'
import { Moment } from '../moment.tsx'

/** Cell value: text, count, amount in units, or time. */
export type CellValue = string | number | bigint | Date | null | undefined

/** History column. Its value appears in the list, the CSV file and problem reports. */
export interface ListColumn<Row> {
  key: string
  /** Exact text from its LS row; also the field name on phones. */
  header: string
  /** Use `right` for numbers. */
  align?: 'left' | 'right' | 'center' | undefined
  /** `index` counts from 0 over the whole list (LS-09). */
  value: (row: Row, index: number) => CellValue
  /** Custom rendering: a badge or shortened address. `precision` is `exact` in the row's details. */
  cell?: ((row: Row, index: number, precision: Precision) => ReactNode) | undefined
  /** Shows hours and minutes. */
  time?: boolean | undefined
  /** Asset of an amount, which sets its unit and decimals (CO-45). Other numbers, such as percentages, are shown as received. */
  asset?: Asset | undefined
  /** An amount that is always exact: a price of one coin. */
  exact?: boolean | undefined
  className?: string | undefined
  /** Position in a phone's row of two lines. Each list has a title and an amount or a state. */
  phone?: PhonePosition | undefined
  /** Mark of a row that phones show in front of `second`. */
  mark?: ((row: Row) => ReactNode) | undefined
  /** Excluded from the list; included in the CSV file only if a row has a value. */
  exportOnly?: boolean | undefined
}

export const inList = (column: { exportOnly?: boolean | undefined }): boolean => column.exportOnly !== true

/** Returns an amount's significant decimals. */
export function decimalsOf(amount: Units): number {
  return formatUnits(amount).split('.')[1]?.length ?? 0
}

/** Formats a value as plain text: amounts exact, times in UTC. */
export function plainText(value: CellValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint') return formatUnits(value)
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Returns a column's value for a row, or `unreadable` if the server sent it in no readable form. */
export function valueOf<Row>(column: ListColumn<Row>, row: Row, index: number, unreadable: CellValue = DASH): CellValue {
  return readOr(() => column.value(row, index), unreadable)
}

/** Placeholder for empty or unreadable values. */
const DASH = '–'
const Dash = ({ title }: { title?: string }) => (
  <span title={title} className="text-faint">
    {DASH}
  </span>
)

/** Shows a dash if rendering hits an unreadable value; the other cells stay. */
class Cell extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!(error instanceof Unreadable)) throw error
    return <Dash title={t('This cannot be read')} />
  }
}

function draw<Row>(column: ListColumn<Row>, row: Row, index: number, precision: Precision): ReactNode {
  const drawn = readOr(() => drawSound(column, row, index, precision), undefined)
  if (drawn === undefined) return <Dash title={t('This cannot be read')} />
  if (drawn === null || drawn === '') return <Dash />
  return typeof drawn === 'object' ? <Cell>{drawn}</Cell> : drawn
}

function drawSound<Row>(column: ListColumn<Row>, row: Row, index: number, precision: Precision): ReactNode {
  if (column.cell !== undefined) return column.cell(row, index, precision) ?? null
  const value = column.value(row, index) ?? null
  if (typeof value === 'bigint') {
    if (column.asset === undefined) return <Money value={value} decimals={decimalsOf(value)} />
    return <Money value={value} unit={unitOf(column.asset)} decimals={column.exact ? 'exact' : precision} />
  }
  if (value instanceof Date) return <Moment at={value} time={column.time} className="whitespace-nowrap" />
  return value
}

/** Returns the most decimals that a column has in these rows. */
function maxDecimalsOf<Row>(column: ListColumn<Row>, rows: readonly Row[]): number {
  const decimals = rows.map((row, index) => valueOf(column, row, index)).map((value) => (typeof value === 'bigint' ? decimalsOf(value) : 0))
  return Math.max(0, ...decimals)
}

/** Pads a number to the column's maximum decimals, so that decimal points align. */
function Room({ value, max }: { value: CellValue; max: number }) {
  const decimals = typeof value === 'bigint' ? decimalsOf(value) : max
  if (decimals >= max) return null
  const room = `${decimals === 0 ? '.' : ''}${'0'.repeat(max - decimals)}`
  return <span aria-hidden="true" data-room={room} className="hidden after:invisible after:content-[attr(data-room)] tbl:inline" />
}

/** Returns the table's columns; `rows` align their numbers. Without rows they are the fields of one row's details, with exact amounts. */
export function tableColumns<Row>(columns: readonly ListColumn<Row>[], rows?: readonly Row[]): Column<Row>[] {
  return columns.filter(inList).map((column) => {
    const { mark } = column
    const maxDecimals = column.asset === undefined && column.align === 'right' ? maxDecimalsOf(column, rows ?? []) : 0
    return {
      key: column.key,
      header: column.header,
      align: column.align,
      className: column.className,
      phone: column.phone,
      mark: mark && ((row) => readOr(() => mark(row), undefined)),
      cell: (row, index) => (
        <>
          {draw(column, row, index, rows === undefined ? 'exact' : 'short')}
          {maxDecimals > 0 && <Room value={valueOf(column, row, index)} max={maxDecimals} />}
        </>
      ),
    }
  })
}
