import { MAX_ROWS } from '@tizara/contract'
import { readOr } from './damaged-row.ts'
import { type DayRange, listRequest, type LoadPage } from './list-source.ts'

/**
 * Loads a whole history, 1000 rows per request. New rows shift others to the next page, so it skips ids already read.
 * @param options `onProgress` gets loaded and total rows; `signal` aborts
 * @throws what `load` throws
 */
export async function loadWholeList<Row extends { id?: string | undefined }>(
  load: LoadPage<Row>,
  range: DayRange,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
): Promise<Row[]> {
  const rows: Row[] = []
  const knownIds = new Set<string>()
  let read = 0
  for (let page = 1; ; page += 1) {
    const { data, meta } = await load(listRequest(page, MAX_ROWS, range), signal)
    read += data.length
    for (const row of data) {
      const id = readOr(() => row.id, undefined)
      if (id !== undefined && knownIds.has(id)) continue
      if (id !== undefined) knownIds.add(id)
      rows.push(row)
    }
    onProgress?.(Math.min(read, meta.total), meta.total)
    if (data.length === 0 || read >= meta.total) return rows
  }
}
