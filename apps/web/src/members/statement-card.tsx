import { ownJob, startStatement } from '@tizara/contract/wallets-statements'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { downloadFile } from '../lib/load-file.ts'
import { read } from '../lib/query.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { toast } from '../ui/toast-store.ts'
import { refusalText } from './refusal-text.ts'

/** Months offered, including the current one. */
const MONTHS = 24

/** Returns the current and earlier UTC months, newest first: `2026-03`. */
const monthsBefore = (now: Date): string[] =>
  Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )

const nameOf = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Downloads a monthly wallet statement, generated on request. */
export default function StatementCard({ className }: { className?: string }) {
  const months = monthsBefore(new Date())
  const [month, setMonth] = useState(months[0] ?? '')
  const [format, setFormat] = useState<'csv' | 'pdf'>('pdf')
  const [jobId, setJobId] = useState<string>()
  async function ask(): Promise<void> {
    try {
      setJobId((await call(startStatement, { body: { month, format } })).data.jobId)
    } catch (error) {
      toast(refusalText(error), { tone: 'danger' })
    }
  }
  return (
    <Card className={className}>
      <CardHeader title="Statements" hint="All transactions of a month, with balances (UTC)." />
      <div className="flex flex-wrap items-center gap-2.5">
        <select
          className="min-h-9 rounded-md border border-line bg-surface px-2.5"
          aria-label="Month"
          value={month}
          onChange={(event) => {
            setMonth(event.target.value)
            setJobId(undefined)
          }}
        >
          {months.map((one) => (
            <option key={one} value={one}>
              {nameOf(one)}
            </option>
          ))}
        </select>
        <select
          className="min-h-9 rounded-md border border-line bg-surface px-2.5"
          aria-label="File format"
          value={format}
          onChange={(event) => {
            setFormat(event.target.value === 'csv' ? 'csv' : 'pdf')
            setJobId(undefined)
          }}
        >
          <option value="pdf">PDF document</option>
          <option value="csv">CSV table</option>
        </select>
        <Button onClick={ask}>Create statement</Button>
        {jobId !== undefined && <Progress key={jobId} id={jobId} />}
      </div>
    </Card>
  )
}

function Progress({ id }: { id: string }) {
  const { data: job } = useQuery({
    ...read(ownJob, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'DONE' || state.data?.state === 'FAILED' ? false : 1_000),
  })
  const { fileHref, fileName = 'statement.csv' } = job ?? {}
  if (job?.state === 'FAILED')
    return (
      <p role="alert" className="text-danger">
        {job.error}
      </p>
    )
  if (fileHref !== undefined)
    return (
      <Button
        variant="primary"
        onClick={() => downloadFile(fileHref, fileName).catch((error: unknown) => toast(refusalText(error), { tone: 'danger' }))}
      >
        Download {fileName}
      </Button>
    )
  return <progress aria-label="The file is being written" max={job?.total === 0 ? undefined : job?.total} value={job?.done} />
}
