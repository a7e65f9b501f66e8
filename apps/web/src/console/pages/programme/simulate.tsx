import { simulateProgramme, simulationResult } from '@tizara/contract/staff-programme'
import { cancelStaffJob, staffJob } from '@tizara/contract/staff-jobs'
import { useState } from 'react'
import * as v from 'valibot'
import { call, toApiError } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { JobLine, useJob } from '../../kit/job-line.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { Panel } from '../../kit/panel.tsx'
import { type Draft, draftError, rulesOf, textOf } from './draft.ts'
import { Gainers } from './gainers.tsx'
import { type Result, ResultFigures } from './result.tsx'
import { FormError } from '../../kit/form-error.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** A job and the draft text it simulates. */
export interface Run {
  jobId: string
  of: string
}

/** Reads the progress of a simulation. Returns the result only if the draft is unchanged. */
export function useSimulation(run: Run | undefined, draft: Draft) {
  const job = useJob(run?.jobId)
  const isOfThis = run !== undefined && run.of === textOf(draft)
  const read = job.data?.state === 'DONE' ? v.safeParse(simulationResult, job.data.result) : undefined
  const result: Result | undefined = read?.success === true ? read.output : undefined
  const isOpen = job.data?.state === 'WAITING' || job.data?.state === 'RUNNING'
  return { job, isOfThis, result, isOpen }
}

export interface SimulateProps {
  draft: Draft
  run: Run | undefined
  onRun: (run: Run) => void
  may: boolean
}

/** Simulates the draft over the last 30 days: start, progress and result. */
export function Simulate({ draft, run, onRun, may }: SimulateProps) {
  const { job, isOfThis, result, isOpen } = useSimulation(run, draft)
  const [errorText, setErrorText] = useState<string>()
  async function start(): Promise<void> {
    const wrong = draftError(draft)
    setErrorText(wrong)
    if (wrong !== undefined) return
    try {
      const { data } = await call(simulateProgramme, { body: { rules: rulesOf(draft) } as never })
      onRun({ jobId: data.jobId, of: textOf(draft) })
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
  }
  async function cancel(): Promise<void> {
    if (run === undefined) return
    await call(cancelStaffJob, { params: { id: run.jobId } }).catch((error: unknown) => setErrorText(toApiError(error).message))
    await refetch(staffJob)
  }
  const hint =
    result === undefined ? 'All sources and members. Nothing is posted.' : `${result.from} to ${result.to}, all sources and members`
  const file = job.data?.fileHref === undefined ? undefined : { href: job.data.fileHref, name: job.data.fileName ?? 'simulation.csv' }
  const actions = (
    <span className="flex min-w-0 items-center gap-2">
      {isOpen && (
        <SendButton variant="ghost" size="sm" onClick={cancel}>
          Cancel
        </SendButton>
      )}
      {may && (
        <SendButton size="sm" aria-disabled={isOpen && isOfThis} onClick={start}>
          {run === undefined ? 'Run the simulation' : 'Run again'}
        </SendButton>
      )}
    </span>
  )
  return (
    <>
      <Panel title="The last 30 days again, with this draft" hint={hint} right={actions}>
        <div className="px-4 pt-3 pb-4">
          <FormError text={errorText} />
          {run === undefined && errorText === undefined && (
            <p className="text-muted">
              Change the figures, then run the simulation. It recalculates the rewards of the real sales, stakes and purchases.
            </p>
          )}
          {run !== undefined && result === undefined && <JobLine id={run.jobId} doing="Simulating" />}
          {result !== undefined && !isOfThis && (
            <Notice tone="warning" icon={null} role="status">
              The draft has changed since this simulation. Run it again.
            </Notice>
          )}
          {result !== undefined && <ResultFigures result={result} />}
        </div>
      </Panel>
      {result !== undefined && <Gainers result={result} file={file} />}
    </>
  )
}
