import { createElement, lazy, Suspense } from 'react'
import { Button } from '../ui/button.tsx'
import type { WaitingDialogProps } from './waiting.dialog.tsx'

const Later = lazy(() => import('./waiting.dialog.tsx'))

/** Confirms or cancels a payout that waits for its owner; its code is fetched when it opens. */
export function WaitingDialog(props: WaitingDialogProps) {
  return createElement(Suspense, { fallback: null }, createElement(Later, props))
}

/** Beside a row's status: that it waits for its owner, and the way to decide it. */
export const WaitingMark = ({ onOpen }: { onOpen: () => void }) => (
  <span className="mt-1 block">
    <Button size="sm" onClick={onOpen}>
      Waiting for your confirmation
    </Button>
  </span>
)
