import { staffChange } from '@tizara/contract/staff-changes'
import { simulateProgramme, simulationResult } from '@tizara/contract/staff-programme'
import { useState } from 'react'
import * as v from 'valibot'
import { call, toApiError } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { JobLine, useJob } from '../../kit/job-line.tsx'
import { useMay } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { age } from '../../kit/when.ts'
import { grouped, ResultFigures } from '../programme/result.tsx'
import { FormError } from '../../kit/form-error.tsx'
import type { ChangeFull } from './proposals.queries.ts'
import { Notice } from '../../../ui/notice.tsx'

const again = () => void refetch(staffChange)

/** Shows the simulation behind a proposed programme. The approver relies on it and may run it again. */
export function SimulationNote({ row }: { row: ChangeFull }) {
  const may = useMay('simulateProgramme')
  const [jobId, setJobId] = useState<string>()
  const [errorText, setErrorText] = useState<string>()
  const { simulation } = row
  async function start(): Promise<void> {
    setErrorText(undefined)
    try {
      setJobId((await call(simulateProgramme, { body: { rules: row.value } as never })).data.jobId)
    } catch (error) {
      setErrorText(toApiError(error).message)
    }
  }
  return (
    <section className="mt-4" aria-label="Simulation">
      <div className="flex min-w-0 items-center gap-2">
        <h3 className="min-w-0 flex-1 text-sm font-semi">The last 30 days again, with this programme</h3>
        {may && (
          <SendButton size="sm" onClick={start}>
            Run again
          </SendButton>
        )}
      </div>
      {simulation === undefined ? (
        <Notice tone="warning" icon={null} className="mt-2" role="status">
          No simulation of exactly these figures is less than a day old. It has to be run again before it can be approved.
        </Notice>
      ) : (
        <>
          <p className="text-xs text-muted mt-1">
            Run {age(simulation.at)} ago by {plain(simulation.by.name)}. Hash of the result:{' '}
            <span className="rounded-sm bg-raised px-1.5 py-0.5 font-mono text-xs whitespace-nowrap text-muted">
              {grouped(simulation.hash)}
            </span>
          </p>
          <Figures jobId={simulation.jobId} />
        </>
      )}
      {jobId !== undefined && <JobLine id={jobId} doing="Simulating" onDone={again} />}
      <FormError text={errorText} className="mt-2" />
    </section>
  )
}

function Figures({ jobId }: { jobId: string }) {
  const { data } = useJob(jobId)
  const read = v.safeParse(simulationResult, data?.result)
  return read.success ? <ResultFigures result={read.output} /> : null
}
