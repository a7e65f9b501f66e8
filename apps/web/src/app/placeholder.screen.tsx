import { t, texts } from '@tizara/languages'
import { formatDate } from '../lib/format.ts'
import { Badge } from '../ui/badge.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { ScreenProps } from './routes.ts'

interface Sample {
  date: Date
  amount: string
  details: string
}

/** Fixed sample rows required by the specification, marked as samples (UI-PLACEHOLDER-04). */
const rows = texts<readonly Sample[]>('details', [
  { date: new Date(2025, 0, 1), amount: '150.00', details: 'Sample credit' },
  { date: new Date(2025, 0, 15), amount: '75.50', details: 'Sample transfer' },
  { date: new Date(2025, 1, 1), amount: '20.00', details: 'Sample debit' },
])

/** A wallet's history in outline (UI-PLACEHOLDER rows, RT-40 to RT-42). */
export default function PlaceholderScreen({ title }: ScreenProps) {
  return (
    <>
      <PageHeader
        title={title}
        subtitle={t('These rows are samples. They are not your data and move no money.')}
        actions={
          <Badge tone="warning" className="justify-self-start">
            {t('Sample data')}
          </Badge>
        }
      />
      <DataTable
        caption={title}
        rows={rows}
        rowKey={(row) => row.details}
        columns={[
          { key: 'no', header: t('SL NO'), cell: (_, index) => index + 1 },
          { key: 'date', header: t('Date'), phone: 'second', cell: (row) => formatDate(row.date) },
          { key: 'amount', header: t('Amount'), phone: 'amount', align: 'right', cell: (row) => <Money value={row.amount} /> },
          { key: 'details', header: t('Details'), phone: 'title', cell: (row) => row.details },
        ]}
      />
    </>
  )
}
