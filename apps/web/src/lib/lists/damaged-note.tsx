import { joinList, t } from '@tizara/languages'
import { Notice } from '../../ui/notice.tsx'
import { readOr } from './damaged-row.ts'

/** Reports rows that could not be read, by name where possible. */
export function DamagedNote<Row>({ rows, nameOf }: { rows: readonly Row[]; nameOf: (row: Row) => string }) {
  if (rows.length === 0) return null
  const names = rows.map((row) => readOr(() => nameOf(row), 'one without a readable name'))
  return (
    <Notice tone="warning" className="mt-4">
      {t('Some details cannot be loaded now: {names}.', { names: joinList(names) })}
    </Notice>
  )
}
