import { Notice } from '../ui/notice.tsx'
import { legibly } from './damaged-row.ts'

/** Says that there is more than can be shown, by the names that can be read. */
export function DamagedNote<Row>({ rows, nameOf }: { rows: readonly Row[]; nameOf: (row: Row) => string }) {
  if (rows.length === 0) return null
  const names = rows.map((row) => legibly(() => nameOf(row), 'one without a readable name'))
  return (
    <Notice tone="warning" className="mt-4">
      {`There is more here that cannot be read at the moment: ${names.join(', ')}.`}
    </Notice>
  )
}
