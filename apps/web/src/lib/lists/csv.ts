import { BYTE_ORDER_MARK } from '@tizara/contract/csv'
import { saveFile } from '../http/load-file.ts'

export { writeCsv } from '@tizara/contract/csv'

/**
 * Saves text as a CSV download.
 * @param text content; a byte-order mark is prepended, so that spreadsheets read UTF-8
 */
export function downloadCsv(name: string, text: string): void {
  saveFile(name, new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv;charset=utf-8' }))
}
