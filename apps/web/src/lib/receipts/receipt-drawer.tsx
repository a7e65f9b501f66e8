import { t } from '@tizara/languages'
import { lazy, Suspense } from 'react'
import { Drawer } from '../../ui/drawer.tsx'
import type { ReceiptContentProps } from './receipt-content.tsx'
import { ReceiptSkeleton } from './receipt-skeleton.tsx'

const ReceiptContent = lazy(() => import('./receipt-content.tsx'))

export interface ReceiptDrawerProps extends ReceiptContentProps {
  open: boolean
}

/** Drawer with the receipt of a row, or with the fields of a row that has no receipt. Problem reports attach the row. */
export function ReceiptDrawer(props: ReceiptDrawerProps) {
  return (
    <Drawer title={t('Receipt')} open={props.open} onClose={props.onClose}>
      <Suspense fallback={<ReceiptSkeleton />}>
        <ReceiptContent {...props} />
      </Suspense>
    </Drawer>
  )
}
