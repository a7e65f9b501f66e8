import { BYTE_ORDER_MARK } from '@tizara/contract/csv'
import { saveFile } from './load-file.ts'

export { writeCsv } from '@tizara/contract/csv'

/**
 * Hands a file to the browser's downloads.
 * @param text its content; a byte-order mark is put before it, so that sheets read UTF-8
 */
export function downloadCsv(name: string, text: string): void {
  saveFile(name, new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv;charset=utf-8' }))
}
