import { withoutOrders } from './text.ts'

/**
 * Spreadsheets read a cell starting like this as a formula, even after white space, invisible characters or a quote, and in full-width
 * form.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212]|^[\t\r\n\0]/u
const DECIMAL = /^-?\d+(?:\.\d+)?$/

function cell(text: string): string {
  const plain = withoutOrders(text)
  const safe = FORMULA.test(text) && !DECIMAL.test(text) ? `'${plain}` : plain
  // Some locales use semicolons as the separator.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** File prefix, so that spreadsheets read UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Writes CSV without formulas. Text starting with a tab or = + - @, in any form and after white space, gets a leading apostrophe; plain
 * numbers stay numbers.
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
