import { staffJob } from '@tizara/contract/staff-jobs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { toApiError } from '../../lib/http/api.ts'
import { downloadFile } from '../../lib/http/load-file.ts'
import { watch } from './watch.ts'
import { Button } from '../../ui/button.tsx'
import { Meter } from '../../ui/meter.tsx'

const POLL_INTERVAL_MS = 1_000

/** Polls the progress of a job each second until it ends. */
export function useJob(id: string | undefined) {
  return useQuery({
    ...watch(staffJob, { params: { id: id ?? '' } }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'DONE' || state.data?.state === 'FAILED' ? false : POLL_INTERVAL_MS),
  })
}

export interface JobLineProps {
  id: string
  /** Label of the running job: `Writing the file`. */
  doing: string
  /** Called once when the job is done. */
  onDone?: () => void
}

/** Shows a job's progress bar, then its file or its error. */
export function JobLine({ id, doing, onDone }: JobLineProps) {
  const { data: job, error } = useJob(id)
  const reported = useRef(false)
  const isDone = job?.state === 'DONE'
  useEffect(() => {
    if (!isDone || reported.current) return
    reported.current = true
    onDone?.()
  }, [isDone, onDone])
  if (error !== null)
    return (
      <p role="alert" className="text-xs text-danger">
        {toApiError(error).message}
      </p>
    )
  if (job?.state === 'FAILED')
    return (
      <p role="alert" className="text-xs text-danger">
        {job.error ?? 'It failed'}
      </p>
    )
  const { fileHref, fileName = 'file.csv' } = job ?? {}
  if (isDone)
    return fileHref === undefined ? null : (
      <p className="text-xs flex min-w-0 items-center gap-2" role="status">
        The file is ready
        <Button size="sm" onClick={() => void downloadFile(fileHref, fileName)}>
          Download {fileName}
        </Button>
      </p>
    )
  const part = job === undefined || job.total === 0 ? 0 : Math.min(100, (job.done / job.total) * 100)
  return (
    <div className="text-xs text-muted" role="status">
      {doing}
      {job !== undefined && job.done > 0 && `, ${job.done.toLocaleString('en-US')}`}
      {job !== undefined && job.total > 0 && ` of ${job.total.toLocaleString('en-US')}`}
      {job?.etaSeconds !== undefined && `, about ${job.etaSeconds} s more`}
      <Meter percent={part} className="mt-1 w-[220px]" />
    </div>
  )
}
