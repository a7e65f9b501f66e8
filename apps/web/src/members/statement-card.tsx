import { startStatement } from '@tizara/contract/wallets-statements'
import { dateLocale, t } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../lib/http/api.ts'
import { JobFile } from '../lib/lists/job-file.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { toast } from '../ui/toast-store.ts'
import { rejectionText } from './addresses/rejection-text.ts'
import { useProfile } from './profile.queries.ts'

/** Months offered, including the current one. */
const MONTHS = 24

/** Returns the current and earlier UTC months, newest first: `2026-03`. The month of joining is the last one. */
function monthsBefore(now: Date, joinedAt: Date | undefined): string[] {
  const months = Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
  const first = joinedAt?.toISOString().slice(0, 7) ?? ''
  return months.filter((month, back) => back === 0 || month >= first)
}

const nameOf = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString(dateLocale('en-GB'), { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Downloads a monthly wallet statement, generated on request. */
export default function StatementCard({ className }: { className?: string }) {
  const months = monthsBefore(new Date(), useProfile().data?.createdAt)
  const [month, setMonth] = useState(months[0] ?? '')
  const [format, setFormat] = useState<'csv' | 'pdf'>('pdf')
  const [jobId, setJobId] = useState<string>()
  async function ask(): Promise<void> {
    try {
      setJobId((await call(startStatement, { body: { month, format } })).data.jobId)
    } catch (error) {
      toast(rejectionText(error), { tone: 'danger' })
    }
  }
  return (
    <Card className={className}>
      <CardHeader title={t('Monthly statement')} hint={t('All transactions of a month, with balances (UTC).')} />
      <div className="flex flex-wrap items-center gap-2.5">
        <select
          className="min-h-9 rounded-md border border-line bg-surface px-2.5"
          aria-label={t('Month')}
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
          aria-label={t('File format')}
          value={format}
          onChange={(event) => {
            setFormat(event.target.value === 'csv' ? 'csv' : 'pdf')
            setJobId(undefined)
          }}
        >
          <option value="pdf">{t('PDF document')}</option>
          <option value="csv">{t('CSV table')}</option>
        </select>
        <Button onClick={ask}>{t('Create statement')}</Button>
        {jobId !== undefined && <JobFile key={jobId} id={jobId} onError={(error) => toast(rejectionText(error), { tone: 'danger' })} />}
      </div>
    </Card>
  )
}
