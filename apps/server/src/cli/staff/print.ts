import type { Reply } from './session.ts'

/** Makes text of members safe for a terminal: it cannot move the cursor, change colours or text direction. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '\n' : `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : Array.isArray(value) && !value.some(isObject)
        ? value.map(cell).join('; ')
        : JSON.stringify(value)

/** Flattens one level: the fields of a nested object become separate columns. */
const flat = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      isObject(value) ? Object.entries(value).map(([inner, one]) => [`${key}.${inner}`, one]) : [[key, value]],
    ),
  )

/** Formats rows as aligned columns under their names. Columns without any value are omitted. */
export function tableLines(rows: readonly Record<string, unknown>[]): string[] {
  const cells = rows.map((row) =>
    Object.fromEntries(Object.entries(flat(row)).map(([key, value]) => [key, printable(cell(value)).replaceAll('\n', ' ')])),
  )
  const names = [...new Set(cells.flatMap(Object.keys))].filter((name) => cells.some((row) => (row[name] ?? '') !== ''))
  const table = [Object.fromEntries(names.map((name) => [name, name])), ...cells]
  const widths = names.map((name) => Math.max(...table.map((row) => (row[name] ?? '').length)))
  return table.map((row) =>
    names
      .map((name, column) => (row[name] ?? '').padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Formats a response as lines: its message, then its data; lists as tables. */
export function reportLines({ message, data }: Reply): string[] {
  return [printable(message), ...dataLines(data, '')]
}

function dataLines(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [`${indent}none`] : linesOf(value, indent)
  if (!isObject(value)) return value === null || value === undefined ? [] : [indent + printable(cell(value))]
  return Object.entries(value).flatMap(([key, one]) =>
    isObject(one) || (Array.isArray(one) && one.some(isObject))
      ? [`${indent}${key}`, ...dataLines(one, `${indent}  `)]
      : [`${indent}${key}  ${printable(cell(one))}`],
  )
}

const linesOf = (list: readonly unknown[], indent: string): string[] =>
  (list.every(isObject) ? tableLines(list) : list.map((one) => printable(cell(one)))).map((line) => indent + line)
