import { staffChange } from '@tizara/contract/staff-changes'
import { simulateProgramme, simulationResult } from '@tizara/contract/staff-programme'
import { useState } from 'react'
import * as v from 'valibot'
import { call, toApiError } from '../../../lib/api.ts'
import { refetch } from '../../../lib/query.ts'
import { JobLine, useJob } from '../../kit/job-line.tsx'
import { useMay } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { age } from '../../kit/when.ts'
import { grouped, ResultFigures } from '../programme/result.tsx'
import '../programme/programme.css'
import { Fault } from '../../kit/fault.tsx'
import type { ChangeFull } from './proposals.queries.ts'

const again = () => void refetch(staffChange)

/** What the last 30 days come to under a proposed programme: the approval stands on it, and it may be run again. */
export function SimulationNote({ row }: { row: ChangeFull }) {
  const may = useMay('simulateProgramme')
  const [jobId, setJobId] = useState<string>()
  const [fault, setFault] = useState<string>()
  const { simulation } = row
  async function start(): Promise<void> {
    setFault(undefined)
    try {
      setJobId((await call(simulateProgramme, { body: { rules: row.value } as never })).data.jobId)
    } catch (error) {
      setFault(toApiError(error).message)
    }
  }
  return (
    <section className="mt16" aria-label="Simulation">
      <div className="row">
        <h3 className="t grow">The last 30 days again, with this programme</h3>
        {may && (
          <SendButton className="btn sm" onClick={start}>
            Run again
          </SendButton>
        )}
      </div>
      {simulation === undefined ? (
        <p className="note warn mt8" role="status">
          No simulation of exactly these figures is less than a day old. It has to be run again before it can be approved.
        </p>
      ) : (
        <>
          <p className="sm mut mt4">
            Run {age(simulation.at)} ago by {plain(simulation.by.name)}. Result <span className="hash">{grouped(simulation.hash)}</span>
          </p>
          <Figures jobId={simulation.jobId} />
        </>
      )}
      {jobId !== undefined && <JobLine id={jobId} doing="Simulating" onDone={again} />}
      <Fault text={fault} className="mt8" />
    </section>
  )
}

function Figures({ jobId }: { jobId: string }) {
  const { data } = useJob(jobId)
  const read = v.safeParse(simulationResult, data?.result)
  return read.success ? <ResultFigures result={read.output} /> : null
}
