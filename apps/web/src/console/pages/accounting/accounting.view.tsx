import { type AccountingFormat, staffAccounting, startAccountingExport } from '@tizara/contract/staff-accounting'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { call, toApiError } from '../../../lib/http/api.ts'
import { Notice } from '../../../ui/notice.tsx'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { Choice } from '../../kit/choice.tsx'
import { Heads } from '../../kit/heads.tsx'
import { JobLine } from '../../kit/job-line.tsx'
import { ListState, More } from '../../kit/list-parts.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { Page } from '../../kit/page.tsx'
import { usePages } from '../../kit/use-pages.ts'

const FORMATS = [
  ['csv', 'CSV'],
  ['hledger', 'hledger'],
  ['beancount', 'Beancount'],
] as const

/** `/staff/accounting`: journals of the closed months, in the operator's chart of accounts. */
export default function AccountingView() {
  const months = usePages(staffAccounting, {}, 24)
  const [format, setFormat] = useState<AccountingFormat>('csv')
  const [job, setJob] = useState<string>()
  const exportFile = async (month?: string) => {
    try {
      const body = { format, ...(month === undefined ? {} : { month }) }
      setJob((await call(startAccountingExport, { body })).data.jobId)
    } catch (error) {
      toast(toApiError(error).message, { tone: 'danger' })
    }
  }
  return (
    <Page
      title="Accounting"
      hint="One journal for each closed month: daily totals by kind of transfer, in your chart of accounts. A month's file never changes."
      right={
        <div className="flex flex-wrap items-center gap-2">
          <Choice label="Format" of={FORMATS} value={format} onChange={setFormat} />
          <SendButton icon={<Download size={14} aria-hidden="true" />} onClick={() => void exportFile()}>
            Export accounts
          </SendButton>
        </div>
      }
    >
      {job !== undefined && (
        <Notice icon={null} className="mb-3">
          <JobLine key={job} id={job} doing="Adding up transfers" />
        </Notice>
      )}
      <section className={panelClass()} aria-label="Closed months">
        <ListState query={months} rows={months.rows.length} none="No closed months yet" hint="A month is closed a day after its end." />
        {months.rows.length > 0 && (
          <Table folds>
            <Heads columns={['Month', ['Transfers', 'num'], 'Period close', 'Journal']} />
            <tbody>
              {months.rows.map(({ id, transfers, hash }) => (
                <tr key={id}>
                  <td>{id}</td>
                  <td data-label="Transfers" className="text-right">
                    {transfers.toLocaleString('en-US')}
                  </td>
                  <td data-label="Period close" className="font-mono text-xs text-faint" title={hash}>
                    {hash.slice(0, 12)}
                  </td>
                  <td data-label="Journal">
                    <SendButton size="sm" aria-label={`Export ${id}`} onClick={() => void exportFile(id)}>
                      Export
                    </SendButton>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <More pages={months} />
      </section>
    </Page>
  )
}
