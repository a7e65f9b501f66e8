import type { BodyOf } from '@tizara/contract'
import type { startExport } from '@tizara/contract/staff-audit'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { call, toApiError } from '../../lib/http/api.ts'
import { toast } from '../../ui/toast-store.ts'
import { JobLine } from './job-line.tsx'
import { useMay } from './me.tsx'
import { useOffline } from './offline.tsx'
import { chipClass } from '../../ui/chip.ts'

export interface ExportListProps {
  list: BodyOf<typeof startExport>['list']
  filter?: BodyOf<typeof startExport>['filter']
  /** Button style: a link beside a title, or an icon in a bar. */
  appearance?: 'link' | 'chip' | 'ib'
}

const STYLES = { link: 'link', chip: chipClass(), ib: 'grid size-7 place-items-center rounded-md text-muted hover:bg-hover' } as const

/** Exports a list as a file in a job. Hidden for roles without the right. */
export function ExportList({ list, filter = {}, appearance = 'link' }: ExportListProps) {
  const may = useMay('startExport')
  const [job, setJob] = useState<string>()
  const offline = useOffline()
  if (!may) return null
  async function ask(): Promise<void> {
    if (offline) return
    try {
      // Loads on the first press, so that views with an export button open without this code.
      const { startExport: start } = await import('@tizara/contract/staff-audit')
      setJob((await call(start, { body: { list, filter } })).data.jobId)
    } catch (error) {
      toast(toApiError(error).message, { tone: 'danger' })
    }
  }
  return (
    <span className="flex min-w-0 items-center gap-2">
      {job !== undefined && <JobLine key={job} id={job} doing="Writing the file" />}
      <button
        type="button"
        className={STYLES[appearance]}
        aria-disabled={offline}
        aria-label={appearance === 'ib' ? 'Export' : undefined}
        onClick={() => void ask()}
      >
        {appearance !== 'link' && <Download size={appearance === 'ib' ? 16 : 12} aria-hidden="true" />} {appearance !== 'ib' && 'Export'}
      </button>
    </span>
  )
}
