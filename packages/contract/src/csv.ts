import { withoutOrders } from './text.ts'

/** A sheet reads a cell that begins so as a formula, also after white space, unseen characters or a quote, and in full-width form. */
const FORMULA = /^[\s\p{Cc}\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212]|^[\t\r\n\0]/u
const DECIMAL = /^-?\d+(?:\.\d+)?$/

function cell(text: string): string {
  const plain = withoutOrders(text)
  const safe = FORMULA.test(text) && !DECIMAL.test(text) ? `'${plain}` : plain
  // In some countries sheets part columns by a semicolon.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Stands before a file's first line, so that sheets read UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Writes lines of CSV that no sheet takes for formulas: text that begins with = + - @, in any form and after any white space,
 * or with a tab gets a leading apostrophe; plain numbers stay numbers.
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
