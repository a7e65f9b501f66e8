import { lazy, Suspense } from 'react'
import { Drawer } from '../ui/drawer.tsx'
import type { ReceiptContentProps } from './receipt-content.tsx'
import { ReceiptSkeleton } from './receipt-skeleton.tsx'

const ReceiptContent = lazy(() => import('./receipt-content.tsx'))

export interface ReceiptDrawerProps extends ReceiptContentProps {
  open: boolean
}

/** The receipt of one row; without one, the fields of the row itself. A problem is reported with the row attached. */
export function ReceiptDrawer(props: ReceiptDrawerProps) {
  return (
    <Drawer title="Receipt" open={props.open} onClose={props.onClose}>
      <Suspense fallback={<ReceiptSkeleton />}>
        <ReceiptContent {...props} />
      </Suspense>
    </Drawer>
  )
}
