import { getReceipt } from '@tizara/contract/wallets'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { buttonClass } from '../ui/button-class.ts'
import { DescriptionList, type DescriptionRow } from '../ui/description-list.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton, SkeletonText } from '../ui/skeleton.tsx'
import { read } from './query.ts'
import { type ReceiptRef, reportProblemHref } from './receipt-link.ts'
import { receiptLines, ReceiptView } from './receipt-view.tsx'

export interface ReceiptDrawerProps {
  open: boolean
  onClose: () => void
  /** What the row is: the title of its list. */
  subject: string
  /** The server's receipt, when it has one. */
  receipt: ReceiptRef | undefined
  /** The row's own fields: shown when there is no receipt. */
  rows?: readonly DescriptionRow[] | undefined
  /** The same in lines of text, for a report. */
  lines?: readonly string[] | undefined
}

/** The receipt of one row; without one, the fields of the row itself. A problem is reported with the row attached. */
export function ReceiptDrawer(props: ReceiptDrawerProps) {
  return (
    <Drawer title="Receipt" open={props.open} onClose={props.onClose}>
      <Content {...props} />
    </Drawer>
  )
}

function Content({ receipt, subject, rows = [], lines = [], onClose }: ReceiptDrawerProps) {
  const { data, isLoading } = useQuery({
    ...read(getReceipt, { params: receipt ?? { kind: 'transfer', id: '' } }),
    enabled: receipt !== undefined,
    retry: false,
  })
  if (isLoading) {
    return (
      <div aria-busy="true">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="mt-2 mb-6 h-8 w-48" />
        <SkeletonText lines={7} />
      </div>
    )
  }
  const told = data === undefined ? lines : [...receiptLines(data), ...lines]
  return (
    <>
      {data !== undefined ? (
        <ReceiptView receipt={data} />
      ) : rows.length > 0 ? (
        <OwnFields subject={subject} rows={rows} />
      ) : (
        <Notice>This receipt could not be found.</Notice>
      )}
      <Link href={reportProblemHref(subject, told)} onClick={onClose} className={buttonClass('secondary', 'md', 'mt-6 w-full')}>
        Report a problem
      </Link>
    </>
  )
}

function OwnFields({ subject, rows }: { subject: string; rows: readonly DescriptionRow[] }) {
  return (
    <>
      <p className="mb-2 text-sm text-faint">{subject}</p>
      <DescriptionList rows={rows} />
    </>
  )
}
