import { startEarningsStatement } from '@tizara/contract/wallets-statements'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call, toApiError } from '../lib/http/api.ts'
import { JobFile } from '../lib/lists/job-file.tsx'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast-store.ts'
import { T } from '../ui/t.tsx'

/** Downloads a year's rewards as a file, generated on request. */
export default function EarningsStatement({ year }: { year: string }) {
  const [jobId, setJobId] = useState<string>()
  const showError = (thrown: unknown): void => {
    const error = toApiError(thrown)
    toast(error.fromServer ? error.message : t('No answer arrived. Please check your connection and try again.'), { tone: 'danger' })
  }
  async function start(format: 'csv' | 'pdf'): Promise<void> {
    setJobId(undefined)
    try {
      setJobId((await call(startEarningsStatement, { body: { year, format } })).data.jobId)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2.5 border-t px-4 py-3.5">
      <span className="w-full text-sm text-muted sm:w-auto">
        <T text="Statement of {year}" year={year} />
      </span>
      <Button size="sm" onClick={() => start('pdf')}>
        {t('Create PDF')}
      </Button>
      <Button size="sm" onClick={() => start('csv')}>
        {t('Create CSV')}
      </Button>
      {jobId !== undefined && <JobFile key={jobId} id={jobId} onError={showError} />}
    </div>
  )
}
