import type { ReactNode } from 'react'
import { formatUnits, type Units } from '@tizara/money'
import type { Column } from '../ui/data-table.tsx'
import { Money } from '../ui/money.tsx'
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

/** Whether the list draws it. */
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

function draw<Row>(column: ListColumn<Row>, row: Row, index: number): ReactNode {
  if (column.cell !== undefined) return column.cell(row, index)
  const value = column.value(row, index)
  if (typeof value === 'bigint') return <Money value={value} decimals={column.decimals ?? decimalsOf(value)} />
  if (value instanceof Date) return <Moment at={value} time={column.time} className="whitespace-nowrap" />
  return value
}

/** The columns as the table draws them. */
export function tableColumns<Row>(columns: readonly ListColumn<Row>[]): Column<Row>[] {
  return columns.filter(inList).map((column) => ({
    key: column.key,
    header: column.header,
    align: column.align,
    className: column.className,
    cell: (row, index) => draw(column, row, index),
  }))
}
