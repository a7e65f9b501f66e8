import { t } from '@tizara/languages'
import { lazy, Suspense } from 'react'
import { Drawer } from '../../ui/drawer.tsx'
import { loadTexts } from '../language.ts'
import type { ReceiptContentProps } from './receipt-content.tsx'
import { ReceiptSkeleton } from './receipt-skeleton.tsx'

const ReceiptContent = lazy(async () => (await Promise.all([import('./receipt-content.tsx'), loadTexts()]))[0])

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
