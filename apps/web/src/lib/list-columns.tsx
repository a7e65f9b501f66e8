import { Component, type ReactNode } from 'react'
import { formatUnits, type Units } from '@tizara/money'
import type { Column } from '../ui/data-table.tsx'
import { Money } from '../ui/money.tsx'
import { legibly, Unreadable } from './damaged-row.ts'
import { Moment } from './moment.tsx'

/** What a cell says: text, a count, an amount in units, a moment. */
export type CellValue = string | number | bigint | Date | null | undefined

/** A column of a history: its value is drawn in the list, written into the CSV file and quoted in a report. */
export interface ListColumn<Row> {
  key: string
  /** To the letter of its LS row; also the field's name on a phone. */
  header: string
  /** `right` for every number. */
  align?: 'left' | 'right' | 'center' | undefined
  /** `index` counts from 0 over the whole list (LS-09). */
  value: (row: Row, index: number) => CellValue
  /** Instead of the plain drawing: a badge, a shortened address. */
  cell?: ((row: Row, index: number) => ReactNode) | undefined
  /** A moment with hours and minutes. */
  time?: boolean | undefined
  /** Decimals of an amount; as sent when left out (CO-45). */
  decimals?: number | undefined
  className?: string | undefined
  /** Not in the list; in the CSV file only when a row has something to say. */
  exportOnly?: boolean | undefined
}

export const inList = (column: { exportOnly?: boolean | undefined }): boolean => column.exportOnly !== true

/** How many decimals an amount really has. */
export function decimalsOf(amount: Units): number {
  return formatUnits(amount).split('.')[1]?.length ?? 0
}

/** A value as plain text: amounts exact, moments in UTC. */
export function plainText(value: CellValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint') return formatUnits(value)
  return value instanceof Date ? value.toISOString() : String(value)
}

/** What a column says of a row; `unreadable` for what the server sent in no readable form. */
export function valueOf<Row>(column: ListColumn<Row>, row: Row, index: number, unreadable: CellValue = DASH): CellValue {
  return legibly(() => column.value(row, index), unreadable)
}

/** Stands where there is nothing to say, or nothing that can be read. */
const DASH = '–'
const Dash = ({ title }: { title?: string }) => (
  <span title={title} className="text-faint">
    {DASH}
  </span>
)

/** A drawing that meets something unreadable is a dash; its row keeps all the rest. */
class Cell extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!(error instanceof Unreadable)) throw error
    return <Dash title="This cannot be read" />
  }
}

function draw<Row>(column: ListColumn<Row>, row: Row, index: number): ReactNode {
  const drawn = legibly(() => drawSound(column, row, index), undefined)
  if (drawn === undefined) return <Dash title="This cannot be read" />
  if (drawn === null || drawn === '') return <Dash />
  return typeof drawn === 'object' ? <Cell>{drawn}</Cell> : drawn
}

function drawSound<Row>(column: ListColumn<Row>, row: Row, index: number): ReactNode {
  if (column.cell !== undefined) return column.cell(row, index) ?? null
  const value = column.value(row, index) ?? null
  if (typeof value === 'bigint') return <Money value={value} decimals={column.decimals ?? decimalsOf(value)} />
  if (value instanceof Date) return <Moment at={value} time={column.time} className="whitespace-nowrap" />
  return value
}

/** The most decimals that an amount of the column has in these rows. */
function mostDecimals<Row>(column: ListColumn<Row>, rows: readonly Row[]): number {
  const decimals = rows.map((row, index) => valueOf(column, row, index)).map((value) => (typeof value === 'bigint' ? decimalsOf(value) : 0))
  return Math.max(0, ...decimals)
}

/** Room for the decimals that other rows have and this one does not, so that points stand below each other. */
function Room({ value, most }: { value: CellValue; most: number }) {
  const own = typeof value === 'bigint' ? decimalsOf(value) : most
  if (own >= most) return null
  const room = `${own === 0 ? '.' : ''}${'0'.repeat(most - own)}`
  return <span aria-hidden="true" data-room={room} className="hidden after:invisible after:content-[attr(data-room)] tbl:inline" />
}

export function tableColumns<Row>(columns: readonly ListColumn<Row>[], rows: readonly Row[] = []): Column<Row>[] {
  return columns.filter(inList).map((column) => {
    const most = column.decimals === undefined && column.align === 'right' ? mostDecimals(column, rows) : 0
    return {
      key: column.key,
      header: column.header,
      align: column.align,
      className: column.className,
      cell: (row, index) => (
        <>
          {draw(column, row, index)}
          {most > 0 && <Room value={valueOf(column, row, index)} most={most} />}
        </>
      ),
    }
  })
}
