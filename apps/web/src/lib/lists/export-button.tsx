import { inEnglish, t } from '@tizara/languages'
import Download from 'lucide-react/icons/download'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { inList, type ListColumn, plainText, valueOf } from './list-columns.tsx'
import { utcDay } from '../format.ts'

export interface ExportButtonProps<Row> {
  /** File name prefix. */
  title: string
  columns: readonly ListColumn<Row>[]
  /** Loads all rows of the filtered list, and reports how many of how many were read. The total is absent if unknown. */
  loadAll: (options: { signal: AbortSignal; onProgress: (done: number, total?: number) => void }) => Promise<readonly Row[]>
  disabled?: boolean | undefined
}

const fileName = (title: string): string => `${title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${utcDay(new Date())}.csv`

/** Exports the whole list, not the page, as CSV in English and shows progress. */
export function ExportButton<Row extends { id?: string | undefined }>({ title, columns, loadAll, disabled }: ExportButtonProps<Row>) {
  const [progress, setProgress] = useState<string>()
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])

  async function run(): Promise<void> {
    const control = new AbortController()
    stop.current = control
    setProgress(t('Starting the export'))
    try {
      const { downloadCsv, writeCsv } = await import('./csv.ts')
      const rows = await loadAll({
        signal: control.signal,
        onProgress: (done, total) =>
          setProgress(
            total === undefined
              ? t('{done, plural, other {# rows}}', { done })
              : t('{done} of {total}', { done: done.toLocaleString('en-US'), total: total.toLocaleString('en-US') }),
          ),
      })
      const table = inEnglish(() => {
        const written = columns.filter(
          (column) => inList(column) || rows.some((row, index) => plainText(valueOf(column, row, index)) !== ''),
        )
        const lines = rows.map((row, index) => written.map((column) => plainText(valueOf(column, row, index))))
        return [written.map((column) => column.header), ...lines]
      })
      downloadCsv(fileName(title), writeCsv(table))
      toast(t('{rows, plural, other {# rows exported}}', { rows: rows.length }))
    } catch (error) {
      if (control.signal.aborted) return
      console.error(`${title}: the export stopped`, error)
      toast(t('The export stopped. Please try again.'), { tone: 'danger' })
    } finally {
      if (!control.signal.aborted) setProgress(undefined)
    }
  }

  return (
    <div className="ms-auto flex items-center gap-2.5">
      <output className="text-xs text-faint">{progress}</output>
      <Button
        className="min-h-9"
        icon={<Download size={15} aria-hidden="true" />}
        disabled={disabled}
        pending={progress !== undefined}
        pendingLabel={t('Exporting')}
        onClick={() => void run()}
      >
        {t('Export CSV')}
      </Button>
    </div>
  )
}
