import { getReceipt, type Receipt } from '@tizara/contract/wallets'
import { formatUnits } from '@tizara/money'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClass } from '../../ui/button-class.ts'
import { DescriptionList, type DescriptionRow } from '../../ui/description-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { read } from '../http/query.ts'
import { type ReceiptRef, reportProblemHref } from './receipt-link.ts'
import { ReceiptSkeleton } from './receipt-skeleton.tsx'
import { receiptLines, ReceiptView } from './receipt-view.tsx'

export interface ReceiptContentProps {
  onClose: () => void
  /** Title of the row's list. */
  subject: string
  /** The server's receipt, if any. */
  receipt: ReceiptRef | undefined
  /** Above the receipt: progress and actions. */
  head?: ReactNode
  /** Row fields, shown without a receipt. */
  rows?: readonly DescriptionRow[] | undefined
  /** The fields as text lines, for a problem report. */
  lines?: readonly string[] | undefined
}

/** Receipt content. Its code loads with the first receipt. */
export default function ReceiptContent({ receipt, subject, head, rows = [], lines = [], onClose }: ReceiptContentProps) {
  const { data, isLoading } = useQuery({
    ...read(getReceipt, { params: receipt ?? { kind: 'transfer', id: '' } }),
    enabled: receipt !== undefined,
  })
  if (isLoading) return <ReceiptSkeleton />
  const repeat = data && repeatOf(data)
  const shown = data === undefined ? lines : [...receiptLines(data), ...lines]
  return (
    <>
      {head}
      {data !== undefined ? (
        <ReceiptView receipt={data} />
      ) : rows.length > 0 ? (
        <OwnFields subject={subject} rows={rows} />
      ) : (
        <Notice>{t('This receipt could not be found.')}</Notice>
      )}
      {data?.kind === 'deposit' && data.status === 'PENDING' && data.from.address !== undefined && (
        <Link href={`/invoice?id=${encodeURIComponent(data.id)}`} onClick={onClose} className={buttonClass('primary', 'md', 'mt-6 w-full')}>
          {t('Open the invoice')}
        </Link>
      )}
      {repeat !== undefined && (
        <Link
          href="/dashboard?open=user-transfer"
          state={{ start: repeat }}
          onClick={onClose}
          className={buttonClass('primary', 'md', 'mt-6 w-full')}
        >
          {t('Send again')}
        </Link>
      )}
      <Link
        href={reportProblemHref(subject, shown, data === undefined ? undefined : receipt)}
        onClick={onClose}
        className={buttonClass('secondary', 'md', 'mt-6 w-full')}
      >
        {t('Report a problem')}
      </Link>
    </>
  )
}

/** Returns the values that repeat a transfer to another member; undefined for other receipts, and for the receiver. */
function repeatOf({ from, to, amount }: Receipt): { email: string; amount: string } | undefined {
  const isToMember = from.wallet === 'depositWallet' && to.wallet === undefined && to.address === undefined && to.label.includes('@')
  return isToMember ? { email: to.label, amount: formatUnits(amount) } : undefined
}

function OwnFields({ subject, rows }: { subject: string; rows: readonly DescriptionRow[] }) {
  return (
    <>
      <p className="mb-2 text-sm text-faint">{subject}</p>
      <DescriptionList rows={rows} />
    </>
  )
}
